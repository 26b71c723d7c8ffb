/// The bytes of a `Date` header: `Sun, 06 Nov 1994 08:49:37 GMT`.
struct DateBytes: Sendable {
  static let count = 29
  /// The last two words overlap.
  private static let offsets = (0, 8, 16, 21)

  private let words: (UInt64, UInt64, UInt64, UInt64)

  /// A shorter text is followed by spaces.
  init(_ text: String) {
    let bytes = Array(text.utf8.prefix(Self.count))
    let all = bytes + repeatElement(UInt8(ascii: " "), count: Self.count - bytes.count)
    // SAFETY: there are as many bytes, and the last word ends with them.
    words = all.withUnsafeBytes { bytes in
      func word(_ offset: Int) -> UInt64 {
        bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
      }
      let offsets = Self.offsets
      return (word(offsets.0), word(offsets.1), word(offsets.2), word(offsets.3))
    }
  }

  /// Writes all bytes.
  func store(at target: UnsafeMutableRawPointer) {
    target.storeBytes(of: words.0, toByteOffset: Self.offsets.0, as: UInt64.self)
    target.storeBytes(of: words.1, toByteOffset: Self.offsets.1, as: UInt64.self)
    target.storeBytes(of: words.2, toByteOffset: Self.offsets.2, as: UInt64.self)
    target.storeBytes(of: words.3, toByteOffset: Self.offsets.3, as: UInt64.self)
  }

  var bytes: [UInt8] {
    Array(unsafeUninitializedCapacity: Self.count) { buffer, count in
      if let start = buffer.baseAddress { store(at: UnsafeMutableRawPointer(start)) }
      count = Self.count
    }
  }
}

/// A name that keys on a walk are compared with; its owner deallocates it.
///
/// Public because other modules can inline only public code.
@_documentation(visibility: internal)
public struct JSONName {
  // SAFETY: it points to `count` bytes until its owner, which alone compares with it, deallocates
  // them.
  @usableFromInline let bytes: UnsafePointer<UInt8>
  @usableFromInline let count: Int
  /// The tape's word for such a key without escapes at the start of a text.
  @usableFromInline let word: UInt64

  package init(copying name: String) {
    let copy = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: name.utf8.count + 1)
    _ = copy.initialize(from: name.utf8)
    bytes = UnsafePointer(copy.baseAddress.unsafelyUnwrapped)
    count = name.utf8.count
    word = TapeWord(.string, offset: 0, length: min(count, TapeWord.fieldMax)).bits
  }

  package func deallocate() { bytes.deallocate() }

  @inlinable
  func hasLengthAndTag(of key: TapeWord) -> Bool {
    key.bits & ~UInt64(TapeWord.fieldMax) == word
  }
}

/// Eight bytes of a text, examined together.
struct EightBytes {
  /// The first byte is the lowest.
  private let word: UInt64
  private static let highBits = each(0x80)

  private init(word: UInt64) { self.word = word }

  /// - Parameter start: of eight bytes in the text.
  init(_ text: Span<UInt8>, at start: Int) {
    word = text.bytes.unsafeLoadUnaligned(fromByteOffset: start, as: UInt64.self)
  }

  private static func each(_ byte: UInt64) -> UInt64 { byte &* 0x0101_0101_0101_0101 }

  /// Where digits and other characters are.
  struct Pattern {
    fileprivate let characters: UInt64
    /// Added to the differences from the characters, it sets the high bits of those too large.
    fileprivate let room: UInt64

    /// `0000-00-`
    static let date = Self(characters: 0x2D30_302D_3030_3030, room: 0x7F76_767F_7676_7676)
    /// `00T00:00`
    static let dayAndHour = Self(characters: 0x3030_3A30_3054_3030, room: 0x7676_7F76_767F_7676)
    /// `0:00:00Z`
    static let endOfTime = Self(characters: 0x5A30_303A_3030_3A30, room: 0x7F76_767F_7676_7F76)
    /// `00:00:00`
    static let time = Self(characters: 0x3030_3A30_303A_3030, room: 0x7676_7F76_767F_7676)
  }

  /// The values of the digits, if the bytes match a pattern.
  func digits(in pattern: Pattern) -> EightBytes? {
    let values = word ^ pattern.characters
    let excess = (values | ((values & ~Self.highBits) &+ pattern.room)) & Self.highBits
    return excess == 0 ? EightBytes(word: values) : nil
  }

  /// The number of two digits, given their values.
  func number(at index: Int) -> Int {
    let pair = word &>> UInt64(8 * index)
    return Int(pair & 0xFF) * 10 + Int(pair &>> 8 & 0xFF)
  }

  /// Whether they are `https://` or `http://` and a letter.
  var isStartOfWebAddress: Bool {
    word == 0x2F2F_3A73_7074_7468
      || word & 0x00FF_FFFF_FFFF_FFFF == 0x2F_2F3A_7074_7468 && (word &>> 56 | 0x20) &- 0x61 < 26
  }
}

/// Sixteen bytes of a text, examined together.
struct SixteenBytes {
  private let bytes: SIMD16<UInt8>

  /// - Parameter start: of sixteen bytes in the text.
  init(_ text: Span<UInt8>, at start: Int) {
    bytes = text.bytes.unsafeLoadUnaligned(fromByteOffset: start, as: SIMD16<UInt8>.self)
  }

  private static func each(_ byte: UInt8) -> SIMD16<UInt8> { SIMD16(repeating: byte) }

  /// Whether they are all letters, digits or among `&'()*+,-./_`, which a URI may have after its
  /// scheme anywhere.
  var arePlainInURIs: Bool {
    let letters = (bytes | Self.each(0x20)) &- Self.each(UInt8(ascii: "a")) .< Self.each(26)
    let others = bytes &- Self.each(UInt8(ascii: "&")) .<= Self.each(0x39 - 0x26)
    let plain = letters .| others .| (bytes .== Self.each(UInt8(ascii: "_")))
    // SAFETY: a mask is sixteen bytes, all ones or all zeros each.
    let halves = unsafeBitCast(plain, to: SIMD2<UInt64>.self)
    return halves.x & halves.y == .max
  }
}

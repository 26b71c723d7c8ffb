extension Span<UInt8> {
  /// Takes the scalar at `index`, which must be inside, and moves `index` behind it.
  /// As in `String`, the longest beginning of a scalar that breaks off is one U+FFFD.
  func takeScalar(at index: inout Int) -> UInt32 {
    let lead = self[index]
    index += 1
    if lead < 0x80 { return UInt32(lead) }
    let following: Int
    // Only the second byte has other limits than the rest: they exclude overlong forms,
    // surrogates and what is above U+10FFFF.
    var limits: ClosedRange<UInt8> = 0x80...0xBF
    switch lead {
    case 0xC2...0xDF: following = 1
    case 0xE0...0xEF:
      following = 2
      if lead == 0xE0 { limits = 0xA0...0xBF }
      if lead == 0xED { limits = 0x80...0x9F }
    case 0xF0...0xF4:
      following = 3
      if lead == 0xF0 { limits = 0x90...0xBF }
      if lead == 0xF4 { limits = 0x80...0x8F }
    default: return 0xFFFD
    }
    var value = UInt32(lead) & (0x3F >> UInt32(following))
    for _ in 0..<following {
      guard index < count, limits.contains(self[index]) else { return 0xFFFD }
      value = value << 6 | UInt32(self[index] & 0x3F)
      index += 1
      limits = 0x80...0xBF
    }
    return value
  }
}

import UnderstudyCore

extension JSONParser {
  struct NumberEnd {
    let place: Pointer
    /// It has neither a fraction nor an exponent.
    let isInteger: Bool
  }

  /// Whether the text is a number and nothing else.
  static func isNumber(_ text: String) -> Bool {
    let bytes = Array(text.utf8) + repeatElement(0, count: paddingCount)
    // SAFETY: the bytes are padded, and the pointer does not leave the closure.
    return bytes.withUnsafeBufferPointer { buffer in
      guard let start = buffer.baseAddress else { return false }
      let count = buffer.count - paddingCount
      let number = try? scanNumber(
        from: start, in: Text(start, count: count, paddingCount: paddingCount))
      return number?.place == start + count
    }
  }

  @inline(__always)
  static func scanNumber(from start: Pointer, in text: Text) throws(Stop) -> NumberEnd {
    var p = start
    if p.pointee == .hyphen { p += 1 }
    if p.pointee == .zero {
      p += 1
      if p.pointee.isDigit { throw Stop(.leadingZero, at: start) }
    } else {
      p = try scanDigits(from: p, in: text)
    }
    guard p.pointee == .period || p.pointee.isExponentMark else {
      return NumberEnd(place: p, isInteger: true)
    }
    if p.pointee == .period { p = try scanDigits(from: p + 1, in: text) }
    if p.pointee.isExponentMark {
      p += 1
      if p.pointee == .plus || p.pointee == .hyphen { p += 1 }
      p = try scanDigits(from: p, in: text)
    }
    return NumberEnd(place: p, isInteger: false)
  }

  /// Skips at least one digit.
  @inline(__always)
  private static func scanDigits(from start: Pointer, in text: Text) throws(Stop) -> Pointer {
    guard start.pointee.isDigit else { throw Stop(.digit, at: start) }
    var p = start + 1
    while p <= text.wordLimit {
      // A digit has 3 in its upper half, and keeps it when 6 is added.
      let word = p.word
      let others =
        (word & 0xF0F0_F0F0_F0F0_F0F0 | (word &+ 0x0606_0606_0606_0606) >> 4 & 0x0F0F_0F0F_0F0F_0F0F)
        ^ 0x3333_3333_3333_3333
      if others == 0 {
        p += 8
        continue
      }
      return p + others.trailingZeroBitCount >> 3
    }
    while p.pointee.isDigit { p += 1 }
    return p
  }
}

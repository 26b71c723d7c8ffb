import UnderstudyCore

extension JSONParser {
  /// The closing quote of a string, and whether there are escapes before it.
  struct StringEnd {
    let quote: Pointer
    let isEscaped: Bool

    func word(at offset: Int, from start: Pointer) -> UInt64 {
      TapeWord(
        isEscaped ? .escapedString : .string, offset: offset, length: quote - start &- 1
      ).bits
    }
  }

  /// Finds the end of a string whose opening quote precedes `start`.
  @inline(__always)
  static func scanString(from start: Pointer, in text: Text) throws(Stop) -> StringEnd {
    let p = skipPlain(from: start, in: text)
    if p < text.start + text.count, p.pointee == .quote {
      return StringEnd(quote: p, isEscaped: false)
    }
    return try scanUnusualString(from: p, in: text)
  }

  /// Continues at a byte that is neither plain ASCII nor the closing quote.
  private static func scanUnusualString(
    from start: Pointer, in text: Text
  ) throws(Stop) -> StringEnd {
    let end = text.start + text.count
    var p = start
    var isEscaped = false
    while p < end {
      switch p.pointee {
      case .quote: return StringEnd(quote: p, isEscaped: isEscaped)
      case .backslash:
        isEscaped = true
        p = try scanEscape(from: p)
      case 0x80...:
        repeat { p += try lengthOfScalar(at: p, in: text) } while p < end && p.pointee >= 0x80
      default: throw Stop(.stringEnd, at: p)
      }
      p = skipPlain(from: p, in: text)
    }
    throw Stop(.stringEnd, at: end)
  }

  /// Skips plain ASCII in a string, at most to the end of the text.
  @inline(__always)
  private static func skipPlain(from start: Pointer, in text: Text) -> Pointer {
    // Compared with vectors: comparisons with a scalar are not made into vector instructions.
    let quotes = SIMD16<UInt8>(repeating: .quote)
    let backslashes = SIMD16<UInt8>(repeating: .backslash)
    let spaces = SIMD16<UInt8>(repeating: .space)
    var p = start
    while p <= text.vectorLimit {
      let bytes = p.vector
      // Minus a space, plain bytes are below 0x60: control characters wrap around.
      let special =
        (bytes .== quotes) .| (bytes .== backslashes)
        .| (bytes &- spaces .>= SIMD16<UInt8>(repeating: 0x60))
      // SAFETY: a mask is sixteen bytes, all ones or all zeros each.
      let halves = unsafeBitCast(special, to: SIMD2<UInt64>.self)
      if halves.x != 0 { return p + halves.x.trailingZeroBitCount >> 3 }
      if halves.y != 0 { return p + 8 + halves.y.trailingZeroBitCount >> 3 }
      p += 16
    }
    let end = text.start + text.count
    while p < end, p.pointee >= .space, p.pointee < 0x80, p.pointee != .quote,
      p.pointee != .backslash
    { p += 1 }
    return p
  }

  private static func scanEscape(from backslash: Pointer) throws(Stop) -> Pointer {
    switch backslash[1] {
    case .quote, .backslash, .slash, UInt8(ascii: "b"), .letterF, .letterN, UInt8(ascii: "r"),
      .letterT:
      return backslash + 2
    case UInt8(ascii: "u"):
      let unit = try codeUnit(from: backslash)
      switch unit {
      case 0xD800..<0xDC00:
        let second = backslash + 6
        guard second.pointee == .backslash, second[1] == UInt8(ascii: "u"),
          0xDC00..<0xE000 ~= (try codeUnit(from: second))
        else { throw Stop(.surrogate, at: backslash) }
        return second + 6
      case 0xDC00..<0xE000: throw Stop(.surrogate, at: backslash)
      default: return backslash + 6
      }
    default: throw Stop(.escape, at: backslash)
    }
  }

  private static func codeUnit(from backslash: Pointer) throws(Stop) -> UInt32 {
    var unit: UInt32 = 0
    for k in 2..<6 {
      // A zero byte is not a digit either, so this cannot run past the padding.
      guard let digit = backslash[k].hexadecimalValue else {
        throw Stop(.hexadecimalEscape, at: backslash)
      }
      unit = unit << 4 | UInt32(digit)
    }
    return unit
  }
}

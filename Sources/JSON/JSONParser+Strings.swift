extension JSONParser {
  /// The closing quote of a string, and whether escapes stand before it.
  struct StringEnd {
    let quote: Pointer
    let isEscaped: Bool

    @inline(__always)
    func word(at offset: Int, from start: Pointer) -> UInt64 {
      TapeWord(
        isEscaped ? .escapedString : .string, offset: offset, length: quote - start &- 1
      ).bits
    }
  }

  /// Finds the end of a string whose opening quote stands just before.
  @inline(__always)
  static func scanString(from start: Pointer) throws(Stop) -> StringEnd {
    var p = start
    while true {
      let special = specialBytes(in: p.word)
      if special == 0 {
        p += 8
        continue
      }
      p += special.trailingZeroBitCount >> 3
      if p.pointee == .quote { return StringEnd(quote: p, isEscaped: false) }
      return try scanUnusualString(from: p)
    }
  }

  /// Goes on where a byte was met that is neither plain ASCII nor the closing quote.
  @inline(never)
  private static func scanUnusualString(from start: Pointer) throws(Stop) -> StringEnd {
    var p = start
    var isEscaped = false
    while true {
      let special = specialBytes(in: p.word)
      if special == 0 {
        p += 8
        continue
      }
      p += special.trailingZeroBitCount >> 3
      switch p.pointee {
      case .quote: return StringEnd(quote: p, isEscaped: isEscaped)
      case .backslash:
        isEscaped = true
        p = try scanEscape(from: p)
      case 0x80...:
        repeat { p += try lengthOfScalar(at: p) } while p.pointee >= 0x80
      default: throw Stop(.stringEnd, at: p)
      }
    }
  }

  /// The high bit of each byte that is a quote, a backslash, a control character or not ASCII.
  /// Bits above the lowest may be set wrongly: a borrow runs on upwards.
  @inline(__always)
  private static func specialBytes(in word: UInt64) -> UInt64 {
    let ones: UInt64 = 0x0101_0101_0101_0101
    let quotes = word ^ (ones &* UInt64(UInt8.quote))
    let backslashes = word ^ (ones &* UInt64(UInt8.backslash))
    let found =
      (quotes &- ones) & ~quotes | (backslashes &- ones) & ~backslashes
      | (word &- (ones &* UInt64(UInt8.space))) & ~word | word
    return found & (ones &* 0x80)
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
      // A zero byte is no digit either, so this cannot run past the padding.
      guard let digit = backslash[k].hexadecimalValue else {
        throw Stop(.hexadecimalEscape, at: backslash)
      }
      unit = unit << 4 | digit
    }
    return unit
  }
}

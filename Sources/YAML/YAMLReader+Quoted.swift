import UnderstudyCore

/// Scalars in single and double quotes.
extension YAMLReader {
  /// Reads a quoted scalar and writes it as a string.
  mutating func readQuoted() throws(Complaint) {
    output.append(.quote)
    if p.pointee == .quote { try readDoubleQuoted() } else { try readSingleQuoted() }
    output.append(.quote)
  }

  private mutating func readSingleQuoted() throws(Complaint) {
    let opening = p
    p += 1
    while true {
      let from = p
      while !isClass(p.pointee, ByteClass.singleQuoted) { p += 1 }
      switch p.pointee {
      case .apostrophe:
        output.appendEscaped(from: from, to: p)
        p += 1
        guard p.pointee == .apostrophe else { return }
        output.append(.apostrophe)
        p += 1
      case 0: throw unterminatedString(from: opening)
      default:
        output.appendEscaped(from: from, to: trimmed(from, p))
        fold(try skipLineBreaks(inStringFrom: opening))
      }
    }
  }

  private mutating func readDoubleQuoted() throws(Complaint) {
    let opening = p
    p += 1
    while true {
      let from = p
      while !isClass(p.pointee, ByteClass.doubleQuoted) { p += 1 }
      switch p.pointee {
      case .quote:
        output.appendEscaped(from: from, to: p)
        p += 1
        return
      case .backslash:
        output.appendEscaped(from: from, to: p)
        if p[1].isLineEnd, p + 1 < end {
          p += 1
          output.appendLineBreaks(try skipLineBreaks(inStringFrom: opening) - 1)
        } else {
          try readEscape(inStringFrom: opening)
        }
      case 0: throw unterminatedString(from: opening)
      default:
        output.appendEscaped(from: from, to: trimmed(from, p))
        fold(try skipLineBreaks(inStringFrom: opening))
      }
    }
  }

  private func trimmed(_ from: Pointer, _ end: Pointer) -> Pointer {
    var end = end
    while end > from, end[-1].isBlank { end -= 1 }
    return end
  }

  /// Skips line breaks, blank lines and the indentation of the next line; how many breaks it were.
  private mutating func skipLineBreaks(inStringFrom opening: Pointer) throws(Complaint) -> Int {
    var count = 0
    while true {
      skipLineBreak()
      count += 1
      while p.pointee == .space { p += 1 }
      let indentation = column
      skipBlanks()
      if p == end { throw unterminatedString(from: opening) }
      if p.pointee.isLineEnd { continue }
      if p == lineStart, isMarker(p) { throw unterminatedString(from: opening) }
      guard indentation > top.indentation else {
        throw lineInString(from: opening)
      }
      return count
    }
  }

  // MARK: - Escapes

  private mutating func readEscape(inStringFrom opening: Pointer) throws(Complaint) {
    let place = p
    p += 2
    let scalar: UInt32
    switch place[1] {
    case UInt8(ascii: "0"): scalar = 0
    case UInt8(ascii: "a"): scalar = 0x07
    case UInt8(ascii: "b"): scalar = 0x08
    case UInt8(ascii: "t"), .tab: scalar = 0x09
    case UInt8(ascii: "n"): scalar = 0x0A
    case UInt8(ascii: "v"): scalar = 0x0B
    case UInt8(ascii: "f"): scalar = 0x0C
    case UInt8(ascii: "r"): scalar = 0x0D
    case UInt8(ascii: "e"): scalar = 0x1B
    case .space, .quote, .slash, .backslash: scalar = UInt32(place[1])
    case UInt8(ascii: "N"): scalar = 0x85
    case UInt8(ascii: "_"): scalar = 0xA0
    case UInt8(ascii: "L"): scalar = 0x2028
    case UInt8(ascii: "P"): scalar = 0x2029
    case UInt8(ascii: "x"): scalar = try readCode(digitCount: 2, of: place)
    case UInt8(ascii: "u"): scalar = try readPair(from: place)
    case UInt8(ascii: "U"): scalar = try readCode(digitCount: 8, of: place)
    case 0: throw unterminatedString(from: opening)
    default: throw invalidEscape(at: place)
    }
    guard let character = Unicode.Scalar(scalar) else { throw loneSurrogate(at: place) }
    output.appendEscaped(character)
  }

  /// Two halves of a surrogate pair make one character, as in JSON.
  private mutating func readPair(from place: Pointer) throws(Complaint) -> UInt32 {
    let high = try readCode(digitCount: 4, of: place)
    guard 0xD800..<0xDC00 ~= high, p.pointee == .backslash, p[1] == UInt8(ascii: "u") else {
      return high
    }
    p += 2
    let low = try readCode(digitCount: 4, of: p - 2)
    guard 0xDC00..<0xE000 ~= low else { throw loneSurrogate(at: place) }
    return 0x10000 + (high - 0xD800) << 10 + (low - 0xDC00)
  }

  private mutating func readCode(digitCount: Int, of place: Pointer) throws(Complaint) -> UInt32 {
    var code: UInt32 = 0
    for _ in 0..<digitCount {
      guard let digit = p.pointee.hexadecimalValue else {
        throw shortEscape(at: place, digitCount: digitCount)
      }
      code = code << 4 | UInt32(digit)
      p += 1
    }
    return code
  }
}

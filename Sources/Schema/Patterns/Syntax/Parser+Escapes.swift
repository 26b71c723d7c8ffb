import UnderstudyCore

extension Parser {
  /// What a backslash introduces outside a class, except `\b` and `\B`.
  mutating func escape() throws(PatternError) -> Node {
    let start = index
    if let target = try takeReference() {
      groups.references.append(
        Groups.BackReference(offset: start, quoted: quoted(from: start), target: target))
      refuse(
        PatternError(
          at: start,
          "backreference \(quoted(from: start)) takes more than linear time",
          fix: "write out what the group may match"))
      return .sequence([])
    }
    switch try escapedAtom() {
    case .scalar(let value): return .set(ScalarSet(value))
    case .set(let set): return .set(set)
    }
  }

  private mutating func takeReference() throws(PatternError) -> Groups.BackReference.Target? {
    guard let next = peek(1) else { return nil }
    if ("1"..."9").contains(next) {
      index += 1
      return takeNumber().map { .number($0) }
    }
    guard next == "k" else { return nil }
    let start = index
    index += 2
    guard take("<") else {
      throw PatternError(
        at: start, "found escape \"\\k\", expected a group's name, as in \\k<name>")
    }
    return .name(try groupName())
  }

  /// One scalar, which may end a range, or several, which may not.
  enum Atom {
    case scalar(UInt32)
    case set(ScalarSet)
  }

  /// What a backslash introduces both inside and outside a class.
  mutating func escapedAtom() throws(PatternError) -> Atom {
    let start = index
    guard let letter = peek(1) else {
      throw PatternError(
        at: start, "found \"\\\" at the end, expected a character after it",
        fix: "write \\\\ for the character itself")
    }
    index += 2
    switch letter {
    case "d": return .set(.digits)
    case "D": return .set(ScalarSet.digits.inverted)
    case "w": return .set(.word)
    case "W": return .set(ScalarSet.word.inverted)
    case "s": return .set(.whitespace)
    case "S": return .set(ScalarSet.whitespace.inverted)
    case "p": return .set(try property(from: start))
    case "P": return .set(try property(from: start).inverted)
    case "t": return .scalar(0x09)
    case "n": return .scalar(0x0A)
    case "v": return .scalar(0x0B)
    case "f": return .scalar(0x0C)
    case "r": return .scalar(0x0D)
    case "0": return .scalar(try null(from: start))
    case "c": return .scalar(try control(from: start))
    case "x": return .scalar(try twoDigits(from: start))
    case "u": return .scalar(try unicodeEscape(from: start))
    case "^", "$", "\\", ".", "*", "+", "?", "(", ")", "[", "]", "{", "}", "|", "/":
      return .scalar(letter.value)
    default: throw unknownEscape(letter, from: start)
    }
  }

  private func unknownEscape(_ letter: Unicode.Scalar, from start: Int) -> PatternError {
    let fix =
      switch letter {
      case "A": "write ^ for the start of the text"
      case "z", "Z": "write $ for the end of the text"
      case "h": "write [ \\t] for horizontal space"
      default: "write \(letter) for the character itself"
      }
    return PatternError(
      at: start, "ECMAScript has no escape \(quoted(from: start))", fix: fix)
  }

  private mutating func null(from start: Int) throws(PatternError) -> UInt32 {
    if let next = peek, ("0"..."9").contains(next) {
      index += 1
      throw PatternError(
        at: start, "found escape \(quoted(from: start)), expected no digit after \\0",
        fix: "write an octal number in hexadecimal, as in \\x1F")
    }
    return 0
  }

  private mutating func control(from start: Int) throws(PatternError) -> UInt32 {
    guard let letter = peek, letter.isASCII, letter.properties.isAlphabetic else {
      throw malformed(from: start, expected: "a letter from A to Z")
    }
    index += 1
    return letter.value % 32
  }

  private mutating func twoDigits(from start: Int) throws(PatternError) -> UInt32 {
    guard let value = takeHexadecimal(digits: 2) else {
      throw malformed(from: start, expected: "two hexadecimal digits")
    }
    return value
  }

  /// What follows `\u`: four digits, two surrogates of four digits each, or any number in braces.
  mutating func unicodeEscape(from start: Int) throws(PatternError) -> UInt32 {
    if take("{") { return try bracedNumber(from: start) }
    guard let value = takeHexadecimal(digits: 4) else {
      throw malformed(from: start, expected: "four hexadecimal digits, or some in braces")
    }
    guard (0xD800...0xDBFF).contains(value), peek == "\\", peek(1) == "u" else { return value }
    let afterFirst = index
    index += 2
    guard let second = takeHexadecimal(digits: 4), (0xDC00...0xDFFF).contains(second) else {
      // A lone surrogate is valid, but no text contains one.
      index = afterFirst
      return value
    }
    return 0x10000 + (value - 0xD800) << 10 + (second - 0xDC00)
  }

  private mutating func bracedNumber(from start: Int) throws(PatternError) -> UInt32 {
    var value: UInt32?
    while let digit = peek?.hexadecimalValue {
      index += 1
      value = min((value ?? 0) * 16 + digit, 0x110000)
    }
    guard let value, take("}") else {
      throw malformed(from: start, expected: "hexadecimal digits and \"}\"")
    }
    guard value <= ScalarSet.valueMax else {
      throw PatternError(
        at: start, "found escape \(quoted(from: start)), expected at most \\u{10FFFF}")
    }
    return value
  }

  private mutating func takeHexadecimal(digits: Int) -> UInt32? {
    var value: UInt32 = 0
    for distance in 0..<digits {
      guard let digit = peek(distance)?.hexadecimalValue else { return nil }
      value = value * 16 + digit
    }
    index += digits
    return value
  }

  /// Quotes the escape with the first character that does not belong to it.
  private mutating func malformed(from start: Int, expected: String) -> PatternError {
    index = start + 2
    _ = take("{")
    while peek?.hexadecimalValue != nil { index += 1 }
    index = min(index + 1, source.count)
    return PatternError(at: start, "found escape \(quoted(from: start)), expected \(expected)")
  }
}

extension Unicode.Scalar {
  fileprivate var hexadecimalValue: UInt32? {
    switch self {
    case "0"..."9": value - 0x30
    case "A"..."F": value - 0x41 + 10
    case "a"..."f": value - 0x61 + 10
    default: nil
    }
  }
}

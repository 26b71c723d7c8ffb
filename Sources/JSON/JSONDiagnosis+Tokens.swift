import UnderstudyCore

/// Failures within a token: strings, numbers, words, encoding.
extension JSONDiagnosis {
  var valueError: JSONError {
    if let error = commentError ?? commaError ?? quoteError { return error }
    let first = byte(at: offset)
    if first.isWordByte { return wordError(at: offset) }
    if first == .closeBrace || first == .closeBracket {
      if tokenEnd(before: offset).map({ byte(at: $0) }) == .colon {
        return make(.unexpectedText, "found \(found(at: offset)), expected a value after \":\"")
      }
      return mismatchError
    }
    let found = first == UInt8(ascii: "<") ? "\"<\", as in HTML or XML" : found(at: offset)
    return make(.unexpectedText, "found \(found), expected a value")
  }

  /// Quotes of the wrong kind.
  var quoteError: JSONError? {
    let expected = failure.reason == .key ? "a key in double quotes" : "a string in double quotes"
    if byte(at: offset) == UInt8(ascii: "'") {
      let inside = quotedText(at: offset).map { $0.dropFirst().dropLast() }
      return make(
        .singleQuotes, "found text in single quotes, expected \(expected)",
        fix: inside.map { "write \(cut(JSONWriter.quoted(String($0))))" } ?? "write double quotes")
    }
    guard let scalar = scalar(at: offset), "“”„‘’«»".unicodeScalars.contains(scalar) else {
      return nil
    }
    return make(
      .singleQuotes, "found \(Self.name(of: scalar)), expected \(expected)",
      fix: "write straight double quotes")
  }

  var wordStart: Int {
    (source[..<offset].lastIndex { !$0.isWordByte } ?? -1) + 1
  }

  /// A word that is not a literal, or a number that breaks the grammar.
  func wordError(at start: Int) -> JSONError {
    let word = word(at: start)
    let plain = word.first.map { "+-".contains($0) } == true ? String(word.dropFirst()) : word
    switch plain.lowercased() {
    case "nan", "infinity", "inf":
      return make(
        .notFinite, at: start, "found \(word), expected a finite number",
        fix: "write null, or the string \"\(word)\"")
    case "true", "false", "null":
      return make(
        .unknownWord, at: start, "found \(word), expected true, false or null in lowercase",
        fix: "write \(plain.lowercased())")
    case "none", "nil", "undefined":
      return make(
        .unknownWord, at: start, "found \(word), expected a value", fix: "write null")
    default: break
    }
    if byte(at: start).isDigit || "+-.".utf8.contains(byte(at: start)) {
      return numberError(at: start)
    }
    let literal = Spelling.nearest(to: word, among: ["true", "false", "null"])
    return make(
      .unknownWord, at: start, "found \(cut(word)), expected a value",
      fix: "write \(literal ?? "\"\(cut(word))\" if it is a string")")
  }

  func numberError(at start: Int) -> JSONError {
    let word = word(at: start)
    let repaired = Self.repaired(number: word)
    let expected =
      switch word.utf8.first {
      case .plus: "a number without a plus sign"
      case .period: "a digit before the decimal point"
      default:
        if word.utf8.drop(while: { $0 == .hyphen }).first == .zero,
          word.utf8.drop(while: { $0 == .hyphen }).dropFirst().first?.isDigit == true
        {
          "a number without leading zeros"
        } else if failure.reason == .digit, offset > start, byte(at: offset - 1) == .period {
          "a digit after the decimal point"
        } else if failure.reason == .digit, offset > start {
          byte(at: start + 1) == byte(at: offset) || word == "-"
            ? "a digit after the minus sign" : "a digit in the exponent"
        } else {
          "a number such as 12, -0.5 or 1e6"
        }
      }
    return make(
      .malformedNumber, at: start, "found \(cut(word)), expected \(expected)",
      fix: repaired.map { "write \($0)" })
  }

  /// The number that was probably meant.
  private static func repaired(number: String) -> String? {
    if number.lowercased().hasPrefix("0x") {
      return Int(number.dropFirst(2), radix: 16).map(String.init)
    }
    var body = number.replacing("_", with: "")[...]
    let sign = body.first == "-" ? "-" : ""
    if body.first == "+" || body.first == "-" { body = body.dropFirst() }
    while body.first == "0", body.dropFirst().first?.isNumber == true { body = body.dropFirst() }
    var text = String(body)
    if text.first == "." { text = "0" + text }
    if text.last == "." { text += "0" }
    text = text.replacing(".e", with: ".0e").replacing(".E", with: ".0E")
    return JSONNumber(sign + text).map(\.text)
  }

  // MARK: - Strings

  var stringError: JSONError {
    switch failure.reason {
    case .escape: return escapeError
    case .hexadecimalEscape:
      return make(
        .invalidEscape,
        "found \(escapeText(lengthMax: 6)), expected four hexadecimal digits "
          + "after \\u", fix: nil)
    case .surrogate:
      return make(
        .loneSurrogate,
        "found \(escapeText(lengthMax: 6)), half of a surrogate pair, "
          + "expected both halves",
        fix: "write the character itself, or both halves as in \\ud83d\\ude00")
    default: break
    }
    let start = stringStart
    if isAtEnd {
      return make(
        .unterminatedString, at: start,
        "found a string without an end, expected \"\\\"\" to close it",
        fix: "add the closing quote")
    }
    switch byte(at: offset) {
    case .newline, .carriageReturn:
      return make(
        .unterminatedString,
        "found a line break in the string opened at \(position(of: start)), "
          + "expected \"\\\"\" to close it",
        fix: "add the closing quote, or write the line break as \\n")
    case .tab:
      return make(
        .controlCharacter, "found a tab in a string, expected it escaped", fix: "write \\t")
    case let byte:
      let digits = String(byte, radix: 16, uppercase: false)
      return make(
        .controlCharacter,
        "found \(Self.name(of: Unicode.Scalar(byte))) in a string, expected it escaped",
        fix: "write \\u" + String(repeating: "0", count: 4 - digits.count) + digits)
    }
  }

  private var escapeError: JSONError {
    guard offset + 1 < source.count else {
      return make(
        .unterminatedString, at: stringStart,
        "found a string without an end, expected \"\\\"\" to close it",
        fix: "add the closing quote")
    }
    let escape = escapeText(lengthMax: 2)
    return make(
      .invalidEscape,
      "found the escape \(escape), expected \\\" \\\\ \\/ \\b \\f \\n \\r \\t or \\u",
      fix: byte(at: offset + 1) == UInt8(ascii: "'")
        ? "write ' without a backslash" : "write \\\\ if a backslash is meant")
  }

  /// The escape at the failure, as far as it is valid.
  private func escapeText(lengthMax: Int) -> String {
    let rest = source[offset...].prefix(24)
    let end = rest.dropFirst().firstIndex { $0 < 0x21 || $0 == .quote } ?? rest.endIndex
    return String(String(decoding: source[offset..<end], as: UTF8.self).prefix(lengthMax))
  }

  /// The opening quote of the string that the failure is in: strings contain no line breaks, so
  /// only quotes on this line count.
  private var stringStart: Int {
    let lineStart = (source[..<offset].lastIndex(of: .newline) ?? -1) + 1
    var (start, i): (Int?, Int) = (nil, lineStart)
    while i < offset {
      switch source[i] {
      case .quote: start = start == nil ? i : nil
      case .backslash where start != nil: i += 1
      default: break
      }
      i += 1
    }
    return start ?? offset
  }

  // MARK: - Encoding

  var encodingError: JSONError? {
    if source.starts(with: [0xEF, 0xBB, 0xBF]) {
      return make(
        .byteOrderMark, at: 0, "found a byte order mark, expected a value",
        fix: "save the file as UTF-8 without a byte order mark")
    }
    // Two ASCII characters in UTF-16 make every other byte zero.
    let head = source.prefix(4)
    let hasMark = head.starts(with: [0xFF, 0xFE]) || head.starts(with: [0xFE, 0xFF])
    let zeros = head.indices.filter { head[$0] == 0 }
    guard hasMark || zeros.starts(with: [0, 2]) || zeros.suffix(2) == [1, 3] else { return nil }
    return make(
      .invalidUTF8, at: 0, "found text in UTF-16 or UTF-32, expected UTF-8",
      fix: "save the file as UTF-8")
  }

  /// A byte that is not valid anywhere in JSON.
  var badCharacterError: JSONError? {
    guard !isAtEnd, failure.reason != .stringEnd else { return nil }
    let first = byte(at: offset)
    if first >= 0x80 {
      guard let scalar = scalar(at: offset) else { return invalidUTF8Error(at: offset) }
      guard [.spaceSeparator, .format].contains(scalar.properties.generalCategory) else {
        return nil
      }
      return make(
        .unexpectedText, "found \(Self.name(of: scalar)), expected \(expectation)",
        fix: "write an ordinary space, or remove it")
    }
    guard first < 0x20, !first.isWhitespace else { return nil }
    return make(
      .controlCharacter,
      "found \(Self.name(of: Unicode.Scalar(first))), expected \(expectation)", fix: "remove it")
  }

  func invalidUTF8Error(at offset: Int) -> JSONError {
    let digits = String(byte(at: offset), radix: 16, uppercase: true)
    return make(
      .invalidUTF8, at: offset,
      "found byte 0x\(digits), which is not UTF-8 here, "
        + "expected text in UTF-8",
      fix: "save the text as UTF-8")
  }
}

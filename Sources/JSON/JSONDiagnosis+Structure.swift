import UnderstudyCore

/// Failures between the tokens: commas, colons, brackets, keys, comments.
extension JSONDiagnosis {
  /// The text ends while something is open.
  var endError: JSONError {
    if source.allSatisfy(\.isWhitespace) {
      return make(
        .empty, "found \(source.isEmpty ? "an empty text" : "only whitespace"), expected a value")
    }
    guard let openContainer else {
      return make(.unexpectedEnd, "found the end of the text, expected \":\" and a value")
    }
    let last = tokenEnd(before: offset)
    if let last, failure.reason != .separator, byte(at: last) == .comma {
      return make(
        .unexpectedEnd, "found the end of the text, expected more of \(openContainer)",
        fix: "remove the last comma and add \"\(closingBracket)\"")
    }
    let isFirst = last == failure.opening
    let expected =
      switch failure.reason {
      case .separator: "\",\" or \"\(closingBracket)\""
      case .key: "a key or \"}\""
      default: isFirst ? "a value or \"]\"" : "a value"
      }
    return make(
      .unexpectedEnd, "found the end of the text, expected \(expected) for \(openContainer)",
      fix: failure.reason == .value && !isFirst ? nil : "add \"\(closingBracket)\"")
  }

  var commentError: JSONError? {
    let next = byte(at: offset + 1)
    let isComment =
      byte(at: offset) == .slash && (next == .slash || next == UInt8(ascii: "*"))
      || byte(at: offset) == UInt8(ascii: "#")
    guard isComment else { return nil }
    return make(
      .comment, "found a comment, expected \(expectation)",
      fix: "remove it: JSON has no comments")
  }

  /// What the parser expected.
  var expectation: String {
    switch failure.reason {
    case .key:
      tokenEnd(before: offset).map { byte(at: $0) } == .openBrace
        ? "a key in double quotes or \"}\"" : "a key in double quotes"
    case .colon: "\":\" after the key"
    case .separator: "\",\" or \"\(closingBracket)\""
    case .end: "nothing after the value"
    default: "a value"
    }
  }

  /// A comma followed by nothing, another comma or a closing bracket.
  var commaError: JSONError? {
    let found = byte(at: offset)
    if found == .comma {
      let isSecond = tokenEnd(before: offset).map { byte(at: $0) } == .comma
      return make(
        .unexpectedText,
        "found \(isSecond ? "a second comma" : "a comma"), expected \(expectation)",
        fix: "remove the comma")
    }
    guard found == .closeBrace || found == .closeBracket,
      let last = tokenEnd(before: offset), byte(at: last) == .comma
    else { return nil }
    let bracket = found == .closeBrace ? "}" : "]"
    return make(
      .trailingComma, at: last, "found a comma before \"\(bracket)\", expected no comma there",
      fix: "remove the comma")
  }

  var keyError: JSONError {
    if let error = commentError ?? commaError ?? quoteError { return error }
    let first = byte(at: offset)
    if first.isWordByte {
      let word = word(at: offset)
      return make(
        .unquotedKey, "found the key \(cut(word)) without quotes, expected \(expectation)",
        fix: "write \"\(cut(word))\"")
    }
    if first == .closeBracket { return mismatchError }
    return make(.unexpectedText, "found \(found(at: offset)), expected \(expectation)")
  }

  var colonError: JSONError {
    if let error = commentError { return error }
    let first = byte(at: offset)
    let fix =
      switch first {
      case UInt8(ascii: "="): "write \":\" instead of \"=\""
      case .comma, .closeBrace: "add \":\" and a value"
      default: "add \":\" before it"
      }
    return make(
      .missingColon, "found \(found(at: offset)), expected \(expectation)", fix: fix)
  }

  var separatorError: JSONError {
    if let error = commentError { return error }
    let first = byte(at: offset)
    if first == .closeBrace || first == .closeBracket { return mismatchError }
    // `01` and `1.e` fail inside the number, `truex` and `12ab` after it.
    if offset > 0, byte(at: offset - 1).isWordByte, first.isWordByte {
      return wordError(at: wordStart)
    }
    let startsValue =
      first == .quote || first.isWordByte || first == .openBrace || first == .openBracket
    let fix =
      switch first {
      case UInt8(ascii: ";"): "write \",\" instead of \";\""
      case .colon where closingBracket == "]": "use { } for keys with values"
      default: startsValue ? "add a comma before it" : nil as String?
      }
    return make(
      startsValue ? .missingComma : .unexpectedText,
      "found \(found(at: offset)), expected \(expectation)", fix: fix)
  }

  var mismatchError: JSONError {
    guard let openContainer else {
      return make(
        .mismatchedBracket, "found \(found(at: offset)), expected \(expectation)",
        fix: "remove it")
    }
    return make(
      .mismatchedBracket,
      "found \(found(at: offset)), expected \"\(closingBracket)\" to close \(openContainer)",
      fix: "write \"\(closingBracket)\"")
  }

  var trailingTextError: JSONError {
    if let error = commentError { return error }
    let first = byte(at: offset)
    if offset > 0, byte(at: offset - 1).isWordByte, first.isWordByte {
      return wordError(at: wordStart)
    }
    let fix =
      switch first {
      case .openBrace, .openBracket, .quote:
        "remove it, or make one array of both values"
      default: "remove it"
      }
    return make(
      .textAfterEnd,
      "found \(found(at: offset)) after the end of the value, "
        + "expected nothing more", fix: fix)
  }
}

import UnderstudyCore

/// Complaints about scalars and flow collections.
extension YAMLReader {
  func badStart() -> Complaint {
    let byte = p.pointee
    if byte == 0 {
      return complaint(.unexpectedText, at: p, "found the end of the text, expected a value")
    }
    let sign = "\"\(Character(Unicode.Scalar(byte)))\""
    switch byte {
    case .at, .percent, UInt8(ascii: "`"):
      return complaint(
        .reservedCharacter, at: p, "found \(sign) at the beginning of text, expected it in quotes",
        fix: "put the text in quotes")
    case .closeBrace, .closeBracket:
      return complaint(
        .mismatchedBracket, at: p,
        "found \(sign), expected a value, since no \"\(byte == .closeBrace ? "{" : "[")\" is open",
        fix: "remove it, or put the text in quotes")
    case .comma:
      return complaint(
        .unexpectedText, at: p, "found a comma, expected a value",
        fix: "remove it, or put the text in quotes")
    case .hyphen, .questionMark, .colon:
      return complaint(
        .unexpectedText, at: p, "found \(sign) within brackets, expected a value",
        fix: byte == .hyphen
          ? "remove it: brackets have commas between values" : "put it in quotes if it is text")
    case .bar, .greater:
      return complaint(
        .blockScalar, at: p,
        "found \(sign) within brackets or as a key, expected text in quotes or on the line",
        fix: "put the text in quotes")
    default:
      return complaint(
        .unexpectedText, at: p, "found \(sign), expected a value",
        fix: "put the text in quotes")
    }
  }

  // MARK: - Quoted scalars

  func unterminatedString(from opening: Pointer) -> Complaint {
    let isDouble = opening.pointee == .quote
    let name = isDouble ? "double" : "single"
    let reason =
      p == end ? "the end of the text" : "the end of the document"
    return complaint(
      .unterminatedString, at: opening,
      "found \(reason) within the text in \(name) quotes that begins here, "
        + "expected \(isDouble ? "\"\\\"\"" : "\"'\"") to close it",
      fix: "add the closing quote")
  }

  func lineInString(from opening: Pointer) -> Complaint {
    if p > lineStart, p[-1] == .tab { return tabInIndentation(at: p - 1) }
    let quote = opening.pointee == .quote ? "\"\\\"\"" : "\"'\""
    return complaint(
      .indentation, at: p,
      "found \(found(p)) within the text in quotes that begins at \(position(offset(opening))), "
        + "expected \(quote) to close it, or more indentation",
      fix: "add the closing quote, or indent the line more")
  }

  func invalidEscape(at place: Pointer) -> Complaint {
    var last = place + 1
    repeat { last += 1 } while last.pointee & 0xC0 == 0x80
    return complaint(
      .invalidEscape, at: place,
      "found the escape \(string(place, last)), expected one such as \\n, \\t, \\\", \\\\ or \\u00e9",
      fix: place[1] == .apostrophe
        ? "write ' without a backslash"
        : "write \\\\ if a backslash is meant, or single quotes around the text")
  }

  func shortEscape(at place: Pointer, digitCount: Int) -> Complaint {
    complaint(
      .invalidEscape, at: place,
      "found \(string(place, p)), expected \(digitCount) hexadecimal digits after "
        + "\(string(place, place + 2))",
      fix: "write \\\\ if a backslash is meant, or single quotes around the text")
  }

  func loneSurrogate(at place: Pointer) -> Complaint {
    complaint(
      .loneSurrogate, at: place,
      "found \(string(place, p)), which is not a character, expected one up to \\U0010ffff",
      fix: "write the character itself")
  }

  func badHeader(of place: Pointer) -> Complaint {
    let isComment = p.pointee == .hash
    return complaint(
      .blockScalar, at: p,
      "found \(found(p)) after \"\(Character(Unicode.Scalar(place.pointee)))\", expected "
        + (isComment
          ? "a space before a comment"
          : "the end of the line, or + or - and the number of spaces of indentation"),
      fix: isComment
        ? "add a space before it" : "begin the text on the next line, or put it in quotes")
  }

  // MARK: - Flow collections

  private var openCollection: String {
    let opening = start + top.offset
    return "the \(opening.pointee == .openBrace ? "mapping" : "sequence") opened at "
      + "\(position(top.offset))"
  }

  /// The bracket that closes what is open; a pair ends with the sequence around it.
  private var closingBracket: String { top.kind == .flowMapping ? "}" : "]" }

  func unterminatedCollection() -> Complaint {
    let frame = top.kind == .flowPair ? frames[frames.count - 1] : top
    return Complaint(
      .unterminatedCollection, at: frame.offset,
      "found \(p == end ? "the end of the text" : "the end of the document") within the "
        + "\(frame.kind == .flowMapping ? "mapping" : "sequence") that begins here, expected "
        + "\"\(closingBracket)\" to close it",
      fix: "add \"\(closingBracket)\"")
  }

  func mismatchedBracket() -> Complaint {
    complaint(
      .mismatchedBracket, at: p,
      "found \"\(Character(Unicode.Scalar(p.pointee)))\", expected \"\(closingBracket)\" to close "
        + openCollection, fix: "write \"\(closingBracket)\"")
  }

  func secondComma() -> Complaint {
    complaint(
      .unexpectedText, at: p,
      "found \(top.hasEntries ? "a second comma" : "a comma"), expected a value or "
        + "\"\(closingBracket)\"", fix: "remove the comma")
  }

  func missingComma() -> Complaint {
    if p.pointee == .closeBrace || p.pointee == .closeBracket { return mismatchedBracket() }
    if p.pointee == .colon {
      return complaint(
        .complexKey, at: p,
        "found \":\" after a value in \(openCollection), expected \",\" or \"\(closingBracket)\"",
        fix: "write a key as text on one line, with \": \" and its value")
    }
    return complaint(
      .missingComma, at: p,
      "found \(found(p)), expected \",\" or \"\(closingBracket)\" for \(openCollection)",
      fix: "add a comma before it, or close it with \"\(closingBracket)\"")
  }

  func hashInFlow() -> Complaint {
    complaint(
      .unexpectedText, at: p,
      "found \"#\" without a space before it, expected a space before a comment",
      fix: "add a space before it")
  }

  func lineInFlow() -> Complaint {
    complaint(
      .indentation, at: p,
      "found \(found(p)) with too little indentation for \(openCollection), expected "
        + "at least \((top.indentation + 1).of("space"))",
      fix: "indent the line more, or close it with \"\(closingBracket)\" before")
  }
}

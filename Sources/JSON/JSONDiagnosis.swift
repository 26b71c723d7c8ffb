import UnderstudyCore

/// Describes a parser's failure by examining the text around it.
///
/// It runs at most once for a text, so its speed does not matter.
struct JSONDiagnosis {
  /// Where a text went wrong, in offsets.
  struct Failure {
    let reason: JSONParser.Stop.Reason
    let offset: Int
    let opening: Int?
  }

  let source: [UInt8]
  let failure: Failure
  let depthMax: Int
  private let places: SourcePlaces

  init(of source: [UInt8], _ failure: Failure, depthMax: Int) {
    self.source = source
    self.failure = failure
    self.depthMax = depthMax
    places = SourcePlaces(of: source)
  }

  var offset: Int { failure.offset }

  var error: JSONError {
    if let error = encodingError ?? badCharacterError { return error }
    return switch failure.reason {
    case .value: isAtEnd ? endError : valueError
    case .key: isAtEnd ? endError : keyError
    case .colon: isAtEnd ? endError : colonError
    case .separator: isAtEnd ? endError : separatorError
    case .end: trailingTextError
    case .stringEnd, .escape, .hexadecimalEscape, .surrogate: stringError
    case .digit, .leadingZero: wordError(at: wordStart)
    case .encoding: invalidUTF8Error(at: offset)
    case .depth:
      make(
        .tooDeep,
        "found arrays and objects nested deeper than \(depthMax) levels, "
          + "expected at most \(depthMax)")
    }
  }

  func make(
    _ kind: JSONError.Kind, at place: Int? = nil, _ message: String, fix: String? = nil
  ) -> JSONError {
    let place = place ?? offset
    return JSONError(
      kind, at: place, places.position(ofByte: place, in: source), message, fix: fix)
  }

  func position(of offset: Int) -> SourcePosition {
    places.position(ofByte: offset, in: source)
  }

  // MARK: - Text around the failure

  var isAtEnd: Bool { offset >= source.count }

  func byte(at offset: Int) -> UInt8 { source.indices.contains(offset) ? source[offset] : 0 }

  func text(_ range: Range<Int>) -> String { String(decoding: source[range], as: UTF8.self) }

  /// The letters, digits and signs from here on.
  func word(at start: Int) -> String {
    let end = source[start...].firstIndex { !$0.isWordByte } ?? source.count
    return text(start..<end)
  }

  /// The offset of the last byte before this one that is not whitespace.
  func tokenEnd(before offset: Int) -> Int? {
    source[..<offset].lastIndex { !$0.isWhitespace }
  }

  /// The string that starts here, with its quotes, if it ends on the same line.
  func quotedText(at start: Int) -> String? {
    let quote = byte(at: start)
    var i = start + 1
    while i < source.count, source[i] != .newline {
      if source[i] == quote { return text(start..<i + 1) }
      i += source[i] == .backslash ? 2 : 1
    }
    return nil
  }

  /// What is here, as messages name it.
  func found(at offset: Int) -> String {
    guard source.indices.contains(offset) else { return "the end of the text" }
    switch source[offset] {
    case .quote: return cut("string \(quotedText(at: offset) ?? "\"")")
    case .hyphen, .zero...(.nine): return cut("number \(word(at: offset))")
    case let byte where byte.isWordByte: return cut(word(at: offset))
    case let byte where byte < 0x80: return "\"\(Character(Unicode.Scalar(byte)))\""
    default: return scalar(at: offset).map(Self.name) ?? "bytes that are not UTF-8"
    }
  }

  /// Cuts by scalars, since one grapheme may be as long as the text.
  func cut(_ text: String) -> String {
    let start = text.unicodeScalars.prefix(60)
    return start.endIndex == text.endIndex ? text : String(start) + "…"
  }

  func scalar(at offset: Int) -> Unicode.Scalar? {
    var decoder = UTF8()
    var bytes = source[offset...].makeIterator()
    guard case .scalarValue(let scalar) = decoder.decode(&bytes) else { return nil }
    return scalar
  }

  static func name(of scalar: Unicode.Scalar) -> String {
    let digits = String(scalar.value, radix: 16, uppercase: true)
    let code = "U+" + String(repeating: "0", count: max(0, 4 - digits.count)) + digits
    switch scalar.properties.generalCategory {
    case .control, .format, .spaceSeparator, .lineSeparator, .paragraphSeparator, .unassigned,
      .privateUse, .nonspacingMark, .enclosingMark:
      return scalar.properties.name.map { "\(code) (\($0.lowercased()))" } ?? code
    default: return "\"\(scalar)\" (\(code))"
    }
  }

  // MARK: - Brackets

  /// `the array opened at 1:5`, for the innermost bracket open at the failure.
  var openContainer: String? {
    failure.opening.map { opening in
      let kind = byte(at: opening) == .openBrace ? "object" : "array"
      return "the \(kind) opened at \(position(of: opening))"
    }
  }

  var closingBracket: String {
    failure.opening.map { byte(at: $0) == .openBrace ? "}" : "]" } ?? ""
  }
}

extension UInt8 {
  /// The bytes of words and numbers, valid or not.
  var isWordByte: Bool {
    switch self {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      .zero...(.nine), UInt8(ascii: "_"), UInt8(ascii: "$"), .plus, .hyphen, .period:
      true
    default: false
    }
  }
}

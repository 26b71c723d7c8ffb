import UnderstudyCore
import UnderstudyJSON

/// What the complaints of all parts are made of, and those about structure.
extension YAMLReader {
  func complaint(
    _ kind: YAMLError.Kind, at place: Pointer, _ message: String, fix: String? = nil
  ) -> Complaint {
    Complaint(kind, at: offset(place), message, fix: fix)
  }

  func position(_ offset: Int) -> SourcePosition { origin.position(ofByte: offset) }

  /// What is here up to the end of the line, as messages quote it.
  func found(_ place: Pointer) -> String {
    if place == end { return "the end of the text" }
    if place.pointee.isLineEnd { return "the end of the line" }
    if place.pointee == .tab { return "a tab" }
    var last = place
    while !last.pointee.isLineEnd, last - place < Self.quotedBytesMax { last += 1 }
    while last > place + 1, last[-1].isBlank { last -= 1 }
    return string(place, last).quotedAndCut
  }

  /// More than `quotedAndCut` keeps of any text.
  private static var quotedBytesMax: Int { 256 }

  func visible(_ name: [UInt8], _ sign: String) -> String {
    (sign + String(decoding: name, as: UTF8.self)).quotedAndCut
  }

  /// A word of the text, in quotes.
  func quoted(_ from: Pointer, _ to: Pointer) -> String { string(from, to).quotedAndCut }

  func tooDeep(at place: Pointer) -> Complaint {
    complaint(
      .tooDeep, at: place,
      "found collections nested deeper than \(limits.depthAllowed) levels, "
        + "expected at most \(limits.depthAllowed)")
  }

  func duplicateKey(_ first: KeyStack.Key, _ second: KeyStack.Key) -> Complaint {
    let key = try? JSONDocument(parsing: Array(output.bytes(first.text))).root.string
    return Complaint(
      .duplicateKey, at: second.origin,
      "found the key \((key ?? "").quotedAndCut) again, expected it once: it is also at "
        + "\(position(first.origin))",
      fix: "remove one of them, or rename it")
  }
}

/// Complaints about lines and the structure of blocks.
extension YAMLReader {
  func tabInIndentation(at place: Pointer) -> Complaint {
    complaint(
      .tab, at: place, "found a tab, expected spaces for indentation",
      fix: "replace the tab by spaces")
  }

  func tabBeforeBlock(at place: Pointer) -> Complaint {
    complaint(
      .tab, at: place,
      "found a tab before \(found(place)), expected spaces, since they are its indentation",
      fix: "replace the tab by spaces")
  }

  func textAfterValue() -> Complaint {
    switch p.pointee {
    case .hash:
      return complaint(
        .unexpectedText, at: p,
        "found \"#\" right after a value, expected a space before a comment",
        fix: "add a space before it")
    case .colon:
      return complaint(
        .missingSpace, at: p,
        "found \":\" without a space behind it, expected a space after a key",
        fix: "write \": \"")
    default:
      return complaint(
        .unexpectedText, at: p,
        "found \(found(p)) after the end of a value, expected the end of the line",
        fix: p[-1] == .apostrophe
          ? "write '' for a single quote within single quotes"
          : "remove it, or put all of the value in quotes")
    }
  }

  func textAfterDocument() -> Complaint {
    complaint(
      .unexpectedText, at: p,
      "found \(found(p)) after the end of the document, expected nothing more",
      fix: "indent it if it belongs to the value before it, or write \"---\" before a document")
  }

  /// A line between the indentation of an open collection and that of one that it closed, if it
  /// did.
  func wrongIndentation(_ column: Int, closed: Int) -> Complaint {
    let what = top.kind == .blockSequence ? "sequence" : "mapping"
    let expected = "\(top.indentation)" + (closed > column ? " or \(closed)" : "")
    return complaint(
      .indentation, at: p,
      "found \(found(p)) indented by \(column.of("space")), expected \(expected), like the lines before "
        + "it; the \(what) around it begins at \(position(top.offset))",
      fix: "indent it like its neighbours")
  }

  func missingDash() -> Complaint {
    complaint(
      .indentation, at: p,
      "found \(found(p)) in the sequence that begins at \(position(top.offset)), expected \"- \"",
      fix: p.pointee == .hyphen
        ? "write a space after \"-\"" : "begin it with \"- \", or indent it less")
  }

  func dashAmongKeys() -> Complaint {
    complaint(
      .indentation, at: p,
      "found \"-\" in the mapping that begins at \(position(top.offset)), expected a key",
      fix: "indent it less or more, as the sequence that it belongs to")
  }

  func propertyBeforeBlock(_ properties: Properties) -> Complaint {
    complaint(
      .invalidAnchor, at: start + properties.offset,
      "found \(properties.anchor >= 0 ? "an anchor" : "a tag") on the line of \(found(p)), expected "
        + "it on the line before", fix: "move it to the end of the line before")
  }

  func blockOnLine(_ setting: Setting, at place: Pointer) -> Complaint {
    let sign = place.pointee == .hyphen ? "-" : "?"
    let after = setting == .marker ? "\"---\"" : "a key"
    return complaint(
      .unexpectedText, at: place,
      "found \"\(sign)\" on the line of \(after), expected a value",
      fix: place.pointee == .hyphen
        ? "begin the sequence on its own line, or put the value in quotes"
        : "put the value in quotes")
  }

  func secondDocument() -> Complaint {
    complaint(
      .severalDocuments, at: p, "found a second document, expected one",
      fix: "put each document into its own file")
  }

  func directiveAlone(at place: Pointer) -> Complaint {
    complaint(
      .directive, at: place, "found a directive without a document, expected \"---\" after it",
      fix: "write \"---\" on the next line, or quotes around the text if it is one")
  }

  func wrongDirective(_ expected: String, at place: Pointer) -> Complaint {
    complaint(.directive, at: place, "found \(found(place)), expected \(expected)")
  }
}

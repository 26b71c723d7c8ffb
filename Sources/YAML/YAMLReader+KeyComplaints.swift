import UnderstudyCore
import UnderstudyJSON

/// Complaints about keys, anchors and tags.
extension YAMLReader {
  func complexKey(at place: Pointer) -> Complaint {
    complaint(
      .complexKey, at: place, "found a collection as a key, expected text, as JSON has it",
      fix: "write the key in quotes")
  }

  func keyOfSeveralLines(at place: Pointer) -> Complaint {
    complaint(
      .missingColon, at: place, "found a key of several lines, expected it on one line",
      fix: "write the key on one line, or \"? \" before it")
  }

  /// A colon within a value: `key: a: b`.
  func nestedKey(_ setting: Setting, at place: Pointer) -> Complaint {
    if setting == .marker {
      return complaint(
        .nestedKey, at: place,
        "found the key \(quotedKey(place)) on the line of \"---\", expected "
          + "it on its own line", fix: "begin a new line after \"---\"")
    }
    let expected = top.isFlow ? "a comma" : "one key on a line"
    return complaint(
      .nestedKey, at: p, "found \":\" in the value \(found(place)), expected \(expected)",
      fix: top.isFlow
        ? "put the value in quotes, or a comma before the next key"
        : "put the value in quotes, or begin a new line with more indentation for its keys")
  }

  private func quotedKey(_ place: Pointer) -> String {
    var last = p
    while last > place, last[-1].isBlank { last -= 1 }
    return string(place, last).quotedAndCut
  }

  func keyInPlain(from first: Pointer, at place: Pointer) -> Complaint {
    complaint(
      .indentation, at: place,
      "found the key \(quotedKey(place)) within the value that begins at "
        + "\(position(offset(first))), expected it indented like the keys before it",
      fix: "indent it like its neighbours, or put the value in quotes")
  }

  func missingColon(after line: PlainLine) -> Complaint {
    var colon = line.start
    while colon < line.end, colon.pointee != .colon { colon += 1 }
    if colon < line.end, colon > line.start, !(colon[1] == .slash && colon[2] == .slash) {
      return complaint(
        .missingSpace, at: colon,
        "found \(quoted(line.start, line.end)), expected a space after \":\"",
        fix: "add a space after \":\"")
    }
    return complaint(
      .missingColon, at: line.start,
      "found \(quoted(line.start, line.end)) in the mapping that begins at \(position(top.offset)), "
        + "expected a key and \":\"",
      fix: "add \":\" after the key, or indent it if it belongs to the value before it")
  }

  func missingColon(afterQuoted place: Pointer) -> Complaint {
    if p.pointee == .colon { return missingSpace(after: p) }
    return complaint(
      .missingColon, at: p,
      "found \(found(p)) after \(place.pointee == .asterisk ? "an alias" : "text in quotes"), "
        + "expected \":\" and a value", fix: "add \":\" after the key")
  }

  func flowInsteadOfKey() -> Complaint {
    complaint(
      .missingColon, at: p,
      "found \(found(p)) in the mapping that begins at \(position(top.offset)), expected a key",
      fix: "write a key before it, or indent it if it belongs to the value before it")
  }

  func missingSpace(after place: Pointer) -> Complaint {
    let what =
      switch place.pointee {
      case .ampersand: "the anchor"
      case .exclamation: "the tag"
      default: "\":\""
      }
    return complaint(
      .missingSpace, at: p, "found \(found(p)) right after \(what), expected a space",
      fix: "add a space")
  }

  // MARK: - Anchors and aliases

  func secondProperty(_ what: String, at place: Pointer) -> Complaint {
    complaint(
      .invalidAnchor, at: place, "found a second \(what) for one value, expected one at most",
      fix: "remove one of them")
  }

  func missingName(of what: String, at place: Pointer) -> Complaint {
    let sign = what == "anchor" ? "&" : "*"
    return complaint(
      .invalidAnchor, at: place,
      "found \"\(sign)\" without a name, expected the name of an \(what)",
      fix: "write the name right after it, or put the text in quotes")
  }

  func unknownAlias(_ name: [UInt8], at place: Pointer) -> Complaint {
    let text = String(decoding: name, as: UTF8.self)
    let known = anchors.names
    let fix =
      name.last == .colon && anchors.node(name.dropLast()) != nil
      ? "write a space before \":\""
      : Spelling.suggestion(for: text, among: known)
        ?? "put the text in quotes, or write \(visible(name, "&")) before what it stands for"
    return complaint(
      .unknownAlias, at: place,
      "found the alias \(visible(name, "*")), expected the name of an anchor before it", fix: fix)
  }

  // MARK: - Tags

  func unsupportedTag(_ written: String, _ name: String, at place: Pointer) -> Complaint {
    let fix =
      switch name.dropFirst(name.hasPrefix(Tag.prefix) ? Tag.prefix.count : 0) {
      case "binary": "write the text in base64 without the tag"
      case "timestamp": "remove the tag: dates are text"
      case "set": "write a sequence without the tag"
      case "omap", "pairs": "write a sequence of mappings without the tag"
      case "merge": "write the members out"
      case "!include": "copy what the file holds to this place"
      default: "remove the tag"
      }
    return complaint(
      .unsupportedTag, at: place,
      "found the tag \(written.quotedAndCut), expected none but !!str, !!int, !!float, !!bool, "
        + "!!null, !!map and !!seq", fix: fix)
  }

  func wrongTag(_ properties: Properties, on content: [UInt8]) -> Complaint {
    let tag = properties.tag
    let expected =
      switch tag {
      case .int: "an integer such as 12, 0o14 or 0xC"
      case .float: "a number such as 12, 0.5 or 1e3"
      case .bool: "true or false"
      case .null: "null, ~ or nothing"
      default: tag == .map ? "a mapping" : "a sequence"
      }
    let text = String(decoding: content, as: UTF8.self)
    return complaint(
      .wrongTag, at: start + properties.tagOffset,
      "found the tag \(tag.name) before \(text.quotedAndCut), expected \(expected)",
      fix: "remove the tag, or correct the value")
  }
}

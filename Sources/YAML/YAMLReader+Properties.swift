import UnderstudyCore
import UnderstudyJSON

/// Anchors, aliases and tags.
extension YAMLReader {
  /// Reads one anchor or tag.
  mutating func readProperty(into properties: inout Properties) throws(Complaint) {
    let place = p
    if properties.isEmpty { properties.offset = offset(place) }
    if p.pointee == .ampersand {
      let name = try readName("anchor")
      guard properties.anchor < 0 else { throw secondProperty("anchor", at: place) }
      properties.anchor = anchors.add(name, origin: offset(place))
    } else {
      guard properties.tag == .none else { throw secondProperty("tag", at: place) }
      properties.tag = try readTag()
      properties.tagOffset = offset(place)
    }
    let isSeparate =
      p.pointee.isGap
      || top.isFlow && p.pointee.isFlowIndicator
        && p.pointee != .openBrace && p.pointee != .openBracket
    guard isSeparate else { throw missingSpace(after: place) }
  }

  /// The properties of a node from earlier lines and from this one, together.
  func merged(_ earlier: Properties, _ later: Properties) throws(Complaint) -> Properties {
    if earlier.isEmpty { return later }
    if later.isEmpty { return earlier }
    var all = earlier
    if later.anchor >= 0 {
      guard earlier.anchor < 0 else {
        throw secondProperty("anchor", at: start + anchors.nodes[later.anchor].origin)
      }
      all.anchor = later.anchor
    }
    if later.tag != .none {
      guard earlier.tag == .none else {
        throw secondProperty("tag", at: start + later.tagOffset)
      }
      (all.tag, all.tagOffset) = (later.tag, later.tagOffset)
    }
    return all
  }

  /// The name after `&` or `*`.
  private mutating func readName(_ what: String) throws(Complaint) -> [UInt8] {
    let place = p
    p += 1
    let from = p
    while !p.pointee.isGap, !p.pointee.isFlowIndicator { p += 1 }
    guard p > from else { throw missingName(of: what, at: place) }
    return bytes(from, p)
  }

  // MARK: - Tags

  private mutating func readTag() throws(Complaint) -> Tag {
    let place = p
    p += 1
    if p.pointee == .less {
      p += 1
      let from = p
      while !p.pointee.isLineEnd, p.pointee != .greater { p += 1 }
      guard p.pointee == .greater else {
        throw complaint(
          .unexpectedText, at: place, "found a tag without its end, expected \">\"",
          fix: "add \">\" after the tag")
      }
      let name = string(from, p)
      p += 1
      return try tag(named: name, at: place)
    }
    while !p.pointee.isGap, !p.pointee.isFlowIndicator { p += 1 }
    let word = string(place, p)
    if word == "!" { return .nonSpecific }
    let handleEnd = word.dropFirst().firstIndex(of: "!").map { word.index(after: $0) }
    let handle = handleEnd.map { String(word[..<$0]) } ?? "!"
    let suffix = word[(handleEnd ?? word.index(after: word.startIndex))...]
    guard let prefix = handles.prefix(of: handle) else {
      throw complaint(
        .unsupportedTag, at: place,
        "found the tag \(word.quotedAndCut), expected a handle that a %TAG line declares",
        fix: "remove the tag, or declare \(handle.quotedAndCut) before \"---\"")
    }
    return try tag(named: prefix + Self.unescaped(suffix), at: place)
  }

  /// `%73` is a letter in a tag as in a URL.
  private static func unescaped(_ text: Substring) -> String {
    guard text.utf8.contains(.percent) else { return String(text) }
    var bytes: [UInt8] = []
    var rest = Array(text.utf8)[...]
    while let byte = rest.popFirst() {
      if byte == .percent, rest.count >= 2, let high = rest.first?.hexadecimalValue,
        let low = rest.dropFirst().first?.hexadecimalValue
      {
        bytes.append(high << 4 | low)
        rest = rest.dropFirst(2)
      } else {
        bytes.append(byte)
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  private func tag(named name: String, at place: Pointer) throws(Complaint) -> Tag {
    if name == "!" { return .nonSpecific }
    if name.hasPrefix(Tag.prefix),
      let tag = Tag(rawValue: String(name.dropFirst(Tag.prefix.count))), tag.isOfSchema
    {
      return tag
    }
    throw unsupportedTag(string(place, p), name, at: place)
  }

  func check(_ properties: Properties, fitCollectionWith tag: Tag) throws(Complaint) {
    switch properties.tag {
    case .none, .nonSpecific, tag: return
    default:
      throw complaint(
        .wrongTag, at: start + properties.tagOffset,
        "found the tag \(properties.tag.name) before a \(tag == .map ? "mapping" : "sequence"), "
          + "expected \(tag.name)", fix: "remove the tag")
    }
  }

  // MARK: - Scalars with properties

  /// Turns the string that was written into what its tag or its form makes of it, and remembers it
  /// under its anchor.
  mutating func apply(
    _ properties: Properties, from written: Int, at place: Pointer, isPlain: Bool, isKey: Bool
  ) throws(Complaint) {
    let text = Array(output.bytes(written..<output.count))
    let content = Array(text.dropFirst().dropLast())
    let form = try form(of: content, properties, isPlain: isPlain)
    let valueStart = isKey ? output.count : written
    output.truncate(to: valueStart)
    if !isKey || properties.anchor >= 0 {
      // SAFETY: the pointer is used only within the closure, here and below.
      try content.withUnsafeBufferPointer { bytes throws(Complaint) in
        try writeValue(form, bytes, quoted: text, at: place)
      }
    }
    if properties.anchor >= 0 {
      let value = Array(output.bytes(valueStart..<output.count))
      anchors.set(properties.anchor, .scalar(value, key: text))
    }
    if isKey { output.truncate(to: valueStart) }
  }

  private func form(
    of content: [UInt8], _ properties: Properties, isPlain: Bool
  ) throws(Complaint) -> CoreSchema.Form {
    let natural = content.withUnsafeBufferPointer { CoreSchema.form(of: $0) }
    let fits: Bool
    switch properties.tag {
    case .none: return isPlain ? natural : .string
    case .nonSpecific, .str: return .string
    case .int: fits = natural.isInteger
    case .float: fits = natural == .integer || natural == .decimal || natural == .notFinite
    case .bool: fits = natural == .true || natural == .false
    case .null: fits = natural == .null
    case .map, .seq: fits = false
    }
    if fits { return natural }
    throw wrongTag(properties, on: content)
  }

  mutating func writeValue(
    _ form: CoreSchema.Form, _ text: CoreSchema.Text, quoted: [UInt8], at place: Pointer
  ) throws(Complaint) {
    if form == .string { output.append(quoted) } else { try writeValue(form, text, at: place) }
  }

  /// Writes what is not a string.
  mutating func writeValue(
    _ form: CoreSchema.Form, _ text: CoreSchema.Text, at place: Pointer
  ) throws(Complaint) {
    switch form {
    case .string, .null: output.append("null")
    case .true: output.append("true")
    case .false: output.append("false")
    case .integer, .decimal: output.appendNumber(text)
    case .octal, .hexadecimal:
      guard text.count <= Self.digitsMax else {
        throw complaint(
          .tooLarge, at: place,
          "found a number of \(text.count - 2) digits after \"0\(form == .octal ? "o" : "x")\", "
            + "expected at most \(Self.digitsMax - 2)", fix: "put it in quotes if it is text")
      }
      output.appendInteger(text.dropFirst(2), bitsPerDigit: form == .octal ? 3 : 4)
    case .notFinite:
      let word = String(decoding: text, as: UTF8.self)
      throw complaint(
        .notFinite, at: place, "found \(word), expected a finite number, since JSON has no other",
        fix: "write \"\(word)\" in quotes if it is text")
    }
  }

  /// The limit for numbers in other bases, since their conversion is not linear.
  private static let digitsMax = 258

  // MARK: - Aliases

  /// Reads `*name` and writes the node again; whether it is followed by a colon, the caller looks.
  mutating func readAlias(isKey: Bool, _ properties: Properties) throws(Complaint) {
    let place = p
    let name = try readName("alias")
    guard properties.isEmpty else {
      throw complaint(
        .invalidAnchor, at: start + properties.offset,
        "found \(properties.anchor >= 0 ? "an anchor" : "a tag") before an alias, expected it "
          + "before the node itself", fix: "remove it")
    }
    guard let node = anchors.node(name) else { throw unknownAlias(name, at: place) }
    switch node.content {
    case .open:
      throw complaint(
        .recursiveAlias, at: place,
        "found \(visible(name, "*")) within the node that it names, at "
          + "\(position(node.origin)), expected a node that ends before it",
        fix: "write out what is meant")
    case .scalar(let value, let key):
      try countAlias(isKey ? key.count : value.count, at: place)
      if !isKey { output.note(from: offset(place)) }
      output.append(isKey ? key : value)
    case .collection(let range, let notes):
      guard !isKey else { throw complexKey(at: place) }
      try countAlias(range.count, at: place)
      output.repeatText(range, notes: notes, origin: offset(place))
    }
  }

  private mutating func countAlias(_ count: Int, at place: Pointer) throws(Complaint) {
    aliasBytes += count
    guard aliasBytes <= limits.aliasBytesAllowed else {
      throw complaint(
        .tooManyAliases, at: place,
        "found aliases that stand for more than \(limits.aliasBytesAllowed) bytes of JSON, "
          + "expected fewer", fix: "write out what is needed, without aliases of aliases")
    }
  }
}

/// Values of queries, settings and XML by their names.
extension SecretScanner {
  private static let nameBytesMax = 80
  /// Of values that are looked at before it is known whether they are hidden.
  private static let looseValueBytesMax = 64

  /// `?token=…`, `&sig=…`, `password=…;`, and attributes of XML.
  mutating func pair(_ offset: Int) -> Int {
    var start = offset
    while start > 0, offset - start < Self.nameBytesMax, Self.isInName[Int(bytes[start - 1])] {
      start -= 1
    }
    let before = start > 0 ? bytes[start - 1] : .space
    if start == offset, before == .space { return setting(offset) }
    guard start < offset, Self.precedesName[Int(before)], start >= copiedCount else {
      return offset + 1
    }
    let place: SecretNames.Place = "?&#".utf8.contains(before) ? .parameter : .field
    var value = offset + 1
    var delimiter: UInt8?
    if value < bytes.count, bytes[value] == UInt8(ascii: "'") || isMarkup && bytes[value] == .quote
    {
      delimiter = bytes[value]
      value += 1
    }
    let name = SecretMask.decoded(bytes[start..<offset])
    if let rule = names.rule(of: name[...], in: place) {
      let countMax = rule == .whole || rule == .texts ? Int.max : Self.looseValueBytesMax
      let end = bytes.endOfValue(from: value, delimiter, countMax: countMax)
      let isCode = bytes[value..<end].first == .equals || bytes[value..<end].contains(0x28)
      if !isCode, rule.hides(bytes[value..<end]) {
        return hide(value..<bytes.endOfValue(from: end, delimiter))
      }
    }
    guard value >= decodedEnd else { return offset + 1 }
    decodedEnd = bytes.endOfValue(from: value, delimiter)
    let range = value..<decodedEnd
    guard bytes[range].contains(.percent), masked(SecretMask.decoded(bytes[range])) != nil else {
      return offset + 1
    }
    return hide(range)
  }

  private static let isInName: [Bool] = (UInt8.min...UInt8.max).map {
    $0.isLetterOrDigit || "-_.[]%$".utf8.contains($0)
  }

  private static let precedesName: [Bool] = (UInt8.min...UInt8.max).map {
    $0 <= .space || "?&#;,{(\"'".utf8.contains($0)
  }

  // MARK: - Lines

  /// A line of YAML, TOML or the like: `password: …`, `- token: "…"`, `api_key = …`. Of a sentence that
  /// begins so nothing is hidden.
  mutating func setting(_ offset: Int) -> Int {
    var nameEnd = offset
    while nameEnd > 0, bytes[nameEnd - 1] == .space { nameEnd -= 1 }
    var start = nameEnd
    while start > 0, nameEnd - start < Self.nameBytesMax, Self.isInName[Int(bytes[start - 1])] {
      start -= 1
    }
    guard start < nameEnd, start >= copiedCount, beginsLine(start),
      let rule = names.rule(of: bytes[start..<nameEnd], in: .field)
    else { return offset + 1 }
    var value = offset + 1
    while value < bytes.count, bytes[value] == .space { value += 1 }
    guard value < bytes.count else { return offset + 1 }
    var end = value
    if bytes[value] == .quote || bytes[value] == Self.apostrophe {
      let quote = bytes[value]
      value += 1
      end = value
      while end < bytes.count, bytes[end] != quote, bytes[end] != Self.lineFeed { end += 1 }
    } else {
      while end < bytes.count, bytes[end] > .space { end += 1 }
      var rest = end
      while rest < bytes.count, bytes[rest] == .space { rest += 1 }
      let isLast = rest == bytes.count || bytes[rest] < .space || bytes[rest] == UInt8(ascii: "#")
      let word = bytes[value..<end]
      guard isLast, word.first.map({ !"{[|>&*!=".utf8.contains($0) }) ?? false,
        !word.contains(UInt8(ascii: "(")), !Self.plainWords.contains(where: word.elementsEqual)
      else { return offset + 1 }
    }
    return rule.hides(bytes[value..<end]) ? hide(value..<end) : offset + 1
  }

  private static let apostrophe = UInt8(ascii: "'")
  private static let lineFeed = UInt8(ascii: "\n")
  private static let plainWords = ["null", "true", "false", "~"].map { Array($0.utf8) }

  /// Whether nothing but white space and the sign of a list or a diff stand before a place in its line.
  private func beginsLine(_ place: Int) -> Bool {
    var start = place
    while start > 0, place - start < Self.nameBytesMax, bytes[start - 1] != Self.lineFeed {
      guard bytes[start - 1] <= .space || "+-".utf8.contains(bytes[start - 1]) else { return false }
      start -= 1
    }
    return start == 0 || bytes[start - 1] == Self.lineFeed
  }

  // MARK: - XML and HTML

  /// `<password>…</password>`, whatever prefix or attributes it has or elements are in it; in a text
  /// that is cut the end may be missing. Elsewhere an attribute may give the name:
  /// `<input name="password" value="…">`, `<string name="token">…</string>`.
  mutating func element(_ offset: Int) -> Int {
    let nameEnd = bytes.endOfRun(of: [.word, .dot, .slash], from: offset + 1)
    let name = bytes[offset + 1..<nameEnd]
    let local = name.lastIndex(of: .colon).map { name[($0 + 1)...] } ?? name
    guard let rule = names.rule(of: local, in: .field), rule != .random else {
      return tag(offset, nameEnd)
    }
    var start = nameEnd
    while start < bytes.count, bytes[start] != .greater, bytes[start] != .less { start += 1 }
    guard start < bytes.count, bytes[start] == .greater, bytes[start - 1] != .slash else {
      return offset + 1
    }
    start += 1
    if bytes.holds(Self.opening, at: start) {
      // Only what is hidden to its end is looked for: nothing is looked through twice.
      guard rule == .whole || rule == .texts else { return offset + 1 }
      let value = start + Self.opening.count
      var end = value
      while end < bytes.count, !bytes.holds(Self.closing, at: end) { end += 1 }
      return rule.hides(bytes[value..<end]) ? hide(value..<end) : offset + 1
    }
    var end = start
    while end < bytes.count, bytes[end] != .less { end += 1 }
    let content = bytes[start..<end]
    // Of `<token> in the header` nothing is a secret.
    let isElement = bytes.holds(Array("</".utf8) + name, at: end)
    if !isElement, end < bytes.count, rule == .whole || rule == .texts,
      let last = endOfElement(name, from: end)
    {
      return hideTexts(in: start..<last)
    }
    guard isElement || end == bytes.count && !content.contains(where: { $0 <= .space }),
      rule.hides(content), !content.allSatisfy({ $0 <= .space })
    else { return offset + 1 }
    return hide(start..<end)
  }

  /// Where the end tag of an element with elements in it begins.
  private mutating func endOfElement(_ name: ArraySlice<UInt8>, from start: Int) -> Int? {
    let endTag = Array("</".utf8) + name
    var end = start
    while end < bytes.count, lookahead > 0 {
      if bytes[end] == .less, bytes.holds(endTag, at: end) { return end }
      end += 1
      lookahead -= 1
    }
    return nil
  }

  /// All between tags that is not white space.
  private mutating func hideTexts(in range: Range<Int>) -> Int {
    var offset = range.lowerBound
    while offset < range.upperBound {
      let end = bytes[offset..<range.upperBound].firstIndex(of: .less) ?? range.upperBound
      if bytes[offset..<end].contains(where: { $0 > .space }) { _ = hide(offset..<end) }
      let close = bytes[end..<range.upperBound].firstIndex(of: .greater) ?? range.upperBound - 1
      offset = close + 1
    }
    return range.upperBound
  }

  private static let tagBytesMax = 1024

  /// A tag whose attribute says the name of what another attribute, or the text behind it, says.
  private mutating func tag(_ offset: Int, _ nameEnd: Int) -> Int {
    guard nameEnd < bytes.count, bytes[nameEnd] <= .space else { return offset + 1 }
    var (rule, value): (SecretNames.Rule?, Range<Int>?)
    var isLabel = false
    var place = nameEnd
    let limit = min(bytes.count, offset + Self.tagBytesMax)
    while place < limit, bytes[place] != .greater {
      let start = place
      while place < limit, Self.isInName[Int(bytes[place])] { place += 1 }
      let name = bytes[start..<place]
      guard place + 1 < limit, !name.isEmpty, bytes[place] == .equals else {
        place += name.isEmpty ? 1 : 0
        continue
      }
      let quote = bytes[place + 1]
      let isQuoted = quote == .quote || quote == Self.apostrophe
      let first = place + (isQuoted ? 2 : 1)
      place = first
      while place < bytes.count, place - first < Self.tagBytesMax,
        isQuoted ? bytes[place] != quote : bytes[place] > .space && bytes[place] != .greater
      { place += 1 }
      if Self.naming.contains(where: name.elementsEqual) {
        isLabel = isLabel || name.elementsEqual("id".utf8)
        rule = rule ?? names.rule(of: bytes[first..<place], in: .field)
      } else if name.elementsEqual("type".utf8), bytes[first..<place].elementsEqual("password".utf8)
      {
        rule = .whole
      } else if Self.valuing.contains(where: name.elementsEqual) {
        value = first..<place
      }
      if isQuoted { place += 1 }
    }
    guard let rule, rule != .random else { return offset + 1 }
    if let value { return rule.hides(bytes[value]) ? hide(value) : offset + 1 }
    // Of what it only marks, such as a heading, people read the text.
    guard place < limit, !isLabel, bytes[place - 1] != .slash else { return offset + 1 }
    let start = place + 1
    var end = start
    while end < bytes.count, bytes[end] != .less { end += 1 }
    let isElement = bytes.holds(Array("</".utf8) + bytes[(offset + 1)..<nameEnd], at: end)
    return isElement && rule.hides(bytes[start..<end]) ? hide(start..<end) : offset + 1
  }

  private static let naming = ["name", "key", "id"].map { Array($0.utf8) }
  private static let valuing = ["value", "content"].map { Array($0.utf8) }

  private static let opening = Array("<![CDATA[".utf8)
  private static let closing = Array("]]>".utf8)
}

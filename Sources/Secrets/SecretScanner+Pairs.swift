import UnderstudyCore

/// Values of queries, settings and XML by their names.
extension SecretScanner {
  private static let nameBytesMax = 80
  /// For values that are examined before it is known whether they are hidden.
  private static let looseValueBytesMax = 64

  /// `?token=…`, `&sig=…`, `password=…;`, and XML attributes.
  mutating func pair(_ offset: Int) -> Int {
    var start = offset
    while start > 0, offset - start < Self.nameBytesMax, Self.isInName[Int(bytes[start - 1])] {
      start -= 1
    }
    let before = start > 0 ? bytes[start - 1] : .space
    if start == offset, before == .space { return setting(offset) }
    guard start < offset, Self.precedesName[Int(before)], start >= hiddenEnd else {
      return offset + 1
    }
    let place: SecretNames.Location = "?&#".utf8.contains(before) ? .parameter : .field
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

  /// A line of YAML, TOML or similar: `password: …`, `- token: "…"`, `api_key = …`. Sentences that
  /// start like one are not hidden. Also an argument, as in GraphQL: `login(password: "…", pin:
  /// 4711)`.
  mutating func setting(_ offset: Int) -> Int {
    var nameEnd = offset
    while nameEnd > 0, bytes[nameEnd - 1] == .space { nameEnd -= 1 }
    var start = nameEnd
    while start > 0, nameEnd - start < Self.nameBytesMax, Self.isInName[Int(bytes[start - 1])] {
      start -= 1
    }
    guard start < nameEnd, start >= hiddenEnd else { return offset + 1 }
    let name = bytes[start..<nameEnd]
    let beginsLine = beginsLine(start)
    let rule = names.rule(of: name, in: .field) ?? awaited.removeValue(forKey: offset)
    if rule == nil, beginsLine { labelLine(name, offset) }
    guard let rule, beginsLine || bytes[offset] == .colon && isArgument(start) else {
      return offset + 1
    }
    var value = offset + 1
    while value < bytes.count, bytes[value] == .space { value += 1 }
    guard value < bytes.count else { return offset + 1 }
    var end = value
    if bytes[value] == .quote || bytes[value] == Self.apostrophe {
      let quote = bytes[value]
      let isBlock = bytes.holds([quote, quote, quote], at: value)
      value += isBlock ? 3 : 1
      end = value
      while isBlock, end < bytes.count, !bytes.holds([quote, quote, quote], at: end) { end += 1 }
      while !isBlock, end < bytes.count, bytes[end] != Self.lineFeed {
        let next = end + 1 < bytes.count ? bytes[end + 1] : 0
        if bytes[end] == .backslash && quote == .quote && next != Self.lineFeed
          || bytes[end] == quote && next == quote
        {
          end += 2
        } else if bytes[end] == quote {
          break
        } else {
          end += 1
        }
      }
      end = min(end, bytes.count)
    } else if !beginsLine {
      end = bytes.endOfRun(of: .digit, from: value)
      guard end - value >= 3 else { return offset + 1 }
    } else {
      while end < bytes.count, bytes[end] > .space { end += 1 }
      var rest = end
      while rest < bytes.count, bytes[rest] == .space { rest += 1 }
      let isLast = rest == bytes.count || bytes[rest] < .space || bytes[rest] == UInt8(ascii: "#")
      let word = bytes[value..<end]
      guard isLast, let first = word.first, !"{[|>&*!=".utf8.contains(first),
        !word.contains(UInt8(ascii: "(")), !Self.plainWords.contains(where: word.elementsEqual)
      else { return offset + 1 }
    }
    return rule.hides(bytes[value..<end]) ? hide(value..<end) : offset + 1
  }

  /// Whether an opening bracket, a comma or the end of another argument precedes a name.
  private func isArgument(_ start: Int) -> Bool {
    let before = bytes[max(0, start - Self.nameBytesMax)..<start].last { $0 > .space }
    return before.map { "({[,\"')".utf8.contains($0) } ?? false
  }

  static let apostrophe = UInt8(ascii: "'")
  private static let lineFeed = UInt8(ascii: "\n")
  private static let plainWords = ["null", "true", "false", "~"].map { Array($0.utf8) }

  /// Whether only whitespace and a list or diff marker precede a place in its line.
  private func beginsLine(_ place: Int) -> Bool {
    var start = place
    while start > 0, place - start < Self.nameBytesMax, bytes[start - 1] != Self.lineFeed {
      guard bytes[start - 1] <= .space || "+-".utf8.contains(bytes[start - 1]) else { return false }
      start -= 1
    }
    return start == 0 || bytes[start - 1] == Self.lineFeed
  }

  // MARK: - XML and HTML

  /// `<password>…</password>`, with any prefix, attributes or nested elements; in a cut text the
  /// end may be missing. An attribute may also give the name: `<input name="password" value="…">`,
  /// `<string name="token">…</string>`.
  mutating func element(_ offset: Int) -> Int {
    let nameEnd = bytes.endOfRun(of: [.word, .dot, .slash], from: offset + 1)
    let name = bytes[offset + 1..<nameEnd]
    let local = name.lastIndex(of: .colon).map { name[($0 + 1)...] } ?? name
    let named = names.rule(of: local, in: .field) ?? awaited.removeValue(forKey: offset)
    guard let rule = named, rule != .random else {
      labelElement(name, nameEnd)
      return tag(offset, nameEnd)
    }
    var start = nameEnd
    while start < bytes.count, bytes[start] != .greater, bytes[start] != .less { start += 1 }
    guard start < bytes.count, bytes[start] == .greater, bytes[start - 1] != .slash else {
      return offset + 1
    }
    return hideContent(of: name, from: start + 1, by: rule, evenIfCut: true) ?? offset + 1
  }

  /// Hides an element's content, after its start tag; `nil` when there is nothing to hide.
  private mutating func hideContent(
    of name: ArraySlice<UInt8>, from start: Int, by rule: SecretNames.Rule, evenIfCut: Bool
  ) -> Int? {
    var end = start
    while end < bytes.count, bytes[end] != .less { end += 1 }
    let text = bytes[start..<end]
    // In `<token> in the header` nothing is secret.
    let isCut = evenIfCut && end == bytes.count && !text.contains { $0 <= .space }
    if isCut || isTag(Self.endTag + name, at: end) {
      guard rule.hides(text), !text.allSatisfy({ $0 <= .space }) else { return nil }
      return hide(start..<end)
    }
    guard end < bytes.count, rule == .whole || rule == .texts else { return nil }
    if let last = endOfElement(name, from: end) {
      return rule.hides(bytes[start..<last]) ? hide(start..<last) : nil
    }
    let isOpen = bytes.holds(Self.opening, at: end) && text.allSatisfy { $0 <= .space }
    return isOpen || lookahead <= 0 ? hide(start..<bytes.count) : nil
  }

  private static let endTag = Array("</".utf8)

  /// Whether a tag starts like this, and its name ends there.
  private func isTag(_ start: [UInt8], at place: Int) -> Bool {
    guard bytes.holds(start, at: place) else { return false }
    let next = place + start.count
    return next == bytes.count || bytes[next] == .greater || bytes[next] <= .space
  }

  /// Where the end tag starts of an element that contains elements, possibly with its own name; if
  /// these do not match, the last one. A name without an end tag is searched for only once, and the
  /// total search is limited; beyond the limit the rest is hidden.
  private mutating func endOfElement(_ name: ArraySlice<UInt8>, from start: Int) -> Int? {
    guard !unclosed.contains(name) else { return nil }
    let (startTag, endTag) = ([.less] + name, Self.endTag + name)
    var (end, depth, last) = (start, 1, Int?.none)
    while end < bytes.count, lookahead > 0 {
      if bytes[end] == .less {
        if isTag(endTag, at: end) {
          depth -= 1
          last = end
          if depth == 0 { return end }
        } else if isTag(startTag, at: end) {
          depth += 1
        }
      }
      end += 1
      lookahead -= 1
    }
    if last == nil, lookahead > 0 { unclosed.insert(name) }
    return last
  }

  /// A tag in which one attribute is the name for the value in another attribute or in the content.
  private mutating func tag(_ offset: Int, _ nameEnd: Int) -> Int {
    guard nameEnd < bytes.count, bytes[nameEnd] <= .space, offset >= tagEnd, lookahead > 0 else {
      return offset + 1
    }
    var (rule, value): (SecretNames.Rule?, Range<Int>?)
    var isLabel = false
    var place = nameEnd
    defer { lookahead -= place - nameEnd }
    while place < bytes.count, bytes[place] != .greater, bytes[place] != .less {
      let start = place
      while place < bytes.count, Self.isInName[Int(bytes[place])] { place += 1 }
      let name = bytes[start..<place]
      guard place + 1 < bytes.count, !name.isEmpty, bytes[place] == .equals else {
        place += name.isEmpty ? 1 : 0
        continue
      }
      let quote = bytes[place + 1]
      let isQuoted = quote == .quote || quote == Self.apostrophe
      let first = place + (isQuoted ? 2 : 1)
      place = first
      while place < bytes.count,
        isQuoted ? bytes[place] != quote : bytes[place] > .space && bytes[place] != .greater
      { place += 1 }
      let found = bytes[first..<place]
      if Self.naming.contains(where: name.elementsEqual) {
        isLabel = isLabel || name.elementsEqual("id".utf8)
        rule = rule ?? names.rule(of: found, in: .field)
      } else if name.elementsEqual("type".utf8), found.elementsEqual("password".utf8) {
        rule = .whole
      } else if Self.valuing.contains(where: name.elementsEqual) {
        value = first..<place
      }
      if isQuoted, place < bytes.count { place += 1 }
    }
    if place < bytes.count { tagEnd = place }
    guard let rule, rule != .random else { return offset + 1 }
    if let value { return rule.hides(bytes[value]) ? hide(value) : offset + 1 }
    // The content of a mere label, such as a heading, is text for people.
    guard place < bytes.count, !isLabel, bytes[place] == .greater, bytes[place - 1] != .slash else {
      return offset + 1
    }
    let name = bytes[(offset + 1)..<nameEnd]
    return hideContent(of: name, from: place + 1, by: rule, evenIfCut: false) ?? offset + 1
  }

  private static let naming = ["name", "key", "id"].map { Array($0.utf8) }
  private static let valuing = ["value", "content"].map { Array($0.utf8) }

  private static let opening = Array("<![CDATA[".utf8)
}

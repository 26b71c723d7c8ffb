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

  // MARK: - XML

  /// `<password>…</password>`, whatever prefix or attributes it has; in a text that is cut the end may
  /// be missing.
  mutating func element(_ offset: Int) -> Int {
    let nameEnd = bytes.endOfRun(of: [.word, .dot, .slash], from: offset + 1)
    let name = bytes[offset + 1..<nameEnd]
    let local = name.lastIndex(of: .colon).map { name[($0 + 1)...] } ?? name
    guard let rule = names.rule(of: local, in: .field), rule != .random else { return offset + 1 }
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
    guard isElement || end == bytes.count && !content.contains(where: { $0 <= .space }),
      rule.hides(content), !content.allSatisfy({ $0 <= .space })
    else { return offset + 1 }
    return hide(start..<end)
  }

  private static let opening = Array("<![CDATA[".utf8)
  private static let closing = Array("]]>".utf8)
}

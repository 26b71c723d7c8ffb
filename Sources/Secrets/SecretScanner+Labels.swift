import UnderstudyCore

/// Values whose names are values themselves: `{"name": "password", "value": "…"}`, its members in
/// any order, and the same in XML and YAML.
extension SecretScanner {
  private static let naming = ["name", "key", "field", "header", "param", "parameter"]
    .map { Array($0.utf8) }
  private static let valuing = ["value", "values", "val"].map { Array($0.utf8) }
  /// What follows a `<key>`, in property lists too.
  private static let valuingElements = ["<value", "<string", "<data"].map { Array($0.utf8) }

  private static func isOne(of names: [[UInt8]], _ name: ArraySlice<UInt8>) -> Bool {
    names.contains { $0.count == name.count && zip($0, name).allSatisfy { $0 == $1.lowercased } }
  }

  /// The rule for the value of a member, by the label beside it. The value of a label may come
  /// later: then the rule waits for it.
  mutating func ruleByLabel(_ key: Int, _ name: ArraySlice<UInt8>, _ value: Int) -> SecretNames
    .Rule?
  {
    if !awaited.isEmpty, let rule = awaited.removeValue(forKey: key) { return rule }
    if Self.isOne(of: Self.valuing, name) {
      guard let label = sibling(after: value, Self.naming) else { return nil }
      return rule(ofLabel: label.value)
    }
    guard Self.isOne(of: Self.naming, name), let rule = rule(ofLabel: value),
      let sibling = sibling(after: value, Self.valuing)
    else { return nil }
    awaited[sibling.key] = rule
    return nil
  }

  private func rule(ofLabel start: Int) -> SecretNames.Rule? {
    guard start < bytes.count, bytes[start] == .quote else { return nil }
    return names.rule(of: bytes.content(of: start..<bytes.endOfString(from: start).end), in: .field)
  }

  /// The next member of the same object with one of these names.
  private mutating func sibling(
    after value: Int, _ names: [[UInt8]]
  ) -> (key: Int, value: Int)? {
    var (place, depth) = (value, 0)
    defer { lookahead -= place - value }
    while place < bytes.count, place - value < lookahead {
      switch bytes[place] {
      case .quote:
        let (end, _) = bytes.endOfString(from: place)
        let colon = bytes.endOfSpace(from: end)
        if depth == 0, colon < bytes.count, bytes[colon] == .colon,
          Self.isOne(of: names, bytes.content(of: place..<end))
        {
          return (place, bytes.endOfSpace(from: colon + 1))
        }
        place = end
        continue
      case .openBrace, .openBracket: depth += 1
      case .closeBrace, .closeBracket:
        guard depth > 0 else { return nil }
        depth -= 1
      default: break
      }
      place += 1
    }
    return nil
  }

  /// `<name>password</name><value>…</value>`, or `<key>password</key><string>…</string>`.
  mutating func labelElement(_ name: ArraySlice<UInt8>, _ nameEnd: Int) {
    guard Self.isOne(of: Self.naming, name), nameEnd < bytes.count, bytes[nameEnd] == .greater
    else {
      return
    }
    let start = nameEnd + 1
    let end = bytes.endOfRun(of: [.word, .dot], from: start)
    guard let rule = names.rule(of: bytes[start..<end], in: .field),
      bytes.holds([.less, .slash] + name + [.greater], at: end)
    else { return }
    let next = bytes.endOfSpace(from: end + name.count + 3)
    let isKey = name.first?.lowercased == UInt8(ascii: "k")
    let elements = isKey ? Self.valuingElements[...] : Self.valuingElements.prefix(1)
    if elements.contains(where: { bytes.holds($0, at: next) }) { awaited[next] = rule }
  }

  /// A line `name: password` with the line `value: …` below it.
  mutating func labelLine(_ name: ArraySlice<UInt8>, _ colon: Int) {
    guard Self.isOne(of: Self.naming, name) else { return }
    var start = bytes.endOfRun(of: .space, from: colon + 1)
    if start < bytes.count, bytes[start] == .quote { start += 1 }
    var end = bytes.endOfRun(of: [.word, .dot], from: start)
    guard let rule = names.rule(of: bytes[start..<end], in: .field) else { return }
    while end < bytes.count, bytes[end] == .quote || bytes[end] == .carriageReturn { end += 1 }
    guard end < bytes.count, bytes[end] == .newline else { return }
    let key = bytes.endOfRun(of: .space, from: end + 1)
    let keyEnd = bytes.endOfRun(of: .word, from: key)
    guard Self.isOne(of: Self.valuing, bytes[key..<keyEnd]), keyEnd < bytes.count,
      bytes[keyEnd] == .colon
    else { return }
    awaited[keyEnd] = rule
  }
}

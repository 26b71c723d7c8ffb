/// The links of a response by relation: the `Link` header of RFC 8288.
struct Links {
  private(set) var targets: [String: String] = [:]

  /// `nil` when the text is not a valid header: treating it as the last page would lose the others.
  init?(_ text: String) {
    var rest = text[...]
    while true {
      rest.skipSpace()
      guard rest.popFirst() == "<", let end = rest.firstIndex(of: ">") else { return nil }
      let target = String(rest[..<end])
      rest = rest[rest.index(after: end)...]
      rest.skipSpace()
      var isNew = true
      while rest.first == ";" {
        rest.removeFirst()
        guard let (name, value) = rest.takeParameter() else { return nil }
        // Only the first `rel` of a link counts.
        guard name == "rel", isNew else { continue }
        isNew = false
        for relation in value.lowercased().split(separator: " ") {
          targets[String(relation)] = targets[String(relation)] ?? target
        }
      }
      if rest.isEmpty { return }
      guard rest.popFirst() == "," else { return nil }
    }
  }

  subscript(_ relation: String) -> String? { targets[relation] }
}

extension Substring {
  fileprivate mutating func skipSpace() {
    self = drop { $0 == " " || $0 == "\t" }
  }

  /// `rel="next"`, with or without quotes, and the white space around it.
  fileprivate mutating func takeParameter() -> (name: String, value: String)? {
    skipSpace()
    let name = prefix { $0.isLetter || $0.isNumber || $0 == "-" || $0 == "_" || $0 == "*" }
    self = dropFirst(name.count)
    skipSpace()
    guard !name.isEmpty else { return nil }
    guard first == "=" else { return (name.lowercased(), "") }
    removeFirst()
    skipSpace()
    var value: Substring
    if first == "\"" {
      removeFirst()
      guard let end = firstIndex(of: "\"") else { return nil }
      value = self[..<end]
      self = self[index(after: end)...]
    } else {
      value = prefix { $0 != ";" && $0 != "," && $0 != " " && $0 != "\t" }
      self = dropFirst(value.count)
    }
    skipSpace()
    return (name.lowercased(), String(value))
  }
}

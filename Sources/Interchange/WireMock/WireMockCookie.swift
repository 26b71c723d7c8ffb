import UnderstudyJSON

/// Translates a condition on the value of a cookie into one on the header that has all cookies.
struct WireMockCookie {
  private let start: String

  init(_ name: String) { start = "(?:^|; )\(JavaPattern.escaped(name))=" }

  /// `nil` for a condition that cannot be told from the header.
  func condition(_ condition: JSONValue) -> JSONText? {
    if let text = condition.string { return matching(exactly(JavaPattern.escaped(text))) }
    var result: JSONText?
    for member in condition.members {
      guard let own = part(member.key, member.value, of: condition) else { return nil }
      guard let both = own.joined(with: result) else { return nil }
      result = both
    }
    return result
  }

  private func part(_ key: String, _ value: JSONValue, of condition: JSONValue) -> JSONText? {
    switch key {
    case "equals": return value.string.map { matching(exactly(JavaPattern.escaped($0))) }
    case "matches": return value.string.map { matching(pattern($0)) }
    case "oneOf":
      let texts = value.elements.compactMap(\.string)
      let alternatives = texts.map { JavaPattern.escaped($0) }.joined(separator: "|")
      return matching(exactly("(?:\(alternatives))"))
    case "absent": return value.bool == true ? ["not": matching(start)] : matching(start)
    // A matcher of anything asks for the cookie all the same.
    case "optional": return matching(start)
    case "not":
      return WireMockCookie(start: start).condition(value).map { ["not": $0] }
    default: return nil
    }
  }

  private init(start: String) { self.start = start }

  private func matching(_ pattern: String) -> JSONText { ["matches": .string(pattern)] }

  private func exactly(_ pattern: String) -> String { "\(start)\(pattern)(?:;|$)" }

  /// A pattern that may be anchored, for the value alone.
  private func pattern(_ source: String) -> String {
    if source.hasPrefix("^"), source.hasSuffix("$"), !source.contains("|") {
      return "\(start)(?:\(source.dropFirst().dropLast()))(?:;|$)"
    }
    if source.hasPrefix("^(?:"), source.hasSuffix(")$") {
      return "\(start)\(source.dropFirst().dropLast())(?:;|$)"
    }
    let parts = source.split(separator: "|", omittingEmptySubsequences: false)
    guard parts.count > 1, !source.contains("("), !source.contains("[") else {
      return "\(start)[^;]*(?:\(source))[^;]*"
    }
    return "(?:\(parts.map { pattern(String($0)) }.joined(separator: "|")))"
  }
}

extension JSONText {
  /// A condition that holds where both do; `nil` where no condition says that.
  func joined(with other: JSONText?) -> JSONText? {
    guard let other, let own = root, let asked = other.root else { return self }
    let (left, right) = (Self.members(own), Self.members(asked))
    if own["optional"] != nil { return other }
    if asked["optional"] != nil { return self }
    // What must not hold can be denied once more.
    if own["not"] == nil { return .object(left + [("not", ["not": other])]) }
    if asked["not"] == nil { return .object(right + [("not", ["not": self])]) }
    guard left.count == 1 || right.count == 1,
      let first = own["not"]?["matches"]?.string, let second = asked["not"]?["matches"]?.string,
      own["not"]?.count == 1, asked["not"]?.count == 1
    else { return nil }
    let tests = (left + right).filter { $0.0 != "not" }
    return .object(tests + [("not", ["matches": "\(first)|\(second)"])])
  }

  private static func members(_ condition: JSONValue) -> [(String, JSONText?)] {
    if condition.kind != .object { return [("equals", .value(condition))] }
    return condition.members.map { ($0.key, .value($0.value)) }
  }
}

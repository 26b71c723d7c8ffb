import Diagnostics
import JSON
import Patterns

/// Finds what looks like a credential in a file that will be shared.
struct SecretScan {
  /// Headers that carry credentials and are redacted everywhere.
  static let secretHeaderNames: Set = [
    "authorization", "proxy-authorization", "cookie", "x-api-key",
  ]

  /// Credentials that can be told by their form, by who gives them out, each with a text that it
  /// cannot be without.
  private static let forms = [
    ("ghp_", "ghp_[A-Za-z0-9]{36}"), ("gho_", "gho_[A-Za-z0-9]{36}"),
    ("ghu_", "ghu_[A-Za-z0-9]{36}"), ("ghs_", "ghs_[A-Za-z0-9]{36}"),
    ("ghr_", "ghr_[A-Za-z0-9]{36}"), ("github_pat_", "github_pat_[A-Za-z0-9_]{22}"),
    ("glpat-", "glpat-[A-Za-z0-9_\\-]{20}"), ("AKIA", "AKIA[0-9A-Z]{16}"),
    ("xox", "xox[abprs]-[A-Za-z0-9\\-]{10}"), ("k_live_", "[rs]k_live_[A-Za-z0-9]{16}"),
    ("AIza", "AIza[A-Za-z0-9_\\-]{35}"), ("npm_", "npm_[A-Za-z0-9]{36}"),
    ("-----BEGIN ", "-----BEGIN [A-Z ]*PRIVATE KEY-----"),
    ("earer ", "[Bb]earer [A-Za-z0-9._~+\\-]{20}"),
    ("eyJ", "eyJ[A-Za-z0-9_\\-]{10,100}\\.eyJ[A-Za-z0-9_\\-]{10,100}\\."),
  ]

  /// What is left of each such text behind its first byte, by that byte.
  private static let needles: [[[UInt8]]] = (UInt8.min...UInt8.max).map { byte in
    forms.map { Array($0.0.utf8) }.filter { $0[0] == byte }.map { Array($0.dropFirst()) }
  }

  private static let pattern = try? Pattern(forms.map(\.1).joined(separator: "|"))

  private static func mayHoldSecret(_ bytes: Span<UInt8>) -> Bool {
    let needles = needles
    var rest = 0
    while rest < bytes.count {
      let first = Int(bytes[rest])
      rest += 1
      if needles[first].isEmpty { continue }
      for needle in needles[first] where needle.count <= bytes.count - rest {
        var matched = 0
        while matched < needle.count, bytes[rest + matched] == needle[matched] { matched += 1 }
        if matched == needle.count { return true }
      }
    }
    return false
  }

  static func finds(in text: String) -> Bool {
    mayHoldSecret(Array(text.utf8).span) && pattern?.matches(text) ?? false
  }

  /// A message without what looks like a secret among the texts it quotes, or like the beginning of
  /// one that was cut short.
  static func masked(_ message: String) -> String {
    guard mayHoldSecret(Array(message.utf8).span) else { return message }
    let parts = message.split(separator: "\"", omittingEmptySubsequences: false).map(String.init)
    return parts.indices.map { index in
      let isCut = parts.dropFirst(index + 1).first?.hasPrefix("…") ?? false
      let hidden = finds(in: parts[index]) || isCut && mayHoldSecret(Array(parts[index].utf8).span)
      return hidden ? "[redacted]" : parts[index]
    }.joined(separator: "\"")
  }

  let complaints: Complaints

  /// Looks for a place only when there is something to be found: a search for fixed texts over the
  /// whole file is much cheaper than the patterns.
  func scan(_ document: JSONDocument) {
    guard Self.mayHoldSecret(document.bytes.span), let pattern = Self.pattern else { return }
    for text in document.root.texts where pattern.matches(text.text) {
      complain(at: text.position())
    }
  }

  /// Looks into a body kept as a file of its own, when it is a text.
  func scan(_ bytes: [UInt8], at value: JSONValue) {
    guard Self.mayHoldSecret(bytes.span), let pattern = Self.pattern,
      let text = String(validating: bytes, as: UTF8.self), pattern.matches(text)
    else { return }
    complain(at: value.position)
  }

  private func complain(at position: SourcePosition) {
    complaints.add(
      .secret, at: position, "found what looks like a secret, expected none in a file",
      fix: "revoke it, and write something that is plainly invented")
  }

  /// Looks at the value that a file gives a header.
  func scan(header name: String, value: String, at place: JSONValue) {
    let isSecret =
      switch name.lowercased() {
      case "authorization", "proxy-authorization", "x-api-key": !Self.isInvented(value)
      case "cookie": Self.pairs(in: value).contains { Self.isSession($0) }
      case "set-cookie": Self.pairs(in: value).first.map(Self.isSession) ?? false
      default: false
      }
    guard isSecret else { return }
    complaints.add(
      .secret, at: place, "found a value for \(name) in a file, which may be a secret",
      fix: "write one that is plainly invented, such as \"invented\"")
  }

  private static func pairs(in cookies: String) -> [Substring] { cookies.split(separator: ";") }

  /// Whether a cookie's value is as long as what cannot be guessed; `theme=dark` is not.
  private static func isSession(_ pair: Substring) -> Bool {
    let value = pair.drop { $0 != "=" }.dropFirst()
    return value.utf8.count >= 16 && !isInvented(String(value))
  }

  /// Whether a reader sees at once that a value opens nothing.
  private static func isInvented(_ value: String) -> Bool {
    let lowercased = value.lowercased()
    let words = [
      "invented", "example", "placeholder", "dummy", "fake", "{", "<", "…", "***", "xxx",
    ]
    return value.isEmpty || words.contains { lowercased.contains($0) }
  }
}

extension JSONValue {
  /// Every string beneath, in the order of the file, without the keys.
  var strings: [JSONValue] {
    var strings: [JSONValue] = []
    var pending = [self]
    while let value = pending.popLast() {
      switch value.kind {
      case .string: strings.append(value)
      case .array: pending += value.elements.reversed()
      case .object: pending += value.members.map(\.value).reversed()
      default: break
      }
    }
    return strings
  }

  /// Every string and key beneath, with where it stands.
  fileprivate var texts: [(text: String, position: () -> SourcePosition)] {
    var texts: [(text: String, position: () -> SourcePosition)] = []
    var pending = [self]
    while let value = pending.popLast() {
      if let text = value.string { texts.append((text, { value.position })) }
      for member in value.members {
        texts.append((member.key, { member.keyPosition }))
        pending.append(member.value)
      }
      pending += value.elements
    }
    return texts
  }
}

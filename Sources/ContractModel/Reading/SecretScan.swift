import UnderstudyCore
import UnderstudyFindings
import UnderstudyJSON
import UnderstudySecrets

/// Finds likely credentials in a file that will be shared.
package struct SecretScan {
  /// Headers that carry credentials and are always redacted.
  static let secretHeaderNames: Set = [
    "authorization", "proxy-authorization", "cookie", "x-api-key",
  ]

  let complaints: Complaints

  /// Looks up positions only when something is found.
  func scan(_ document: JSONDocument) {
    guard SecretMask.looksSecret(document.bytes) else { return }
    for text in document.root.texts where SecretMask.looksSecret(Array(text.text.utf8)) {
      complain(at: text.position())
    }
  }

  /// Scans a body in a file of its own, when it is text.
  func scan(_ bytes: [UInt8], at value: JSONValue) {
    guard SecretMask.looksSecret(bytes), String(validating: bytes, as: UTF8.self) != nil else {
      return
    }
    complain(at: value.position)
  }

  private func complain(at position: SourcePosition) {
    complaints.add(
      .secret, at: position, "this looks like a secret, which no file should have",
      fix: "revoke it, and use an obviously invented value")
  }

  /// Scans the value that a file gives a header.
  func scan(header name: String, value: String, at place: JSONValue) {
    guard Self.isSecret(header: name, value) else { return }
    complaints.add(
      .secret, at: place, "the value for \(name) in a file may be a secret",
      fix: "use an obviously invented one, such as \"invented\"")
  }

  /// Whether the value of a header may be a real credential.
  package static func isSecret(header name: String, _ value: String) -> Bool {
    switch name.lowercased() {
    case "authorization", "proxy-authorization", "x-api-key": !isInvented(value)
    case "cookie": pairs(in: value).contains { isSession($0) }
    case "set-cookie": pairs(in: value).first.map(isSession) ?? false
    default: false
    }
  }

  private static func pairs(in cookies: String) -> [Substring] { cookies.split(separator: ";") }

  /// Whether a cookie's value is long enough to be unguessable; `theme=dark` is not.
  private static func isSession(_ pair: Substring) -> Bool {
    let value = pair.drop { $0 != "=" }.dropFirst()
    return value.utf8.count >= 16 && !isInvented(String(value))
  }

  /// Whether a value is obviously not a real credential.
  private static func isInvented(_ value: String) -> Bool {
    let lowercased = value.lowercased()
    let words = [
      "invented", "example", "placeholder", "dummy", "fake", "{", "<", "…", "***", "xxx",
    ]
    return value.isEmpty || words.contains { lowercased.contains($0) }
  }
}

extension JSONValue {
  /// Every string below, in file order, without the keys.
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

  /// Every string and key below, with its position.
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

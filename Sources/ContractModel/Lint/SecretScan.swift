import JSON
import Patterns

/// Finds what looks like a credential in a file that will be shared.
struct SecretScan {
  /// Headers that carry credentials and are redacted everywhere.
  static let secretHeaderNames: Set = [
    "authorization", "proxy-authorization", "cookie", "x-api-key",
  ]

  /// Credentials that can be told by their form, by who gives them out.
  private static let forms = [
    "gh[opusr]_[A-Za-z0-9]{36}", "github_pat_[A-Za-z0-9_]{22}", "glpat-[A-Za-z0-9_\\-]{20}",
    "AKIA[0-9A-Z]{16}", "xox[abprs]-[A-Za-z0-9\\-]{10}", "[rs]k_live_[A-Za-z0-9]{16}",
    "AIza[A-Za-z0-9_\\-]{35}", "npm_[A-Za-z0-9]{36}",
    "-----BEGIN [A-Z ]*PRIVATE KEY-----", "[Bb]earer [A-Za-z0-9._~+\\-]{20}",
    "eyJ[A-Za-z0-9_\\-]{10,100}\\.eyJ[A-Za-z0-9_\\-]{10,100}\\.",
  ]

  private static let pattern = try? Pattern(forms.joined(separator: "|"))

  let complaints: Complaints

  /// Looks at the whole file at once, and for the place only when there is something to be found.
  func scan(_ document: JSONDocument) {
    guard let pattern = Self.pattern, pattern.matches(utf8: document.bytes.span) else { return }
    for value in document.root.strings where value.string.map(pattern.matches) == true {
      complaints.add(
        .secret, at: value, "found what looks like a secret, expected none in a file",
        fix: "revoke it, and write something that is plainly invented")
    }
  }
}

extension JSONValue {
  /// Every string beneath, in the order of the file.
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
}

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

  private static let needles = forms.map { Array($0.0.utf8) }
  private static let firstBytes: [Bool] = (UInt8.min...UInt8.max).map { byte in
    needles.contains { $0[0] == byte }
  }

  private static let pattern = try? Pattern(forms.map(\.1).joined(separator: "|"))

  private static func mayHoldSecret(_ bytes: Span<UInt8>) -> Bool {
    for start in bytes.indices where firstBytes[Int(bytes[start])] {
      for needle in needles where needle.count <= bytes.count - start {
        if needle.indices.allSatisfy({ bytes[start + $0] == needle[$0] }) { return true }
      }
    }
    return false
  }

  let complaints: Complaints

  /// Looks for a place only when there is something to be found: a search for fixed texts over the
  /// whole file is much cheaper than the patterns.
  func scan(_ document: JSONDocument) {
    guard Self.mayHoldSecret(document.bytes.span), let pattern = Self.pattern else { return }
    for value in document.root.strings where value.string.map(pattern.matches) == true {
      complaints.add(
        .secret, at: value, "found what looks like a secret, expected none in a file",
        fix: "revoke it, and write something that is plainly invented")
    }
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
}

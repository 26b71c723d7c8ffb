import UnderstudyCore

/// Environment variables that hold credentials or lead to some.
package enum SecretVariables {
  private static let exact: Set = [
    "ACTIONS_ID_TOKEN_REQUEST_URL", "AZURE_CLIENT_CERTIFICATE_PATH", "DOCKER_AUTH_CONFIG",
    "DOCKER_CONFIG", "GOOGLE_APPLICATION_CREDENTIALS", "PGPASSFILE", "SSH_AGENT_PID",
    "SSH_AUTH_SOCK",
  ]
  /// Words anywhere in a name: `KUBE_CONFIG_DATA`.
  private static let words: Set<Substring> = [
    "ASKPASS", "CREDENTIAL", "CREDENTIALS", "CREDS", "DSN", "JWT", "KUBE", "KUBECONFIG", "NETRC",
    "PASSPHRASE", "PASSWD", "PASSWORD", "SECRET", "SECRETS", "TOKEN", "TOKENS", "WEBHOOK",
  ]
  /// Last words, before a number and what says how it is kept: `STRIPE_KEY`, `DEPLOY_KEY_BASE64`.
  private static let lastWords: Set<Substring> = ["AUTH", "KEY", "KEYS", "PASS", "PAT", "PIN"]
  private static let forms: Set<Substring> = [
    "B64", "BASE64", "DATA", "FILE", "ID", "PATH", "STRING",
  ]

  /// Whether variables of this name are credentials, or this tool's own.
  package static func hides(_ name: String) -> Bool {
    let words = name.uppercased().split(separator: "_")
    let last = words.last { !forms.contains($0) && !$0.allSatisfy(\.isNumber) }
    return words.first == "UNDERSTUDY" || exact.contains(name)
      || words.contains(where: Self.words.contains) || last.map(lastWords.contains) ?? false
      || name.hasSuffix("_CONNECTION_STRING") || SecretNames.standard.hides(name)
  }

  /// Whether a variable is a credential by its name, or by the form of its value.
  package static func hides(_ name: String, _ value: String) -> Bool {
    hides(name) || SecretNames.standard.hides(name, value, in: .field)
      || SecretMask.looksSecret(Array(value.utf8)) || namesUser(value)
  }

  /// Whether a URL in the text has a user, and perhaps a password, before its host.
  private static func namesUser(_ text: String) -> Bool {
    var rest = text.utf8[...]
    while let start = rest.firstRange(ofBytes: "://".utf8)?.upperBound {
      rest = rest[start...]
      let user = rest.prefix { $0 > .space && $0 != .slash && $0 != .at }
      if !user.isEmpty, rest[user.endIndex...].first == .at { return true }
    }
    return false
  }
}

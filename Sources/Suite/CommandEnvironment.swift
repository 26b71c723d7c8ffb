package import UnderstudyContractModel
package import UnderstudyFakeServer
import UnderstudySecrets
import UnderstudySystem

/// The environment of a command: ours, with the addresses of the fake.
package struct CommandEnvironment {
  /// As `NAME=value`.
  package let variables: [String]

  /// - Parameters:
  ///   - session: of the fake; the main one if it is empty.
  ///   - played: the case that is played, by its id; `nil` when there is none.
  ///   - keepsCredentials: not for a command that contracts name, which a pull request may change.
  package init(
    _ upstreams: [Upstream], _ server: FakeUpstream, session: String = "", playing played: String?,
    keepsCredentials: Bool
  ) {
    let path = session.isEmpty ? "" : "/~\(session)"
    var added = ["UNDERSTUDY_URL": "http://\(server.address)\(path)"]
    for upstream in upstreams {
      added[Self.addressName(of: upstream)] = server.baseURL(of: upstream, session: session)
    }
    added["UNDERSTUDY_CASE"] = played
    let inherited = Self.inherited.filter { variable in
      variable.name != "UNDERSTUDY_CASE" && added[variable.name] == nil
        && (keepsCredentials || !Self.isCredential(variable))
    }
    // A proxy could not reach this machine's loopback address, and must not see the requests.
    let proxied = ["no_proxy", "NO_PROXY"].map { name in
      let hosts = inherited.first { $0.name == name }.map { "\($0.value)," } ?? ""
      return (name: name, value: "\(hosts)127.0.0.1")
    }
    let kept = inherited.filter { $0.name.lowercased() != "no_proxy" }
    let ours = added.sorted { $0.key < $1.key }.map { (name: $0.key, value: $0.value) }
    variables = (kept + proxied + ours).map { "\($0.name)=\($0.value)" }
  }

  /// `UNDERSTUDY_URL_DOG_CEO` of `dog-ceo`.
  package static func addressName(of upstream: Upstream) -> String {
    "UNDERSTUDY_URL_" + upstream.name.uppercased().replacing("-", with: "_")
  }

  private static var inherited: [(name: String, value: String)] {
    Environment.variables.compactMap { variable in
      let parts = variable.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      return parts.count == 2 ? (String(parts[0]), String(parts[1])) : nil
    }
  }

  /// Names of credentials, or of ways to get some, that do not look like it.
  private static let credentialNames: Set = [
    "ACTIONS_ID_TOKEN_REQUEST_URL", "AZURE_CLIENT_CERTIFICATE_PATH", "DOCKER_AUTH_CONFIG",
    "DOCKER_CONFIG", "GOOGLE_APPLICATION_CREDENTIALS", "KUBECONFIG", "NETRC", "PGPASSFILE",
    "SSH_AGENT_PID", "SSH_AUTH_SOCK",
  ]
  private static let credentialEndings = [
    "_PAT", "_ASKPASS", "_CREDENTIALS_FILE", "_TOKEN_FILE", "_PASSWORD_FILE", "_CONNECTION_STRING",
  ]

  /// Whether it is ours, or by its name or value a credential: a URL may name a user.
  private static func isCredential(_ variable: (name: String, value: String)) -> Bool {
    let (name, value) = variable
    let isNamed =
      name.hasPrefix("UNDERSTUDY_") || credentialNames.contains(name)
      || credentialEndings.contains(where: name.hasSuffix)
      || SecretNames.standard.hides(name, value, in: .field) || SecretNames.standard.hides(name)
    return isNamed || value.contains(/:\/\/[^\/@\s]+@/)
  }
}

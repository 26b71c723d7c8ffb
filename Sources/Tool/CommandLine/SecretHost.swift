import UnderstudyContractModel
import UnderstudyCore

/// A secret's variable and the only place that may get it:
/// `UNDERSTUDY_GITHUB_TOKEN=api.github.com`.
struct SecretHost: Sendable {
  static let option = Parameter.options(
    "secret", "NAME=HOST",
    ValueFormat(
      .other(
        "NAME=HOST, a variable that begins with UNDERSTUDY_ and a host such as api.example.com"),
      parse: SecretHost.init),
    "Send nothing if this secret would go to another host, or not over HTTPS, whatever"
      + " upstream.json says. HOST may also be an origin, such as http://127.0.0.1:8080.")

  private let name: String
  private let origin: WebURL

  private init?(argument: String) {
    let parts = argument.split(separator: "=", maxSplits: 1)
    guard parts.count == 2, let name = parts.first, let host = parts.last else { return nil }
    let text = host.contains("://") ? String(host) : "https://\(host)"
    guard SecretVariable.isName(name), let origin = WebURL(base: text), origin.path.isEmpty else {
      return nil
    }
    (self.name, self.origin) = (String(name), origin)
  }

  static func hosts(_ arguments: ParsedArguments) throws(Failure) -> SecretHosts {
    var origins: [String: Set<WebURL>] = [:]
    for host in try arguments.value(of: option) {
      origins[host.name, default: []].insert(host.origin)
    }
    return SecretHosts(origins)
  }
}

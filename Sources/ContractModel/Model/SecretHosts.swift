package import UnderstudyCore

/// The only origins that secrets may be sent to, by variable, as `--secret NAME=HOST` gives them.
///
/// A variable that is not here goes to the origin in its upstream's file, which a pull request can
/// change; who runs the tool gives these.
package struct SecretHosts: Sendable {
  private let origins: [String: Set<WebURL>]

  package init(_ origins: [String: Set<WebURL>] = [:]) { self.origins = origins }

  /// Fails where a variable is no secret of these upstreams: misspelt, it would protect nothing.
  package func checkNames(of upstreams: [Upstream]) throws(Failure) {
    let known = Set(upstreams.flatMap(\.secrets).map(\.environmentName)).sorted()
    guard let name = origins.keys.sorted().first(where: { !known.contains($0) }) else { return }
    let list = known.isEmpty ? nil : "known: \(known.joined(separator: ", "))"
    throw Failure(
      message: "found --secret \(name), expected a variable of \"secrets\" in an upstream.json",
      fix: Spelling.suggestion(for: name, among: known) ?? list)
  }

  /// Fails where requests to an address would carry a secret that belongs elsewhere.
  package func check(_ upstream: Upstream, at url: WebURL) throws(Failure) {
    for secret in upstream.secrets {
      let name = secret.environmentName
      guard let allowed = origins[name], !allowed.contains(url.origin) else { continue }
      let hosts = allowed.map(\.text).sorted().joined(separator: " or ")
      throw Failure(
        at: Place(upstream.file, upstream.basePosition),
        message: "found \(url.origin), expected \(hosts), the only place that may get \(name)",
        fix: "correct \"baseURL\", or name this host in --secret, too, if it may get it")
    }
  }
}

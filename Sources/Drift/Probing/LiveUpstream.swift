import UnderstudyClient
package import UnderstudyContractModel
package import UnderstudyCore

/// The address of an upstream in a run, and the headers and secrets it gets.
package struct LiveUpstream: Sendable {
  package let upstream: Upstream
  /// The base URL, without a slash at its end.
  private(set) package var baseURL: WebURL
  /// The headers for requests of contracts; consumers send their own.
  let headers: [HeaderField]
  /// The headers with secrets, with their values; empty at any other address than the declared one.
  private(set) package var secrets: [HeaderField]
  /// Whether it is at another address than the declared one, which gets no secrets.
  let isElsewhere: Bool
  /// The required environment variables that are not set.
  package let missingSecrets: [String]

  package var name: String { upstream.name }

  /// `nil` when it has no live API.
  ///
  /// - Parameter override: an address to use instead of the live API; it gets no secrets.
  package init?(
    _ upstream: Upstream, override: WebURL? = nil, environment: (String) -> String?
  ) {
    guard let baseURL = override ?? upstream.baseURL else { return nil }
    self.upstream = upstream
    self.baseURL = baseURL
    isElsewhere = override != nil
    headers = upstream.headers
    var (secrets, missing): ([HeaderField], [String]) = ([], [])
    for secret in isElsewhere ? [] : upstream.secrets {
      if let value = secret.value(from: environment) {
        secrets.append(HeaderField(name: secret.header, value: value))
      } else if !secret.isOptional {
        missing.append(secret.environmentName)
      }
    }
    self.secrets = secrets
    missingSecrets = missing
  }

  /// This upstream as the target of another upstream's redirect: it gets no secrets.
  var unknown: LiveUpstream {
    var upstream = self
    upstream.secrets = []
    return upstream
  }

  /// This upstream as the target of its own redirect beyond the base URL: secrets stay with its
  /// origin.
  func beyond(at origin: WebURL) -> LiveUpstream {
    var upstream = WebAddress(baseURL.text)?.origin == origin ? self : unknown
    upstream.baseURL = origin
    return upstream
  }

  /// The target below the base URL, `/random?count=3`; `nil` when the address is elsewhere.
  func target(of url: String) -> String? {
    guard let target = whatFollowsOrigin(in: url), target.hasPrefix(baseURL.path) else {
      return nil
    }
    let rest = target.dropFirst(baseURL.path.count)
    switch rest.first {
    case nil: return "/"
    case "/": return String(rest)
    case "?": return "/\(rest)"
    default: return nil
    }
  }

  /// `nil` when an address has another origin.
  private func whatFollowsOrigin(in url: String) -> Substring? {
    let origin = baseURL.origin
    // Nearly all are spelled like this; others are parsed.
    if url.hasPrefix(origin.text) {
      let rest = url[url.utf8.index(url.startIndex, offsetBy: origin.text.utf8.count)...]
      if rest.first.map("/?#".contains) ?? true { return rest }
    }
    guard let scheme = url.utf8.firstRange(ofBytes: "://".utf8) else { return nil }
    let rest = url[scheme.upperBound...].drop { !"/?#".contains($0) }
    return WebURL(base: String(url[..<rest.startIndex])) == origin ? rest : nil
  }
}

extension [LiveUpstream] {
  /// The upstreams of a library that have a live API.
  ///
  /// - Parameter baseURLs: addresses to use instead, by name.
  package init(
    _ library: ContractLibrary, _ baseURLs: [String: WebURL], environment: (String) -> String?
  ) {
    self = library.upstreams.compactMap {
      LiveUpstream($0, override: baseURLs[$0.name], environment: environment)
    }
  }

  /// The upstream of an address; of several, the one with the longest match.
  func owner(of url: String) -> (upstream: LiveUpstream, target: String)? {
    compactMap { upstream in upstream.target(of: url).map { (upstream, $0) } }
      .max { $0.0.baseURL.path.utf8.count < $1.0.baseURL.path.utf8.count }
  }
}

extension SecretHosts {
  /// Fails where requests of a run would carry a secret that belongs elsewhere.
  package func check(_ upstream: LiveUpstream) throws(Failure) {
    if !upstream.isElsewhere { try check(upstream.upstream, at: upstream.baseURL) }
  }
}

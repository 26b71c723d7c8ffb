import UnderstudyClient
package import UnderstudyContractModel
package import UnderstudyCore

/// Where an upstream is asked in a run, and what it is told.
package struct LiveUpstream: Sendable {
  package let upstream: Upstream
  /// Without a slash at its end.
  private(set) package var baseURL: WebURL
  /// For requests that are not a consumer's: it sends its own.
  let headers: [HeaderField]
  /// With their values; empty where the address is not the one that declares them.
  private(set) package var secrets: [HeaderField]
  /// The environment variables that have to be set and are not.
  package let missingSecrets: [String]

  package var name: String { upstream.name }

  /// `nil` when there is no live side.
  ///
  /// - Parameter override: where it is asked instead of its live API; it is told no secrets there.
  package init?(
    _ upstream: Upstream, override: WebURL? = nil, environment: (String) -> String?
  ) {
    guard let baseURL = override ?? upstream.baseURL else { return nil }
    self.upstream = upstream
    self.baseURL = baseURL
    headers = upstream.headers
    var (secrets, missing): ([HeaderField], [String]) = ([], [])
    for secret in override == nil ? upstream.secrets : [] {
      if let value = secret.value(from: environment) {
        secrets.append(HeaderField(name: secret.header, value: value))
      } else if !secret.isOptional {
        missing.append(secret.environmentName)
      }
    }
    self.secrets = secrets
    missingSecrets = missing
  }

  /// The same for what a redirect of another leads to: it is told no secrets there.
  var unknown: LiveUpstream {
    var upstream = self
    upstream.secrets = []
    return upstream
  }

  /// The same for what its own redirects lead to beyond its base URL: secrets stay with its origin.
  func beyond(at origin: WebURL) -> LiveUpstream {
    var upstream = WebAddress(baseURL.text)?.origin == origin ? self : unknown
    upstream.baseURL = origin
    return upstream
  }

  /// What is asked for beneath the base URL, `/random?count=3`; `nil` when the address is elsewhere.
  func target(of url: String) -> String? {
    guard let scheme = url.firstRange(of: "://") else { return nil }
    let target = url[scheme.upperBound...].drop { !"/?#".contains($0) }
    guard WebURL(base: String(url[..<target.startIndex])) == baseURL.origin,
      target.hasPrefix(baseURL.path)
    else { return nil }
    let rest = target.dropFirst(baseURL.path.count)
    switch rest.first {
    case nil: return "/"
    case "/": return String(rest)
    case "?": return "/\(rest)"
    default: return nil
    }
  }
}

extension [LiveUpstream] {
  /// Those of a library that have a live side.
  ///
  /// - Parameter baseURLs: where they are asked instead, by name.
  package init(
    _ library: ContractLibrary, _ baseURLs: [String: WebURL], environment: (String) -> String?
  ) {
    self = library.upstreams.compactMap {
      LiveUpstream($0, override: baseURLs[$0.name], environment: environment)
    }
  }

  /// The upstream an address belongs to, of several the one that says more of it.
  func owner(of url: String) -> (upstream: LiveUpstream, target: String)? {
    compactMap { upstream in upstream.target(of: url).map { (upstream, $0) } }
      .max { $0.0.baseURL.path.utf8.count < $1.0.baseURL.path.utf8.count }
  }
}

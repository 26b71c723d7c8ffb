package import UnderstudyContractModel
package import UnderstudyCore

/// Forwards requests for some upstreams to other servers, such as their live APIs.
package struct Relay: Sendable {
  /// By upstream name. An upstream need not have contracts.
  private let baseURLs: [String: WebURL]
  /// Those of upstreams that are named while the server runs.
  private let laterBaseURL: @Sendable (String) -> WebURL?
  /// Whether requests are forwarded even if a contract responds to them.
  package let takesAll: Bool
  /// Whether a request is forwarded although this contract responds to it; called like `ask`.
  package let takes: @Sendable (RelayedRequest, Contract) -> Bool
  /// Called on the loop's thread, so it must return at once. The response is given later, from any
  /// thread. The result is released when the response is there, or the client has left.
  package let ask: Ask

  /// Sends a request to an upstream, without waiting for the response.
  package typealias Ask =
    @Sendable (RelayedRequest, _ then: @escaping Then) -> Errand?
  /// Takes the upstream's response, or the reason why there is none.
  package typealias Then = @Sendable (RelayedResponse) -> Void

  package init(
    baseURLs: [String: WebURL],
    later laterBaseURL: @escaping @Sendable (String) -> WebURL? = { _ in nil },
    takesAll: Bool, ask: @escaping Ask,
    takes: @escaping @Sendable (RelayedRequest, Contract) -> Bool = { _, _ in false }
  ) {
    self.baseURLs = baseURLs
    self.laterBaseURL = laterBaseURL
    self.takesAll = takesAll
    self.takes = takes
    self.ask = ask
  }

  /// The live API of an upstream; `nil` for one whose requests are not forwarded.
  func baseURL(of name: String) -> WebURL? { baseURLs[name] ?? laterBaseURL(name) }

  /// The request as the upstream would get it; `nil` when no upstream matches. `route` is its route
  /// by the contracts, which uses the `Host` if the path does not begin with a name.
  func request(_ request: Request, _ route: RequestIndex.Route?) -> RelayedRequest? {
    let (name, inner) = request.behindName
    if let base = baseURL(of: name) {
      return inner.relative(to: base.path).map {
        RelayedRequest(upstreamName: name, baseURL: base, request: $0)
      }
    }
    guard let route, let base = baseURL(of: route.upstream.name) else { return nil }
    return RelayedRequest(
      upstreamName: route.upstream.name, baseURL: base, request: route.request)
  }

  /// The upstream whose requests to a URL are forwarded.
  func upstreamName(of url: WebURL) -> String? {
    baseURLs.filter { $0.value.remainder(of: url) != nil }
      .max { $0.value.path.utf8.count < $1.value.path.utf8.count }?.key
  }

  /// Whether a `Host` is that of a live API.
  func knows(host: String) -> Bool {
    let name = WebURL.host(of: host.lowercased()[...])
    return baseURLs.values.contains { $0.host == name }
  }
}

/// A request being forwarded to an upstream.
package struct RelayedRequest: Sendable {
  package let upstreamName: String
  /// The base URL of the live API.
  package let baseURL: WebURL
  /// Its path is relative to the base URL; the server's own token is not among its headers.
  package let request: Request

  init(upstreamName: String, baseURL: WebURL, request: Request) {
    self.upstreamName = upstreamName
    self.baseURL = baseURL
    var request = request
    request.headers.removeAll { $0.key == AccessGate.tokenName }
    self.request = request
  }
}

extension RelayedRequest {
  /// The request to another server, below its base URL.
  func below(_ target: WebURL) -> RelayedRequest {
    RelayedRequest(upstreamName: upstreamName, baseURL: target, request: request)
  }

  /// The request without an `Authorization` that carries the server's own token.
  func without(token: String?) -> RelayedRequest {
    guard let token else { return self }
    var request = request
    request.headers.removeAll { header in
      header.key == "authorization"
        && AccessGate.bearer(in: header.value).map { $0 == token } ?? false
    }
    return RelayedRequest(upstreamName: upstreamName, baseURL: baseURL, request: request)
  }
}

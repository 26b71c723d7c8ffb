extension RequestIndex {
  /// The upstream a request is for, and the request with its path made relative to the base URL.
  package struct Route: Sendable {
    package let upstream: Upstream
    package let request: Request
  }

  /// By path prefix (`/dog-ceo/api/…`), else by `Host`; `nil` when neither names an upstream.
  ///
  /// - Parameter isNamed: whether a path prefix is the name of an upstream that has no contracts yet,
  ///   and so decides before any `Host`.
  package func route(
    _ request: Request, orWhere isNamed: (String) -> Bool = { _ in false }
  ) -> Route? {
    let (name, inner) = request.behindName
    if let index = upstreamNumbers.find(name, in: 0) { return route(inner, to: upstreams[index]) }
    guard !isNamed(name), let host = request.headerValue("host") else { return nil }
    var request = request
    request.path = PercentEncoding.normalize(path: request.path)
    for index in hosts.upstreams(of: host) {
      if let route = route(request, to: upstreams[index]) { return route }
    }
    return nil
  }

  /// Whether requests with this `Host` are for an upstream.
  package func knows(host: String) -> Bool { !hosts.upstreams(of: host).isEmpty }

  private func route(_ request: Request, to upstream: Upstream) -> Route? {
    request.relative(to: upstream.basePath).map { Route(upstream: upstream, request: $0) }
  }
}

extension Request {
  /// The name its path begins with, and the request without it: `dog-ceo` and `/api/x` of
  /// `/dog-ceo/api/x`.
  package var behindName: (name: String, request: Request) {
    let path = PercentEncoding.normalize(path: path)
    let name = Substring(path.utf8.dropFirst().prefix { $0 != UInt8(ascii: "/") })
    var inner = self
    inner.path = name.endIndex < path.endIndex ? String(path[name.endIndex...]) : "/"
    return (String(name), inner)
  }

  /// `nil` when its path is not beneath the base path.
  package func relative(to basePath: String) -> Request? {
    guard path == basePath || path.hasPrefix("\(basePath)/") else { return nil }
    var relative = self
    let rest = path.dropFirst(basePath.count)
    relative.path = rest.isEmpty ? "/" : String(rest)
    return relative
  }
}

extension RequestIndex.Candidate {
  /// The case whose live request this is.
  package func liveCaseIndex(for parts: RequestParts) -> Int? {
    liveCases?.caseIndex(for: parts, in: template)
  }

  /// The case that a request plays as long as no state is set and nothing was chosen.
  package func unsteeredCase(for parts: RequestParts) -> Case {
    contract.unsteeredCase(for: parts, in: template, liveCases)
  }
}

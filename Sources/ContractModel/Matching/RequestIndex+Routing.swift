import UnderstudyCore

extension RequestIndex {
  /// The upstream of a request, and the request with its path relative to the base URL.
  package struct Route: Sendable {
    package let upstream: Upstream
    package let request: Request
  }

  /// By path prefix (`/dog-ceo/api/…`), else by `Host`; `nil` when neither names an upstream.
  ///
  /// - Parameter isNamed: whether a path prefix names an upstream without contracts, which takes
  /// precedence over any `Host`.
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

  /// Whether requests with this `Host` lead to an upstream.
  package func knows(host: String) -> Bool { !hosts.upstreams(of: host).isEmpty }

  /// The upstreams that a `Host` may mean.
  package func upstreamNames(ofHost host: String) -> [String] {
    hosts.upstreams(of: host).map { upstreams[$0].name }
  }

  /// Whether a client of a proxy may ask for a host and its port.
  package func knows(place: String) -> Bool { !hosts.upstreams(at: place).isEmpty }

  /// The upstream of a host, its port and a path, or of the host alone where no base URL has the
  /// path.
  package func upstreamName(at place: String, path: String) -> String? {
    let found = hosts.upstreams(at: place).map { upstreams[$0] }
    let path = PercentEncoding.normalize(path: path)
    let whole = found.first { path == $0.basePath || path.hasPrefix("\($0.basePath)/") }
    return (whole ?? found.first)?.name
  }

  private func route(_ request: Request, to upstream: Upstream) -> Route? {
    request.relative(to: upstream.basePath).map { Route(upstream: upstream, request: $0) }
  }
}

extension Request {
  /// The name that the path begins with, and the request without it: `dog-ceo` and `/api/x` for
  /// `/dog-ceo/api/x`.
  package var behindName: (name: String, request: Request) {
    let path = PercentEncoding.normalize(path: path)
    let name = Substring(path.utf8.dropFirst().prefix { $0 != UInt8(ascii: "/") })
    var inner = self
    inner.path = name.endIndex < path.endIndex ? String(path[name.endIndex...]) : "/"
    return (String(name), inner)
  }

  /// `nil` when the path is not below the base path.
  package func relative(to basePath: String) -> Request? {
    guard path == basePath || path.hasPrefix("\(basePath)/") else { return nil }
    var relative = self
    let rest = path.dropFirst(basePath.count)
    relative.path = rest.isEmpty ? "/" : String(rest)
    return relative
  }
}

extension RequestIndex.Candidate {
  /// The case that has this live request.
  package func liveCaseIndex(for parts: any RequestFields) -> Int? {
    liveCases?.caseIndex(for: parts, in: template)
  }

  /// The case that a request serves when no state is set and no case is chosen.
  package func unsteeredCase(for parts: any RequestFields) -> Case? {
    let index =
      contract.caseIndexByWhen(for: parts, in: template)
      ?? liveCases?.caseIndex(for: parts, in: template)
    return index.map { contract.cases[$0] } ?? contract.defaultCase
  }
}

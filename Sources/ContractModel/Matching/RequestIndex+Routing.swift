extension RequestIndex {
  /// The upstream a request is for, and the request with its path made relative to the base URL.
  package struct Route: Sendable {
    package let upstream: Upstream
    package let request: Request
  }

  /// By path prefix (`/dog-ceo/api/…`), else by `Host`; `nil` when neither names an upstream.
  package func route(_ request: Request) -> Route? {
    let path = PercentEncoding.normalize(path: request.path)
    let name = Substring(path.utf8.dropFirst().prefix { $0 != UInt8(ascii: "/") })
    if let index = upstreamNumbers.find(String(name), in: 0) {
      let rest = path[name.endIndex...]
      return route(request, to: upstreams[index], path: rest.isEmpty ? "/" : String(rest))
    }
    let host = request.headers.first { $0.name.lowercased() == "host" }?.value
    for index in host.map(upstreams(ofHost:)) ?? [] {
      if let route = route(request, to: upstreams[index], path: path) { return route }
    }
    return nil
  }

  /// The upstreams that a `Host` stands for, with its port or without.
  func upstreams(ofHost host: String) -> [Int] {
    let host = host.lowercased()
    if let found = upstreamsByHost[host] { return found }
    let colon = host.hasSuffix("]") ? nil : host.lastIndex(of: ":")
    return upstreamsByHost[String(host[..<(colon ?? host.endIndex)])] ?? []
  }

  /// `nil` when the path does not begin with the upstream's base path.
  private func route(_ request: Request, to upstream: Upstream, path: String) -> Route? {
    let basePath = upstream.basePath
    guard path == basePath || path.hasPrefix("\(basePath)/") else { return nil }
    var relative = request
    let rest = path.dropFirst(basePath.count)
    relative.path = rest.isEmpty ? "/" : String(rest)
    return Route(upstream: upstream, request: relative)
  }
}

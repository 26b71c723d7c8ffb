import UnderstudyCore

/// Finds upstreams by the `Host` of a request.
///
/// The port counts: APIs on two ports of a machine are two upstreams. A name that belongs to only
/// one live API leads to it on any port, since the fake rarely has the live API's port. An IP
/// address or `localhost` does not, since it may be the fake's own.
struct HostTable: Sendable {
  /// By host and port. The longest base path of a host comes first, so `/v1/admin` precedes `/v1`.
  private var byPlace: [String: [Int]] = [:]
  /// By the host alone.
  private var byName: [String: [Int]] = [:]
  /// The upstreams whose files name hosts without a port.
  private let onAnyPort: Set<Int>
  private let pathLengths: [Int]

  var isEmpty: Bool { byPlace.isEmpty && byName.isEmpty }

  init(_ upstreams: [Upstream]) {
    onAnyPort = Set(
      upstreams.indices.filter { upstreams[$0].hosts.contains { !$0.contains(":") } })
    pathLengths = upstreams.map(\.basePath.utf8.count)
    var origins: [String: Set<WebURL>] = [:]
    for base in upstreams.compactMap(\.hostingBaseURL) {
      origins[base.host, default: []].insert(base.origin)
    }
    for (index, upstream) in upstreams.enumerated() {
      for host in Set(upstream.hosts) {
        if host.contains(":") {
          byPlace[host, default: []].append(index)
        } else {
          byName[host, default: []].append(index)
        }
      }
      guard let base = upstream.hostingBaseURL else { continue }
      byPlace[base.place, default: []].append(index)
      if !base.isBareAddress, origins[base.host]?.count == 1 {
        byName[base.host, default: []].append(index)
      }
    }
    byPlace = byPlace.mapValues(sorted)
    byName = byName.mapValues(sorted)
  }

  private func sorted(_ upstreams: [Int]) -> [Int] {
    upstreams.sorted { pathLengths[$0] > pathLengths[$1] }
  }

  /// The upstreams that a client of a proxy means by a host and its port. Another port is another
  /// API, but one of the ports of HTTP and HTTPS stands for the other where it has none.
  func upstreams(at place: String) -> [Int] {
    let place = place.lowercased()
    var name = String(WebURL.host(of: place[...]))
    let port = place.dropFirst(name.count)
    if name.hasSuffix(".") { name.removeLast() }
    let ports =
      switch port {
      case ":80": [":80", ":443"]
      case ":443": [":443", ":80"]
      default: [String(port)]
      }
    let found = ports.lazy.compactMap { byPlace["\(name)\($0)"] }.first ?? []
    return sorted(found + (byName[name] ?? []).filter(onAnyPort.contains))
  }

  /// The upstreams that a `Host` may mean, with its port or without.
  func upstreams(of host: String) -> [Int] {
    let host = host.lowercased()
    let name = String(WebURL.host(of: host[...]))
    let found =
      name == host ? byPlace["\(host):80"] ?? byPlace["\(host):443"] : byPlace[host]
    guard let others = byName[name] else { return found ?? [] }
    return found.map { sorted($0 + others) } ?? others
  }
}

extension Upstream {
  /// The base URL, unless the file names other hosts.
  var hostingBaseURL: WebURL? { hosts.isEmpty ? baseURL : nil }

  /// The names and addresses of its hosts, without ports.
  package var hostNames: [String] {
    ownPlaces.map { String(WebURL.host(of: $0.shown[...])) }
  }

  /// The host names that may lead here, as a message shows them, each with the ports that count as
  /// its own.
  package var ownPlaces: [(shown: String, places: [String])] {
    if let base = hostingBaseURL { return [(base.authority, [base.place])] }
    return hosts.map { host in
      (host, host.contains(":") ? [host] : [host, "\(host):80", "\(host):443"])
    }
  }
}

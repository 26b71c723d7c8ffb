import UnderstudyContractModel

/// Contracts that are asked before those of the layer below: those made at run time before those of
/// files.
final class Layer: Sendable {
  let library: ServableLibrary
  let below: Layer?
  /// The numbers of the contracts that match nothing, because others have replaced them; `nil` for
  /// none.
  let hidden: NumberSet?
  /// Whether the layer below is asked with this one, not after it: of what both have for a request,
  /// the more specific contract responds.
  let isBesideBelow: Bool

  init(
    _ library: ServableLibrary, hiding hidden: NumberSet = NumberSet(), above below: Layer? = nil,
    isBeside isBesideBelow: Bool = false
  ) {
    self.library = library
    self.hidden = hidden.isEmpty ? nil : hidden
    self.below = below
    self.isBesideBelow = isBesideBelow
  }

  /// This layer and those below.
  var all: some Sequence<Layer> { sequence(first: self, next: \.below) }

  /// The contracts of files.
  var lowest: Layer {
    var layer = self
    while let below = layer.below { layer = below }
    return layer
  }

  /// The upstreams of all layers, with the contracts that are not replaced.
  var upstreams: [Upstream] {
    if below == nil { return library.index.upstreams }
    var declared: [String: Upstream] = [:]
    var contracts: [String: [Contract]] = [:]
    for layer in all {
      for upstream in layer.library.index.upstreams { declared[upstream.name] = upstream }
      for (number, contract) in layer.library.index.numberedContracts()
      where !(layer.hidden?.contains(number) ?? false) {
        contracts[contract.upstreamName, default: []].append(contract)
      }
    }
    return declared.sorted { $0.key < $1.key }.map { name, upstream in
      upstream.with(contracts: (contracts[name] ?? []).sorted { $0.name < $1.name })
    }
  }

  /// Sorted.
  var upstreamNames: [String] {
    Set(all.flatMap { $0.library.index.upstreams.map(\.name) }).sorted()
  }

  /// As one of the layers declares it, which need not have all contracts.
  func upstream(named name: String) -> Upstream? {
    library.index.upstream(named: name) ?? below?.upstream(named: name)
  }

  /// Whether requests with this `Host` lead to an upstream.
  func knows(host: String) -> Bool { lowest.library.index.knows(host: host) }

  /// The upstreams that this host may mean, as files say.
  func upstreams(ofHost host: String) -> [Upstream] {
    let names = Set(lowest.library.index.upstreamNames(ofHost: host))
    return upstreams.filter { names.contains($0.name) }
  }

  /// Whether a client of a proxy may ask for a host and its port.
  func knows(place: String) -> Bool { lowest.library.index.knows(place: place) }

  /// The upstream of a host, its port and a path, or of the host alone where no base URL has the
  /// path.
  func upstreamName(at place: String, path: String) -> String? {
    lowest.library.index.upstreamName(at: place, path: path)
  }

  /// The upstream that a request leads to.
  ///
  /// - Parameter isNamed: whether a path prefix names an upstream that no layer has.
  func route(
    _ request: Request, orWhere isNamed: (String) -> Bool = { _ in false }
  ) -> RequestIndex.Route? {
    // Only files say which hosts an upstream has.
    let files = lowest.library.index
    if let found = files.route(request, orWhere: { isNamed($0) || upstream(named: $0) != nil }) {
      return found
    }
    for layer in all {
      if let found = layer.library.index.route(request, orWhere: { _ in true }) { return found }
    }
    return nil
  }

  /// What a request leads to, or why to nothing.
  func explain(_ request: Request) -> Explanation {
    let route = route(request)
    var explanations: [Explanation] = []
    var isBesideLast = false
    for layer in all {
      var own = layer.library.index.explain(request, along: route, hiding: layer.hidden)
      if isBesideLast, let last = explanations.popLast() {
        own = last.joined(with: own, isBefore: false)
      }
      explanations.append(own)
      isBesideLast = layer.isBesideBelow
    }
    return explanations.dropFirst().reduce(explanations[0]) { $0.joined(with: $1, isBefore: true) }
  }
}

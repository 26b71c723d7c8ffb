import UnderstudyContractModel

/// Contracts that are asked before those of the layer below: those made at run time before those of
/// files.
final class Layer: Sendable {
  let library: PlayableLibrary
  let below: Layer?
  /// The numbers of the contracts that one of the same name above replaces; `nil` for none.
  let hidden: Set<Int>?

  init(_ library: PlayableLibrary, above below: Layer? = nil) {
    self.library = library
    hidden = nil
    self.below = below.map { $0.hiding(library.index.upstreams) }
  }

  private init(_ library: PlayableLibrary, above below: Layer?, hiding hidden: Set<Int>?) {
    self.library = library
    self.below = below
    self.hidden = hidden
  }

  /// The same layers without the contracts that these upstreams have.
  private func hiding(_ upstreams: [Upstream]) -> Layer {
    let below = below.map { $0.hiding(upstreams) }
    let found = upstreams.flatMap { upstream in
      upstream.contracts.compactMap { library.index.contractNumber(of: $0) }
    }
    if found.isEmpty, below === self.below { return self }
    return Layer(
      library, above: below, hiding: found.isEmpty ? hidden : (hidden ?? []).union(found))
  }

  /// The upstreams of all layers, with the contracts that are not replaced.
  var upstreams: [Upstream] {
    var own = library.index.upstreams
    if let hidden, !hidden.isEmpty {
      own = own.map { upstream in
        upstream.with(
          contracts: upstream.contracts.filter { contract in
            !(library.index.contractNumber(of: contract).map(hidden.contains) ?? false)
          })
      }
    }
    guard let below else { return own }
    var known = below.upstreams
    for upstream in own {
      guard let place = known.firstIndex(where: { $0.name == upstream.name }) else {
        known.append(upstream)
        continue
      }
      known[place] = known[place].with(
        contracts: (upstream.contracts + known[place].contracts).sorted { $0.name < $1.name })
    }
    return known.sorted { $0.name < $1.name }
  }

  /// Sorted.
  var upstreamNames: [String] {
    Set(library.index.upstreams.map(\.name)).union(below?.upstreamNames ?? []).sorted()
  }

  /// As one of the layers declares it, which need not have all contracts.
  func upstream(named name: String) -> Upstream? {
    library.index.upstream(named: name) ?? below?.upstream(named: name)
  }

  func contract(named name: String, of upstreamName: String) -> Contract? {
    library.index.upstream(named: upstreamName)?.contract(named: name)
      ?? below?.contract(named: name, of: upstreamName)
  }

  /// Whether requests with this `Host` lead to an upstream.
  func knows(host: String) -> Bool {
    library.index.knows(host: host) || below?.knows(host: host) ?? false
  }

  /// What a request leads to, or why to nothing.
  func explain(_ request: Request) -> Explanation {
    let own = library.index.explain(request)
    return below.map { own.joined(with: $0.explain(request)) } ?? own
  }
}

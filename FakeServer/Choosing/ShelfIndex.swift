import UnderstudyContractModel

/// The index of the contracts made at run time for a session, in parts.
///
/// A change makes a part of its own, joined with those that are not much larger. So there are few
/// parts, and of many changes hardly one indexes much again.
struct ShelfIndex: Sendable {
  private struct Part: Sendable {
    let library: ServableLibrary
    /// The numbers of the contracts that have been removed or replaced.
    var gone = NumberSet()

    var count: Int { library.index.contractCount - gone.count }

    var contracts: [Contract] {
      library.index.numberedContracts().filter { !gone.contains($0.number) }.map(\.contract)
    }
  }

  /// A library below, and the numbers of its contracts that those of the shelf replace.
  private struct Replaced: Sendable {
    let library: ServableLibrary
    var numbers: NumberSet
  }

  /// A part larger than the changes by more than this is left alone.
  private static let growth = 8

  /// The ones with the fewest contracts come first.
  private var parts: [Part] = []
  private var replaced: [Replaced] = []
  private var rankedNames: Set<String> = []
  private var made: (layer: Layer, below: Layer)?

  /// The contracts above those of `below`.
  mutating func layer(of contents: inout ShelfContents, above below: Layer) -> Layer {
    if let made, made.below === below, contents.changeCount == 0 { return made.layer }
    var changes = contents.takeChanges()
    let files = below.lowest.library
    // What files say of the upstreams is in all parts.
    let mayKeepParts =
      made?.below.lowest.library === files && rankedNames == Set(contents.ranked.keys)
    if !mayKeepParts {
      (parts, replaced, rankedNames) = ([], [], Set(contents.ranked.keys))
      changes = contents.names
    }
    change(changes, contents, files)
    for place in replaced.indices { replace(changes, contents, in: &replaced[place]) }
    replaced = below.all.map { layer in
      replaced.first { $0.library === layer.library } ?? replacedOnes(contents, in: layer.library)
    }
    var layer = hiding(replaced[...], below)
    for (place, part) in parts.reversed().enumerated() {
      layer = Layer(part.library, hiding: part.gone, above: layer, isBeside: place > 0)
    }
    made = (layer, below)
    return layer
  }

  // MARK: - Parts

  private mutating func change(
    _ changes: Set<ShelfContents.Name>, _ contents: ShelfContents, _ files: ServableLibrary
  ) {
    for name in changes {
      for place in parts.indices {
        let index = parts[place].library.index
        guard let number = index.contractNumber(named: name.contract, of: name.upstream) else {
          continue
        }
        parts[place].gone.insert(number)
      }
    }
    let known = contents.upstreamNames
    let lostUpstreams = Set(changes.map(\.upstream)).subtracting(known)
    var new = changes.compactMap(contents.contract)
    parts.removeAll { part in
      let isStale =
        2 * part.count <= part.library.index.contractCount
        || lostUpstreams.contains { part.library.index.upstreamNumber(of: $0) != nil }
      guard isStale || part.count <= Self.growth * new.count else { return false }
      new += part.contracts
      return true
    }
    guard !new.isEmpty else { return }
    parts.append(Part(library: library(of: new, contents, files)))
    parts.sort { $0.count < $1.count }
  }

  private func library(
    of contracts: [Contract], _ contents: ShelfContents, _ files: ServableLibrary
  ) -> ServableLibrary {
    let upstreams = Dictionary(grouping: contracts, by: \.upstreamName).map { name, contracts in
      let ranks = contracts.compactMap { contract in
        contents.rank(ShelfContents.Name(contract.name, of: name)).map { (contract.name, $0) }
      }
      let declared = files.index.upstream(named: name) ?? Upstream(named: name)
      return declared.with(
        contracts.sorted { $0.name < $1.name },
        ranks: ranks.isEmpty ? nil : Dictionary(ranks, uniquingKeysWith: { first, _ in first }))
    }
    return ServableLibrary(
      RequestIndex(upstreams.sorted { $0.name < $1.name }), rewriting: files.addresses)
  }

  // MARK: - Layers below

  private func replace(
    _ changes: Set<ShelfContents.Name>, _ contents: ShelfContents, in replaced: inout Replaced
  ) {
    let index = replaced.library.index
    for name in changes {
      guard let number = index.contractNumber(named: name.contract, of: name.upstream) else {
        continue
      }
      if contents.contract(name) == nil {
        replaced.numbers.remove(number)
      } else {
        replaced.numbers.insert(number)
      }
    }
  }

  private func replacedOnes(
    _ contents: ShelfContents, in library: ServableLibrary
  ) -> Replaced {
    var replaced = Replaced(library: library, numbers: NumberSet())
    // Whichever has fewer is looked up in the other.
    if parts.reduce(0, { $0 + $1.count }) < library.index.contractCount {
      replace(contents.names, contents, in: &replaced)
    } else {
      for (number, contract) in library.index.numberedContracts() {
        let name = ShelfContents.Name(contract.name, of: contract.upstreamName)
        if contents.contract(name) != nil { replaced.numbers.insert(number) }
      }
    }
    return replaced
  }

  /// A layer and those below without the contracts that are replaced.
  private func hiding(_ replaced: ArraySlice<Replaced>, _ layer: Layer) -> Layer {
    guard let own = replaced.first else { return layer }
    let below = layer.below.map { hiding(replaced.dropFirst(), $0) }
    if own.numbers.isEmpty, below === layer.below { return layer }
    return Layer(
      layer.library, hiding: own.numbers.union(layer.hidden ?? NumberSet()), above: below,
      isBeside: layer.isBesideBelow)
  }
}

package import UnderstudyContractModel

/// The contracts made at run time for a session, by their names.
struct ShelfContents: Sendable {
  struct Stub: Sendable {
    let contract: Contract
    let text: [UInt8]
    /// What its file had when it was made.
    var fileText: [UInt8]?
    /// When a file had it, in monotonic nanoseconds; the file serves in its place once it was read
    /// after that.
    var savedAt: Int64?
  }

  /// By upstream and name.
  private(set) var stubs: [String: [String: Stub]] = [:]
  /// By upstream and name: contracts of which the first that matches responds.
  private(set) var ranked: [String: [String: RankedContract]] = [:]
  private(set) var count = 0
  private(set) var byteCount = 0
  /// What was put or removed since somebody asked.
  private var changed: Set<Name> = []

  /// What a contract is called.
  struct Name: Hashable, Sendable {
    let upstream: String
    let contract: String

    init(_ contract: String, of upstream: String) {
      self.upstream = upstream
      self.contract = contract
    }
  }

  var isEmpty: Bool { stubs.isEmpty && ranked.isEmpty }

  var changeCount: Int { changed.count }

  var upstreamNames: Set<String> { Set(stubs.keys).union(ranked.keys) }

  var names: Set<Name> {
    Set(
      stubs.flatMap { upstream, stubs in stubs.keys.map { Name($0, of: upstream) } }
        + ranked.flatMap { upstream, ranked in ranked.keys.map { Name($0, of: upstream) } })
  }

  func stub(_ name: String, of upstreamName: String) -> Stub? { stubs[upstreamName]?[name] }

  func contract(_ name: Name) -> Contract? {
    stubs[name.upstream]?[name.contract]?.contract
      ?? ranked[name.upstream]?[name.contract]?.contract
  }

  /// The rank of a contract; `nil` where its upstream has none.
  func rank(_ name: Name) -> ContractRank? {
    guard let ranked = ranked[name.upstream] else { return nil }
    return stubs[name.upstream]?[name.contract] == nil
      ? ranked[name.contract]?.rank ?? .first : .first
  }

  /// What has changed since the last call.
  mutating func takeChanges() -> Set<Name> {
    defer { changed = [] }
    return changed
  }

  mutating func put(_ stub: Stub) {
    let contract = stub.contract
    let old = stubs[contract.upstreamName, default: [:]].updateValue(stub, forKey: contract.name)
    count += old == nil ? 1 : 0
    byteCount += stub.text.count - (old?.text.count ?? 0)
    changed.insert(Name(contract.name, of: contract.upstreamName))
  }

  mutating func remove(_ name: String, of upstreamName: String) -> Bool {
    guard let old = stubs[upstreamName]?.removeValue(forKey: name) else { return false }
    if stubs[upstreamName]?.isEmpty ?? false { stubs[upstreamName] = nil }
    count -= 1
    byteCount -= old.text.count
    changed.insert(Name(name, of: upstreamName))
    return true
  }

  mutating func change(_ change: RankedChange, of upstreamName: String) {
    let removed = change.removesOthers ? ranked[upstreamName].map { Set($0.keys) } : change.removed
    var contracts = ranked.removeValue(forKey: upstreamName) ?? [:]
    for name in removed ?? [] where contracts.removeValue(forKey: name) != nil {
      changed.insert(Name(name, of: upstreamName))
    }
    for added in change.added {
      contracts[added.contract.name] = added
      changed.insert(Name(added.contract.name, of: upstreamName))
    }
    ranked[upstreamName] = contracts.isEmpty ? nil : contracts
  }

  mutating func markSaved(
    _ name: String, of upstreamName: String, at time: Int64, as text: [UInt8]?
  ) {
    stubs[upstreamName]?[name]?.savedAt = time
    stubs[upstreamName]?[name]?.fileText = text
  }
}

/// A contract among those of which the one of the lowest rank responds.
package struct RankedContract: Sendable {
  package let contract: Contract
  package let rank: ContractRank

  package init(_ contract: Contract, _ rank: ContractRank) {
    self.contract = contract
    self.rank = rank
  }
}

/// What becomes of the ranked contracts of an upstream.
package struct RankedChange: Sendable {
  /// Whether whatever was there is gone.
  package var removesOthers = false
  package var removed: Set<String> = []
  package var added: [RankedContract] = []

  package init() {}
}

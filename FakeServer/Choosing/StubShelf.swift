import Synchronization
import UnderstudyContractModel
import UnderstudySystem

/// The contracts made at run time for the clients of a session, which answer before those of files.
///
/// Any thread may use it. The index of them is made when a request needs it, so many can be made one
/// after the other.
final class StubShelf: Sendable {
  /// More than a session may keep.
  struct Full: Error, Hashable {
    /// What there would be too much of: `10,000 contracts`.
    let limit: String
  }

  static let countMax = 10_000
  static let byteCountMax = 64 << 20

  private struct Stub {
    let contract: Contract
    let text: [UInt8]
    /// What its file had when it was made.
    var fileText: [UInt8]?
    /// When a file had it, in monotonic nanoseconds; the file answers in its place once it was read
    /// after that.
    var savedAt: Int64?
  }

  private struct State {
    /// By upstream and name.
    var stubs: [String: [String: Stub]] = [:]
    /// By upstream: contracts of which the first that matches answers.
    var ordered: [String: [Contract]] = [:]
    var count = 0
    var byteCount = 0
    /// What is made of them, above the layer that was below then.
    var made: (layer: Layer, below: Layer)?
  }

  private let state = Mutex(State())
  /// Written under the lock of the state.
  private let hasContracts = Atomic(false)

  var isEmpty: Bool { !hasContracts.load(ordering: .acquiring) }

  /// Adds a contract, or replaces the one of its name; returns whether it is new.
  ///
  /// - Parameter fileText: what its file has; `nil` where there is none.
  func put(
    _ contract: Contract, text: [UInt8], over fileText: [UInt8]? = nil
  ) throws(Full) -> Bool {
    try change { state throws(Full) in
      let old = state.stubs[contract.upstreamName]?[contract.name]
      let byteCount = state.byteCount + text.count - (old?.text.count ?? 0)
      guard old != nil || state.count < Self.countMax else { throw Full(limit: "10,000 contracts") }
      guard byteCount <= Self.byteCountMax else { throw Full(limit: "64 MB") }
      state.stubs[contract.upstreamName, default: [:]][contract.name] = Stub(
        contract: contract, text: text, fileText: fileText)
      state.byteCount = byteCount
      if old == nil { state.count += 1 }
      return old == nil
    }
  }

  /// Removes a contract; returns whether there was one.
  func remove(_ name: String, of upstreamName: String) -> Bool {
    change { state in
      guard let old = state.stubs[upstreamName]?.removeValue(forKey: name) else { return false }
      if state.stubs[upstreamName]?.isEmpty ?? false { state.stubs[upstreamName] = nil }
      state.count -= 1
      state.byteCount -= old.text.count
      return true
    }
  }

  /// Makes these the contracts of an upstream of which the first that matches answers.
  func order(_ contracts: [Contract], of upstreamName: String) {
    change { $0.ordered[upstreamName] = contracts.isEmpty ? nil : contracts }
  }

  /// - Parameter fileText: what its file has now.
  func markSaved(_ name: String, of upstreamName: String, as fileText: [UInt8]?) {
    state.withLock { state in
      state.stubs[upstreamName]?[name]?.savedAt = SystemClock.monotonic
      state.stubs[upstreamName]?[name]?.fileText = fileText
    }
  }

  /// Removes the contracts that were saved before the files were read, and that files have.
  func removeSaved(in files: Layer, readAt: Int64) {
    if isEmpty { return }
    let saved = state.withLock { state in
      state.stubs.values.joined().map(\.value).filter { $0.savedAt.map { $0 < readAt } ?? false }
        .map(\.contract)
    }
    for contract in saved
    where files.contract(named: contract.name, of: contract.upstreamName) != nil {
      _ = remove(contract.name, of: contract.upstreamName)
    }
  }

  func removeAll() { change { $0 = State() } }

  private func change<Value, Failure>(
    _ body: (inout State) throws(Failure) -> Value
  ) throws(Failure) -> Value {
    try state.withLock { state throws(Failure) in
      defer {
        state.made = nil
        hasContracts.store(!state.stubs.isEmpty || !state.ordered.isEmpty, ordering: .releasing)
      }
      return try body(&state)
    }
  }

  func contract(named name: String, of upstreamName: String) -> Contract? {
    if isEmpty { return nil }
    return state.withLock { $0.stubs[upstreamName]?[name]?.contract }
  }

  var upstreamNames: Set<String> {
    state.withLock { Set($0.stubs.keys).union($0.ordered.keys) }
  }

  /// Whether its contracts have been indexed since the last change.
  var isIndexed: Bool { state.withLock { $0.made != nil } }

  /// Whether the contract was made at run time.
  func has(_ contract: Contract) -> Bool {
    state.withLock { $0.stubs[contract.upstreamName]?[contract.name]?.contract === contract }
  }

  /// As it was given.
  func text(of name: String, in upstreamName: String) -> [UInt8]? {
    state.withLock { $0.stubs[upstreamName]?[name]?.text }
  }

  /// What its file had when it was made.
  func fileText(of name: String, in upstreamName: String) -> [UInt8]? {
    state.withLock { $0.stubs[upstreamName]?[name]?.fileText }
  }

  /// The contracts above those of `below`.
  func layer(above below: Layer, rewritesLinks: Bool) -> Layer {
    if isEmpty { return below }
    return state.withLock { state in
      if let made = state.made, made.below === below { return made.layer }
      let names = Set(state.stubs.keys).union(state.ordered.keys).sorted()
      let upstreams = names.map { name in
        let declared = below.upstream(named: name) ?? Upstream(named: name)
        let stubs = (state.stubs[name] ?? [:]).values.map(\.contract).sorted { $0.name < $1.name }
        guard let ordered = state.ordered[name] else { return declared.with(contracts: stubs) }
        return declared.with(ordered: stubs + ordered)
      }
      let layer = Layer(
        .shared(ContractLibrary(of: upstreams), rewritesLinks: rewritesLinks), above: below)
      state.made = (layer, below)
      return layer
    }
  }
}

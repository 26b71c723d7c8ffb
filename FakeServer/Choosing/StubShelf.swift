import Synchronization
import UnderstudyContractModel
import UnderstudySystem

/// The contracts made at run time for the clients of a session, which respond before those of
/// files.
///
/// Any thread may use it. The index of them is made when a request needs it, so many can be made
/// one after the other.
final class StubShelf: Sendable {
  /// More than a session may keep.
  struct Full: Error, Hashable {
    /// What there would be too much of: `10,000 contracts`.
    let limit: String
  }

  static let countMax = 10_000
  static let byteCountMax = 64 << 20

  private struct State {
    var contents = ShelfContents()
    var index = ShelfIndex()
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
    try change { contents throws(Full) in
      let old = contents.stub(contract.name, of: contract.upstreamName)
      let byteCount = contents.byteCount + text.count - (old?.text.count ?? 0)
      guard old != nil || contents.count < Self.countMax else {
        throw Full(limit: "10,000 contracts")
      }
      guard byteCount <= Self.byteCountMax else { throw Full(limit: "64 MB") }
      contents.put(ShelfContents.Stub(contract: contract, text: text, fileText: fileText))
      return old == nil
    }
  }

  /// Removes a contract; returns whether there was one.
  func remove(_ name: String, of upstreamName: String) -> Bool {
    change { $0.remove(name, of: upstreamName) }
  }

  /// Changes which contracts an upstream has of which the one of the lowest rank responds.
  func change(_ change: RankedChange, of upstreamName: String) {
    self.change { $0.change(change, of: upstreamName) }
  }

  /// - Parameter fileText: what its file has now.
  func markSaved(_ name: String, of upstreamName: String, as fileText: [UInt8]?) {
    state.withLock {
      $0.contents.markSaved(name, of: upstreamName, at: SystemClock.monotonic, as: fileText)
    }
  }

  /// Removes the contracts that were saved before the files were read, and that files have.
  func removeSaved(in files: Layer, readAt: Int64) {
    if isEmpty { return }
    let saved = state.withLock { state in
      state.contents.stubs.values.joined().map(\.value)
        .filter { $0.savedAt.map { $0 < readAt } ?? false }.map(\.contract)
    }
    for contract in saved
    where files.library.index.contractNumber(
      named: contract.name, of: contract.upstreamName) != nil
    {
      _ = remove(contract.name, of: contract.upstreamName)
    }
  }

  func removeAll() {
    state.withLock { state in
      state = State()
      hasContracts.store(false, ordering: .releasing)
    }
  }

  private func change<Value, Failure>(
    _ body: (inout ShelfContents) throws(Failure) -> Value
  ) throws(Failure) -> Value {
    try state.withLock { state throws(Failure) in
      defer { hasContracts.store(!state.contents.isEmpty, ordering: .releasing) }
      return try body(&state.contents)
    }
  }

  func contract(named name: String, of upstreamName: String) -> Contract? {
    if isEmpty { return nil }
    return state.withLock { $0.contents.contract(ShelfContents.Name(name, of: upstreamName)) }
  }

  var upstreamNames: Set<String> { state.withLock { $0.contents.upstreamNames } }

  /// How many contracts have changed since they were indexed.
  var changeCount: Int { state.withLock { $0.contents.changeCount } }

  /// Whether the contract was made at run time.
  func has(_ contract: Contract) -> Bool {
    state.withLock {
      $0.contents.stub(contract.name, of: contract.upstreamName)?.contract === contract
    }
  }

  /// As it was given.
  func text(of name: String, in upstreamName: String) -> [UInt8]? {
    state.withLock { $0.contents.stub(name, of: upstreamName)?.text }
  }

  /// What its file had when it was made.
  func fileText(of name: String, in upstreamName: String) -> [UInt8]? {
    state.withLock { $0.contents.stub(name, of: upstreamName)?.fileText }
  }

  /// The contracts above those of `below`.
  func layer(above below: Layer) -> Layer {
    if isEmpty { return below }
    return state.withLock { $0.index.layer(of: &$0.contents, above: below) }
  }
}

import Synchronization
import UnderstudyContractModel

/// What makes one server, or one session of it, answer differently from another: cases chosen by
/// hand, running scripts, and state.
///
/// Any thread may use it. A request to a contract that nothing here concerns takes no lock.
final class Session: Sendable {
  /// Cases in play for a contract, and the next of them.
  private struct RunningScript {
    let caseNames: [String]
    var next = 0
  }

  private struct State {
    var chosen: [String: String] = [:]
    var scripts: [String: RunningScript] = [:]
    /// By upstream and name.
    var values: [String: [String: String]] = [:]
    var holds: [String: Hold] = [:]
  }

  let name: String
  /// What the journal notes for the name.
  let mark: UInt32
  /// No request with this number or one before came to it.
  let journalStart: UInt64
  private let state = Mutex(State())
  let draws = Mutex(Draws())
  /// Whether a case was chosen or a script started since the last reset. Written under the lock of
  /// the state, so that it never denies what a reset on another thread has left.
  private let steering = Atomic(false)

  var isSteered: Bool { steering.load(ordering: .acquiring) }

  init(name: String, journalStart: UInt64 = 0) {
    self.name = name
    self.journalStart = journalStart
    mark = JournalRing.mark(ofSession: name)
  }

  /// Picks the case a request plays, moves its script on and sets the state that follows.
  ///
  /// All of it is one step: of requests that arrive together each sees what the one before left.
  ///
  /// - Parameter liveCaseIndex: of the case whose live request this is.
  func choose(
    _ contract: Contract, _ preference: Preference?, meets: (Trigger) -> Bool,
    liveCaseIndex: () -> Int?
  ) throws(ChoiceError) -> CaseChoice {
    if let preference {
      let choice = try preferred(preference, in: contract)
      apply(choice, of: contract)
      return choice
    }
    guard contract.dependsOnSession || isSteered else {
      return Self.choose(contract, liveCaseIndex)
    }
    return state.withLock { state in
      let choice = Self.choose(contract, &state, meets: meets, liveCaseIndex)
      Self.apply(contract.cases[choice.index].then, of: contract, &state)
      return choice
    }
  }

  private static func choose(
    _ contract: Contract, _ state: inout State, meets: (Trigger) -> Bool,
    _ liveCaseIndex: () -> Int?
  ) -> CaseChoice {
    if var script = state.scripts[contract.id] {
      let name = script.caseNames[min(script.next, script.caseNames.count - 1)]
      script.next += 1
      state.scripts[contract.id] = script
      if let index = contract.caseIndex(named: name) {
        return CaseChoice(index: index, reason: .script)
      }
    }
    if let index = state.chosen[contract.id].flatMap(contract.caseIndex) {
      return CaseChoice(index: index, reason: .hand)
    }
    let values = state.values[contract.upstreamName] ?? [:]
    let triggered = contract.triggeredCaseIndex(state: { values[$0] ?? "" }, meets: meets)
    if let triggered { return CaseChoice(index: triggered, reason: .trigger) }
    return choose(contract, liveCaseIndex)
  }

  private static func choose(_ contract: Contract, _ liveCaseIndex: () -> Int?) -> CaseChoice {
    if let index = liveCaseIndex(), index != contract.defaultCaseIndex {
      return CaseChoice(index: index, reason: .live)
    }
    return CaseChoice(index: contract.defaultCaseIndex, reason: .byDefault)
  }

  private func preferred(
    _ preference: Preference, in contract: Contract
  ) throws(ChoiceError) -> CaseChoice {
    let index: Int?
    let wish: String
    switch preference {
    case .example(let name): (index, wish) = (contract.caseIndex(named: name), "\"\(name)\"")
    case .code(let text):
      guard let code = Int(text) else {
        throw ChoiceError(
          message: "found code=\(text) in Prefer, expected a status such as code=404",
          contract: contract)
      }
      (index, wish) = (contract.cases.firstIndex { $0.status == code }, "with status \(code)")
    }
    guard let index else {
      throw ChoiceError(message: "found no case \(wish) in \(contract.id)", contract: contract)
    }
    return CaseChoice(index: index, reason: .preference)
  }

  private func apply(_ choice: CaseChoice, of contract: Contract) {
    let then = contract.cases[choice.index].then
    guard !then.isEmpty else { return }
    state.withLock { Self.apply(then, of: contract, &$0) }
  }

  private static func apply(_ then: [StateValue], of contract: Contract, _ state: inout State) {
    for value in then {
      state.values[contract.upstreamName, default: [:]][value.name] = value.value
    }
  }
}

extension Session {
  /// Lets every request to a contract play this case, until another is chosen.
  func use(_ caseName: String?, for contractID: String) {
    state.withLock { state in
      state.chosen[contractID] = caseName
      state.scripts[contractID] = nil
      steering.store(true, ordering: .releasing)
    }
  }

  func start(_ caseNames: [String], for contractID: String) {
    guard !caseNames.isEmpty else { return }
    state.withLock { state in
      state.scripts[contractID] = RunningScript(caseNames: caseNames)
      steering.store(true, ordering: .releasing)
    }
  }

  func start(_ scenario: Scenario, of upstream: Upstream) {
    for script in scenario.scripts {
      start(script.caseNames, for: "\(upstream.name)/\(script.name)")
    }
    for value in scenario.state { set(value, of: upstream.name) }
  }

  func set(_ value: StateValue, of upstreamName: String) {
    state.withLock { $0.values[upstreamName, default: [:]][value.name] = value.value }
  }

  /// By upstream and name.
  var stateValues: [String: [String: String]] { state.withLock { $0.values } }

  /// The case a request without anything special would play now, and why.
  func caseInForce(of contract: Contract) -> CaseChoice {
    var copy = state.withLock { $0 }
    return Self.choose(
      contract, &copy, meets: { $0.request.isEmpty && $0.body == nil }, { nil })
  }

  /// Removes what was set of the state.
  func clearState() {
    state.withLock { $0.values = [:] }
  }

  /// Lets the answers of a contract wait.
  func hold(_ contractID: String) -> Hold {
    state.withLock { state in
      steering.store(true, ordering: .releasing)
      if let hold = state.holds[contractID], !hold.isEnded { return hold }
      let hold = Hold()
      state.holds[contractID] = hold
      return hold
    }
  }

  func hold(for contractID: String) -> Hold? {
    guard isSteered else { return nil }
    return state.withLock { $0.holds[contractID] }
  }

  /// Holds nothing any more; whoever waits for a held answer is told so.
  func endHolds() {
    let holds = state.withLock { $0.holds.values }
    for hold in holds { hold.stop() }
  }

  /// As it was when the server started. Returns the held answers nobody has taken: their clients
  /// wait until they are released or broken off.
  @discardableResult
  func reset() -> [WaitingAnswer] {
    let holds = state.withLock { state in
      defer { state = State() }
      steering.store(false, ordering: .releasing)
      return state.holds.values
    }
    draws.withLock { $0 = Draws() }
    return holds.flatMap { $0.stop() }
  }
}

extension Session {
  /// What was drawn for answers since the last reset.
  struct Draws {
    /// Of all cases.
    fileprivate var count = 0
    /// By contract and case.
    fileprivate var generators: [String: PlayGenerator] = [:]
  }

  /// Draws for the next answer of a case.
  ///
  /// Each case has numbers of its own in each session, which follow from the seed and both names:
  /// requests to others come in any order, and change nothing of them.
  func draw<Value: Sendable>(
    for playable: PlayableCase, seed: UInt64, _ draw: (inout PlayGenerator) -> Value
  ) -> Value {
    let caseID = "\(playable.contractID)#\(playable.name)"
    return draws.withLock { draws in
      var generator =
        draws.generators[caseID]
        ?? PlayGenerator(seed: seed ^ UInt64(mark) << 32 ^ UInt64(caseID.fnv1a))
      generator.count = draws.count
      let value = draw(&generator)
      draws.count = generator.count
      draws.generators[caseID] = generator
      return value
    }
  }
}

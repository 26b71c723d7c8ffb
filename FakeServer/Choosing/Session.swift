import Synchronization
import UnderstudyContractModel

/// What makes answers depend on a server or session: chosen cases, running scripts, and state.
///
/// Any thread may use it. Requests to unaffected contracts take no lock.
final class Session: Sendable {
  /// The cases of a running script, and the next of them.
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
  /// The session's hash in the journal.
  let mark: UInt32
  /// Requests up to this number do not belong to the session.
  let journalStart: UInt64
  private let state = Mutex(State())
  let draws = Mutex(Draws())
  /// Whether a case was chosen or a script started since the last reset. Written under the lock of
  /// the state, so it stays consistent with resets on other threads.
  private let steering = Atomic(false)

  var isSteered: Bool { steering.load(ordering: .acquiring) }

  init(name: String, journalStart: UInt64 = 0) {
    self.name = name
    self.journalStart = journalStart
    mark = JournalRing.mark(ofSession: name)
  }

  /// Chooses a request's case, advances its script, and sets the resulting state.
  ///
  /// This is atomic: each of several concurrent requests sees the effects of the one before.
  ///
  /// - Parameter liveCaseIndex: the case that has this live request.
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
  /// Plays this case for every request to a contract, until another is chosen.
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

  /// The case that a request without preferences would play now, and why.
  func caseInForce(of contract: Contract) -> CaseChoice {
    var copy = state.withLock { $0 }
    return Self.choose(
      contract, &copy, meets: { $0.request.isEmpty && $0.body == nil }, { nil })
  }

  /// Removes all set state.
  func clearState() {
    state.withLock { $0.values = [:] }
  }

  /// Holds back the answers of a contract.
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

  /// Ends all holds and wakes those waiting for held answers.
  func endHolds() {
    let holds = state.withLock { $0.holds.values }
    for hold in holds { hold.stop() }
  }

  /// Returns to the initial state. Returns the held answers that no test has taken: their clients
  /// wait until these are released or cut off.
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
  /// The random values drawn for answers since the last reset.
  struct Draws {
    /// For all cases.
    fileprivate var count = 0
    /// By contract and case.
    fileprivate var generators: [PlayedCase: PlayGenerator] = [:]
  }

  /// Draws values for the next answer of a case.
  ///
  /// Each case has its own random sequence in each session, derived from the seed and both names,
  /// so the order of requests to other cases does not affect it.
  func draw<Value: Sendable>(
    for playable: PlayableCase, seed: UInt64, _ draw: (inout PlayGenerator) -> Value
  ) -> Value {
    let played = PlayedCase(contract: playable.contractID, caseName: playable.name)
    return draws.withLock { draws in
      var generator =
        draws.generators[played]
        ?? PlayGenerator(seed: seed ^ UInt64(mark) << 32 ^ UInt64("\(played)".fnv1a))
      generator.count = draws.count
      let value = draw(&generator)
      draws.count = generator.count
      draws.generators[played] = generator
      return value
    }
  }
}

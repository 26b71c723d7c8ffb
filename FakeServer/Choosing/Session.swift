import Synchronization
import UnderstudyContractModel

/// What makes responses depend on a server or session: chosen cases, running scripts, and state.
///
/// Any thread may use it. Requests to unaffected contracts take no lock; for all others one lock
/// is held while a case is chosen and its state is set, so of concurrent requests each sees what
/// the one before it has done.
///
/// The folder decides which case a request gets. Read `choose` here, then `CaseQuestion`, which is
/// what it asks about a request, and `CaseChoice`, its result. A request's `Prefer` decides first;
/// then a running script, whatever the request asks; then a case chosen by hand, or a script's last
/// case, in place of the one it replaces; then `when`, the live case that asks for just this
/// request, and the default. A chosen case that breaks the TLS handshake leaves requests to these
/// three, and a script waits at it. `SessionMemory` has the state, `SessionModes` the modes,
/// `StubShelf` the contracts made at run time, and `Hold` holds responses back. `SessionTable` owns
/// all sessions but the main one. `Prediction` asks the same rules without a server.
final class Session: Sendable {
  /// The cases of a running script, and the next of them.
  struct RunningScript {
    let caseNames: [String]
    /// Whether the last case is served again and again, rather than once.
    let repeatsLast: Bool
    var next = 0

    /// The next case; `nil` once all have been served.
    var caseName: String? {
      next < caseNames.count ? caseNames[next] : repeatsLast ? caseNames.last : nil
    }

    /// Whether the next request gets the next case, whatever it asks for: a script says what
    /// follows what. One case alone, and the last when it repeats, are cases chosen by hand.
    var isInOrder: Bool { repeatsLast && caseNames.count > 1 && next < caseNames.count }
  }

  struct State {
    var chosen: [String: String] = [:]
    var scripts: [String: RunningScript] = [:]
    var memory: SessionMemory
    /// By contract; only of those that ask.
    var requestCounts: [String: Int] = [:]
    /// By contract; of those whose cases have a share of the requests.
    var shares: [String: ValueGenerator] = [:]
    var holds: [String: Hold] = [:]

    init(_ starting: StartingState) { memory = SessionMemory(starting) }
  }

  let name: String
  /// The session's hash in the request log.
  let mark: UInt32
  /// Requests up to this number do not belong to the session.
  let journalStart: UInt64
  /// The contracts made for it at run time.
  let stubs = StubShelf()
  let modes = SessionModes()
  let seed: UInt64
  private let starting: StartingState
  /// `nil` for a session without a server.
  private let events: EventFeed?
  let state: Mutex<State>
  let draws = Mutex(Draws())
  /// Changes when clients of TLS have to begin anew.
  let handshakeChangeCount = Atomic<Int>(0)
  /// How many handshakes its cases have broken.
  let brokenHandshakeCount = Atomic<Int>(0)
  /// Whether a case was chosen or a script started since the last reset. Written under the lock of
  /// the state, so it stays consistent with resets on other threads.
  private let steering = Atomic(false)

  var isSteered: Bool { steering.load(ordering: .acquiring) }

  init(
    name: String, starting: StartingState, journalStart: UInt64 = 0, seed: UInt64 = 0,
    events: EventFeed? = nil
  ) {
    self.name = name
    self.starting = starting
    state = Mutex(State(starting))
    self.seed = seed
    self.events = events
    self.journalStart = journalStart
    mark = JournalRing.mark(ofSession: name)
  }

  /// Chooses a request's case, advances its script, and sets the resulting state; `nil` when a
  /// contract without a default case has none for the request.
  ///
  /// This is atomic: each of several concurrent requests sees the effects of the one before.
  ///
  /// - Parameter isNew: whether the request has not been counted yet.
  func choose(
    _ contract: Contract, _ preference: Preference?, for request: some CaseQuestion,
    isNew: Bool = true
  ) throws(ChoiceError) -> CaseChoice? {
    guard contract.dependsOnSession || preference == nil && isSteered else {
      if let preference { return try preference.choice(in: contract) }
      let byWhen = contract.caseIndexByWhen(
        count: 1, draw: { 1 }, holds: { request.meets($0) })
      return Self.choice(byWhen, of: contract, request)
    }
    return try state.withLock { state throws(ChoiceError) in
      if isNew, contract.countsRequests { state.requestCounts[contract.id, default: 0] += 1 }
      let choice: CaseChoice?
      if let preference {
        choice = try preference.choice(in: contract)
      } else {
        let count = state.requestCounts[contract.id] ?? 0
        choice = self.choose(contract, &state, for: request, count: count)
      }
      guard var choice else { return nil }
      let served = contract.cases[choice.index]
      if !served.stateReads.isEmpty {
        choice.state = Self.state(in: served, of: contract, state, for: request)
      }
      if !served.then.isEmpty {
        try change(&state, by: &choice, of: contract, for: request)
      }
      return choice
    }
  }

  /// Whether a contract without a default case has one for the request. What is drawn only when the
  /// case is chosen counts as met.
  func serves(_ contract: Contract, for request: some CaseQuestion) -> Bool {
    state.withLock { state in
      var copy = state
      let count = (state.requestCounts[contract.id] ?? 0) + 1
      return choose(contract, &copy, for: request, count: count, draw: { _ in 0 }) != nil
    }
  }

  private func choose(
    _ contract: Contract, _ state: inout State, for request: some CaseQuestion, count: Int,
    draw: ((inout State) -> Double)? = nil
  ) -> CaseChoice? {
    let memory = state.memory
    if let (forced, script) = Self.forced(contract, &state),
      !contract.cases[forced.index].breaksHandshake,
      script.map({ state.scripts.values[$0].isInOrder }) ?? false
        || contract.serves(
          forced: forced.index, count: count, meets: { request.meets($0) },
          stateHolds: { Self.holds($0, memory[contract.upstreamName], for: request) })
    {
      if let script { state.scripts.values[script].next += 1 }
      return forced
    }
    return ownChoice(contract, &state, for: request, count: count, draw: draw)
  }

  /// The next case of a running script, and where that is, or the case chosen by hand.
  static func forced(
    _ contract: Contract, _ state: inout State
  ) -> (choice: CaseChoice, script: [String: RunningScript].Index?)? {
    if let place = state.scripts.index(forKey: contract.id),
      let name = state.scripts.values[place].caseName
    {
      if let index = contract.caseIndex(named: name) {
        return (CaseChoice(index: index, reason: .script), place)
      }
      // The contract has lost the case since the script began.
      state.scripts.values[place].next += 1
    }
    return state.chosen[contract.id].flatMap(contract.caseIndex).map {
      (CaseChoice(index: $0, reason: .hand), nil)
    }
  }

  /// The case of a request while none is forced.
  private func ownChoice(
    _ contract: Contract, _ state: inout State, for request: some CaseQuestion, count: Int,
    draw: ((inout State) -> Double)?
  ) -> CaseChoice? {
    let memory = state.memory
    let byWhen = contract.caseIndexByWhen(
      count: count, draw: { draw?(&state) ?? share(of: contract, &state) },
      holds: { Self.holds($0, memory[contract.upstreamName], for: request) && request.meets($0) })
    return Self.choice(byWhen, of: contract, request)
  }

  /// Whether the state meets the conditions of a `when`.
  private static func holds(
    _ when: When, _ values: @autoclosure () -> UpstreamState, for request: some CaseQuestion
  ) -> Bool {
    if when.state.isEmpty { return true }
    let values = values()
    return when.state.allSatisfy { condition in
      var undrawn = DrawnText()
      let value = values[request.text(of: condition.name, values, &undrawn)] ?? ""
      return condition.value.accepts(value.isEmpty ? nil : value, at: request.askedAt)
    }
  }

  private func share(of contract: Contract, _ state: inout State) -> Double {
    state.shares[contract.id, default: generator("\(contract.id)")].share()
  }

  /// - Parameter byWhen: the case whose `when` holds.
  private static func choice(
    _ byWhen: Int?, of contract: Contract, _ request: some CaseQuestion
  ) -> CaseChoice? {
    if let byWhen { return CaseChoice(index: byWhen, reason: .when) }
    if let index = request.liveCaseIndex, index != contract.defaultCaseIndex {
      return CaseChoice(index: index, reason: .live)
    }
    return contract.defaultCaseIndex.map { CaseChoice(index: $0, reason: .byDefault) }
  }

  /// What the response has of the state.
  private static func state(
    in served: Case, of contract: Contract, _ state: State, for request: some CaseQuestion
  ) -> UpstreamState {
    var found = UpstreamState()
    let known = state.memory[contract.upstreamName]
    func add(_ name: Template, isPrefix: Bool) {
      var undrawn = DrawnText()
      found.add(request.text(of: name, known, &undrawn), isPrefix: isPrefix, of: known)
    }
    for read in served.stateReads {
      switch read {
      case .state(let name): add(name, isPrefix: false)
      case .states(let prefix): add(prefix, isPrefix: true)
      default: break
      }
    }
    return found
  }

  /// Does to the state what the case says, all of it or nothing.
  private func change(
    _ state: inout State, by choice: inout CaseChoice, of contract: Contract,
    for request: some CaseQuestion
  ) throws(ChoiceError) {
    let served = contract.cases[choice.index]
    let known = state.memory[contract.upstreamName]
    var source = DrawnText()
    func makeChanges() -> [(name: String, value: String?)] {
      served.then.map { change in
        (
          request.text(of: change.name, known, &source),
          change.value.map { request.text(of: $0, known, &source) }
        )
      }
    }
    let changes: [(name: String, value: String?)]
    if served.then.allSatisfy(\.isPlain) {
      changes = makeChanges()
    } else {
      changes = draw(for: ServedCase(contract: contract.id, caseName: served.name)) { generator in
        source.generator = generator
        defer { generator = source.generator }
        return makeChanges()
      }
    }
    choice.drawn = source.values
    do throws(SessionMemory.Full) {
      try state.memory.change(contract.upstreamName, changes)
    } catch {
      throw .stateFull(error)
    }
    events?.add(.state(upstream: contract.upstreamName, changes: changes), session: self.name)
  }
}

extension Session {
  /// Serves this case for the requests to a contract in whose place it stands, until another is
  /// chosen.
  func use(_ caseName: String?, for contractID: String) {
    state.withLock { state in
      state.chosen[contractID] = caseName
      state.scripts[contractID] = nil
      steering.store(true, ordering: .releasing)
    }
    events?.add(.choice(contract: contractID, caseName: caseName), session: name)
  }

  /// - Parameter repeatsLast: `false` to go on afterwards with what was chosen before.
  func start(_ caseNames: [String], for contractID: String, repeatsLast: Bool = true) {
    guard !caseNames.isEmpty else { return }
    state.withLock { state in
      state.scripts[contractID] = RunningScript(caseNames: caseNames, repeatsLast: repeatsLast)
      steering.store(true, ordering: .releasing)
    }
    events?.add(.script(contract: contractID, caseNames: caseNames), session: name)
  }

  func start(_ scenario: Scenario, of upstream: Upstream) {
    for script in scenario.scripts {
      start(script.caseNames, for: "\(upstream.name)/\(script.name)")
    }
    if let mode = scenario.mode { set(mode, for: .upstream(upstream.name)) }
    for (name, mode) in scenario.modes.sorted(by: { $0.key < $1.key }) {
      set(mode, for: .contract(name, of: upstream.name))
    }
    guard !scenario.state.isEmpty else { return }
    state.withLock { $0.memory.set(scenario.state, of: upstream.name) }
    hasChanged(scenario.state.map { (name: $0.name, value: $0.value) }, of: upstream.name)
  }

  /// Sets a mode, or clears it.
  func set(_ mode: Mode?, for place: ModePlace) {
    modes.set(mode, for: place)
    let (upstream, contract) = place.names
    events?.add(.mode(mode, upstream: upstream, contract: contract), session: name)
  }

  /// Sets names of an upstream; `nil` forgets one.
  func change(
    _ values: [String: String?], of upstreamName: String
  ) throws(SessionMemory.Full) {
    let changes = values.map { (name: $0.key, value: $0.value) }
    try state.withLock { state throws(SessionMemory.Full) in
      try state.memory.change(upstreamName, changes)
    }
    hasChanged(changes, of: upstreamName)
  }

  private func hasChanged(_ changes: [(name: String, value: String?)], of upstreamName: String) {
    events?.add(.state(upstream: upstreamName, changes: changes), session: name)
  }

  /// By upstream and name.
  var stateValues: [String: [String: String]] { state.withLock { $0.memory.values } }

  /// The case that a request without preferences would serve now, or that breaks the handshake
  /// before it, and why.
  func caseInForce(of contract: Contract) -> CaseChoice? {
    var copy = state.withLock { $0 }
    let count = (copy.requestCounts[contract.id] ?? 0) + 1
    return Self.forced(contract, &copy)?.choice
      ?? ownChoice(contract, &copy, for: NoRequest(), count: count, draw: { _ in 1 })
  }

  /// The cases of a contract's running script, and the number of those it has served.
  func runningScript(of contract: Contract) -> (caseNames: [String], servedCount: Int)? {
    state.withLock { $0.scripts[contract.id].map { ($0.caseNames, $0.next) } }
  }

  /// Returns to the state at the beginning.
  func clearState() {
    state.withLock { $0.memory = SessionMemory(starting) }
    events?.add(.state(upstream: nil, changes: []), session: name)
    for (upstreamName, state) in starting.all.sorted(by: { $0.key < $1.key }) {
      hasChanged(state.texts.map { (name: $0.key, value: $0.value) }, of: upstreamName)
    }
  }

  /// Holds back the responses of a contract, or of one of its cases.
  func hold(_ contractID: String, _ caseName: String? = nil) -> Hold {
    state.withLock { state in
      steering.store(true, ordering: .releasing)
      if let hold = state.holds[contractID], !hold.isEnded { return hold }
      let hold = Hold(of: caseName)
      state.holds[contractID] = hold
      return hold
    }
  }

  /// `nil` where no responses are held any more.
  func hold(for contractID: String) -> Hold? {
    guard isSteered, let hold = state.withLock({ $0.holds[contractID] }), !hold.isEnded else {
      return nil
    }
    return hold
  }

  /// Ends all holds and wakes those waiting for held responses.
  func endHolds() {
    let holds = state.withLock { $0.holds.values }
    for hold in holds { hold.stop() }
  }

  /// Returns to the initial state. Returns the held responses that no test has taken: their clients
  /// wait until these are released or cut off.
  @discardableResult
  func reset() -> [WaitingResponse] {
    stubs.removeAll()
    modes.removeAll()
    let holds = state.withLock { state in
      defer { state = State(starting) }
      steering.store(false, ordering: .releasing)
      return state.holds.values
    }
    draws.withLock { $0 = Draws() }
    return holds.flatMap { $0.stop() }
  }
}

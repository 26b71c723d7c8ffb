import UnderstudyContractModel
import UnderstudyCore
import UnderstudyJSON
import UnderstudySystem

/// The server's own API.
struct AdminAPI: ServerAPI {
  let prefix = Admin.prefix

  func respond(_ call: ServerCall, then: @escaping Admin.Then) -> Errand? {
    Admin(core: call.session.core, sessionName: call.session.name).respond(
      call.request, through: call.gate, then: then)
  }
}

/// Performs the admin API's operation for one request.
///
/// A session in the path limits every operation to that session. Without one, cases, scripts and
/// state are the main session's, while the request log and reset cover the whole server.
///
/// `AdminOperation` lists all operations with their routes. `respond` checks access, finds the
/// operation and performs it; the extensions have the operations by subject: `Admin+Stubs`,
/// `Admin+Modes`, `Admin+Holding`, `Admin+Journal`, `Admin+HAR`, `Admin+Events`, `Admin+Recording`,
/// `Admin+RecordingRun`.
/// `AdminBody` and `JournalOptions` read what a client sends, and `Problem+Admin` words every
/// refusal.
///
/// It runs on a loop's thread: what takes long, such as reading a contract, is done in the
/// background. It keeps nothing between requests, since all state is the core's.
package struct Admin {
  package static let prefix = "/__understudy"

  let core: ServerCore
  private let sessionName: String
  /// The session that the request log and reset apply to; `nil` for all.
  let scope: String?

  init(core: ServerCore, sessionName: String) {
    self.core = core
    self.sessionName = sessionName
    scope = sessionName.isEmpty ? nil : sessionName
  }

  var session: Session { core.session(named: sessionName) }

  /// The contracts that respond to its clients.
  var layer: Layer { core.layer(of: session) }

  /// Called on any thread, immediately if no loop has to be asked.
  typealias Then = @Sendable (OwnResponse) -> Void

  func respond(_ request: Request, through gate: AccessGate, then: @escaping Then) -> Errand? {
    let page = Dashboard.respond(to: request, below: Self.prefix)
    do throws(AccessGate.Refusal) {
      // The page is the same for everybody, and asks for the token itself.
      if page != nil {
        try gate.checkSite(of: request, mayBeLinked: true)
      } else {
        try gate.check(request)
        core.noteControl(ofSession: sessionName)
      }
    } catch {
      then(Problem(error, origin: gate.origin).response)
      return nil
    }
    if let page {
      then(page)
      return nil
    }
    do throws(Problem) {
      let (operation, values) = try AdminOperation.find(
        request.method, request.path, below: Self.prefix)
      return try perform(operation, values, request, gate, then)
    } catch {
      then(error.response)
      return nil
    }
  }

  /// Returns the errand of an operation that waits for something.
  private func perform(
    _ operation: AdminOperation, _ values: [String], _ request: Request, _ gate: AccessGate,
    _ then: @escaping Then
  ) throws(Problem) -> Errand? {
    switch operation {
    case .getHealth: then(.members { $0.member("status", "ok") })
    case .getVersion: then(version())
    case .getDescription:
      then(.json(AdminDescription.text))
    case .getContractSchema: then(.json(ContractSchema.text))
    case .listContracts: then(contracts(at: origin(of: request, gate)))
    case .getContract: then(describe(try contract(values)))
    case .putContract: try put(values, request, then)
    case .deleteContract: then(try delete(values))
    case .checkContract: check(values, request, then)
    case .saveContract: try save(values, then)
    case .getSource: try source(values, then)
    case .chooseCase: try choose(try contract(values), try AdminBody(request), then)
    case .clearCase:
      let contract = try contract(values)
      session.use(nil, for: contract.id)
      then(describe(contract))
    case .startScript: try startScript(try contract(values), try AdminBody(request), then)
    case .holdContract: then(hold(try contract(values)))
    case .endHold: endHold(try contract(values), then)
    case .listHeld: then(held())
    case .releaseHeld: try release(values, request, then)
    case .dropHeld: try drop(values, then)
    case .startScenario: try startScenario(values, then)
    case .setMode, .clearMode, .setUpstreamMode, .clearUpstreamMode, .setContractMode,
      .clearContractMode:
      try changeMode(operation, values, request, gate, then)
    case .getRecording: then(recordingState())
    case .startRecording: try startRecording(request, then)
    case .stopRecording: try stopRecording(then)
    case .takeSnapshot: try takeSnapshot(then)
    case .getState: then(state())
    case .setState: then(try setState(try AdminBody(request)))
    case .clearState:
      session.clearState()
      then(.noContent)
    case .listSessions: then(.members { $0.member("sessions", core.sessionNames) })
    case .deleteSession: try deleteSession(values, then)
    case .listJournal: return try journal(request, gate, then)
    case .archiveJournal: try archive(request, at: origin(of: request, gate).authority, then)
    case .countJournal: try count(request, then)
    case .countServed: countServed(try query(request), then)
    case .listUnmatched: unmatched(try query(request), then)
    case .recordRequest: return try record(values, then)
    case .clearJournal: core.clearJournal(session: scope) { then(.noContent) }
    case .listenToEvents: then(try listen(request))
    case .reset: core.reset(session: scope) { then(.noContent) }
    case .shutdown: then(try shutdown())
    }
    return nil
  }

  private func version() -> OwnResponse {
    .members { object in
      object.member("name", "understudy")
      object.member("version", UnderstudyVersion.text)
    }
  }

  private func deleteSession(
    _ values: [String], _ then: @escaping Then
  ) throws(Problem) {
    let name = values.first ?? ""
    let known = core.sessionNames
    guard known.contains(name) else { throw .missing("session", name, among: known) }
    core.endSession(named: name) { _ in then(.noContent) }
  }

  private func shutdown() throws(Problem) -> OwnResponse {
    guard let end = core.configuration.shutdownRequested else { throw .noShutdown }
    var response = OwnResponse.members(status: 202) { $0.member("status", "ending") }
    response.afterwards = end
    return response
  }
}

// MARK: - Cases, scripts and state

extension Admin {
  func contract(_ values: [String]) throws(Problem) -> Contract {
    let name = values.last ?? ""
    let known = core.contracts(named: name, of: values.first ?? "", for: session)
    if let contract = known.first { return contract }
    let upstream = try upstream(values)
    throw .missing(
      "contract", "\(upstream.name)/\(name)",
      among: layer.upstreams.flatMap(\.contracts).map(\.id))
  }

  /// Not necessarily with all its contracts.
  func upstream(_ values: [String]) throws(Problem) -> Upstream {
    let layer = layer
    let name = values.first ?? ""
    guard let upstream = layer.upstream(named: name) else {
      let known = layer.upstreamNames
      // It may be a contract's name without its upstream.
      let isAlone = values.count < 2 || values.last == ""
      let meant = Spelling.nearest(
        to: name, among: known + (isAlone ? layer.upstreams.flatMap(\.contracts).map(\.id) : []))
      throw .missing("upstream", name, among: meant.map { [$0] } ?? known)
    }
    return upstream
  }

  private func choose(
    _ contract: Contract, _ body: AdminBody, _ then: @escaping Then
  ) throws(Problem) {
    try body.expectKeys(["case"])
    let name = try body.string("case")
    try checkInForce([name], of: contract)
    session.use(name, for: contract.id)
    core.handshakesChanged(of: session, by: [contract]) { then(describe(contract)) }
  }

  func check(_ caseNames: [String], of contract: Contract) throws(Problem) {
    let known = contract.cases.map(\.name)
    for name in caseNames where !known.contains(name) {
      throw .missing("case", "\(contract.id)#\(name)", among: known.map { "\(contract.id)#\($0)" })
    }
  }

  /// Checks cases that are to be in force from now on, some of which no connection may meet.
  private func checkInForce(_ caseNames: [String], of contract: Contract) throws(Problem) {
    try check(caseNames, of: contract)
    for name in caseNames {
      if let refusal = core.refusal(of: name, of: contract, for: session) {
        throw .notInHandshake(refusal)
      }
    }
  }

  private func startScript(
    _ contract: Contract, _ body: AdminBody, _ then: @escaping Then
  ) throws(Problem) {
    try body.expectKeys(["script", "cases"])
    if body["cases"] != nil {
      guard body["script"] == nil else {
        throw .badRequest(
          "found \"script\" and \"cases\", expected one of the two", at: body.root.position)
      }
      let names = try body.strings("cases")
      try checkInForce(names, of: contract)
      session.start(names, for: contract.id)
    } else {
      let name = try body.string("script")
      guard let script = contract.scripts.first(where: { $0.name == name }) else {
        throw .missing("script", name, among: contract.scripts.map(\.name))
      }
      try checkInForce(script.caseNames, of: contract)
      session.start(script.caseNames, for: contract.id)
    }
    core.handshakesChanged(of: session, by: [contract]) { then(describe(contract)) }
  }

  private func startScenario(_ values: [String], _ then: @escaping Then) throws(Problem) {
    let upstream = try upstream(values)
    let name = values.last ?? ""
    guard let scenario = upstream.scenarios.first(where: { $0.name == name }) else {
      throw .missing("scenario", name, among: upstream.scenarios.map(\.name))
    }
    for script in scenario.scripts {
      if let contract = upstream.contract(named: script.name) {
        try checkInForce(script.caseNames, of: contract)
      }
    }
    session.start(scenario, of: upstream)
    core.handshakesChanged(of: session, by: upstream.contracts) {
      followModes(then) { .noContent }
    }
  }

  private func state() -> OwnResponse {
    .members { object in
      object.key("state")
      object.object { byUpstream in
        for (upstream, values) in session.stateValues.sorted(by: { $0.key < $1.key })
        where !values.isEmpty {
          byUpstream.key(upstream)
          byUpstream.object { state in
            for (name, value) in values.sorted(by: { $0.key < $1.key }) {
              state.member(name, value)
            }
          }
        }
      }
    }
  }

  private func setState(_ body: AdminBody) throws(Problem) -> OwnResponse {
    try body.expectKeys(["state"])
    let known = layer.upstreamNames
    var changes: [String: [String: String?]] = [:]
    for upstream in try body.object("state").members {
      guard known.contains(upstream.key) else {
        throw .missing("upstream", upstream.key, among: known)
      }
      guard upstream.value.kind == .object else {
        throw .unexpected(upstream.value, expected: "an object of strings by name")
      }
      for member in upstream.value.members {
        guard member.value.string != nil || member.value.kind == .null else {
          throw .unexpected(member.value, expected: "string, or null to forget the name")
        }
        changes[upstream.key, default: [:]].updateValue(member.value.string, forKey: member.key)
      }
    }
    do {
      for (upstream, values) in changes { try session.change(values, of: upstream) }
    } catch {
      throw .stateFull(error)
    }
    return state()
  }

  /// How the client reached the server.
  func origin(of request: Request, _ gate: AccessGate) -> Origin {
    let named = core.configuration.address.isWildcard ? request.headerValue("host") : nil
    return Origin(isSecure: gate.origin.isSecure, authority: named ?? gate.origin.authority)
  }

  private func contracts(at origin: Origin) -> OwnResponse {
    let upstreams = layer.upstreams
    return .members { object in
      object.member("mode", modeInForce(of: .server).rawValue)
      object.key("records")
      object.bool(core.configuration.relay != nil)
      object.key("saves")
      object.bool(core.configuration.saving != nil)
      object.key("recording")
      object.object { write(recording: &$0) }
      object.key("upstreams")
      object.array { array in
        for upstream in upstreams {
          array.object { writeMembers(of: upstream, at: origin, to: &$0) }
        }
      }
      object.key("contracts")
      object.array { array in
        for contract in upstreams.flatMap(\.contracts) {
          array.object { write(contract, to: &$0) }
        }
      }
      object.key("scenarios")
      object.array { array in
        for upstream in upstreams {
          for scenario in upstream.scenarios {
            array.object { object in
              object.member("upstream", upstream.name)
              object.member("name", scenario.name)
              object.member("summary", scenario.summary)
            }
          }
        }
      }
    }
  }

  func describe(_ contract: Contract, status: Int = 200) -> OwnResponse {
    .members(status: status) { write(contract, to: &$0) }
  }

  private func write(_ contract: Contract, to object: inout JSONWriter) {
    let choice = session.caseInForce(of: contract)
    object.member("id", contract.id)
    object.member("summary", contract.summary)
    object.member("method", contract.request.method)
    object.member("path", contract.request.path)
    object.member("case", choice.map { contract.cases[$0.index].name })
    object.member("reason", choice?.reason.rawValue)
    object.key("script")
    if let script = session.runningScript(of: contract) {
      object.object { object in
        object.member("cases", script.caseNames)
        object.member("served", script.servedCount)
      }
    } else {
      object.null()
    }
    object.key("held")
    object.bool(session.hold(for: contract.id) != nil)
    object.member(
      "mode", modeInForce(of: .contract(contract.name, of: contract.upstreamName)).rawValue)
    object.key("cases")
    object.array { array in
      for served in contract.cases {
        array.object { object in
          object.member("name", served.name)
          object.member("summary", served.summary)
          object.member("status", served.status)
          object.member("kind", served.kind.rawValue)
        }
      }
    }
    object.member("scripts", contract.scripts.map(\.name))
    object.key("isStub")
    object.bool(session.stubs.has(contract) || core.mainSession.stubs.has(contract))
  }
}

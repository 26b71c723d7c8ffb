import Synchronization
package import UnderstudyContractModel
package import UnderstudyCore
package import UnderstudyFakeServer
package import UnderstudyInterchange
import UnderstudySystem

/// Serves `/__admin` as WireMock does, so that its clients work with a fake in its place.
///
/// Each session has stubs of its own; those without one are for all clients, and begin with the
/// stubs of a folder.
///
/// The target is WireMock's admin API in front of a fake. Read this file; `AdminRoute`, which lists
/// the resources; `AdminWork`, which does what one request asks for, with its extensions for logged
/// requests, scenarios and files; `StubTable`, the stubs of a session; then `StubText`, which
/// writes a stub as clients see it and as it is served. `Interchange` makes contracts of stubs.
/// `LoggedRequest` and `ServeEvent` are for clients that verify requests, `RecordSpec` and
/// `RecordedStub` for those that record another server.
///
/// `state` stays locked until the server has the changed contracts, so that it serves the stubs
/// that clients see. Whoever needs `folder` as well locks it first. A stub that no contract can
/// express is refused, never served in part unless the options are lenient. Names of contracts are
/// not used again, so a logged request always belongs to the stub that responded.
package final class WireMockAPI: ServerAPI {
  /// What the command line says.
  package struct Options: Sendable {
    /// The folder with `mappings` and `__files`, to which clients may write.
    package var folder: String?
    /// Reads the stubs of the folder.
    package var read: @Sendable () throws(Failure) -> [ForeignDocument] = { [] }
    /// Whether every response has expressions, not only those of stubs that say so.
    package var isTemplated = false
    /// Whether stubs are served without what is code, instead of being refused.
    package var isLenient = false
    /// `NAME:PASSWORD`, which requests then need.
    package var credentials: String?
    package var keepsJournal = true

    package init() {}
  }

  package let prefix = "/__admin"
  let options: Options
  let startedAt = Moment.now
  private struct State {
    /// The stubs of each session, by its name.
    var tables: [String: StubTable]
    /// Whether the stubs of the folder may have changed since they were read.
    var hasBegun = false
    /// What was asked for when recording began, by session.
    var recordSpecs: [String: RecordSpec] = [:]
  }

  private let state: Mutex<State>
  /// Held while files of the folder and the stubs made of them change together: stubs that were
  /// saved or removed meanwhile would otherwise be replaced with what the folder had before.
  private let folder = Mutex(())

  /// Fails when the folder cannot be read.
  package init(_ options: Options) throws(Failure) {
    self.options = options
    state = Mutex(State(tables: ["": StubTable(of: try options.read(), options)]))
  }

  /// The stubs of the folder that cannot be served, with their files and reasons.
  package var refusals: [String] { table(of: "").refusals }

  /// The stubs of the folder as contracts.
  package var contracts: [Contract] { table(of: "").contracts }

  package func begin(_ session: ServerSession) {
    let server = FakeServer(of: session)
    let mustRead = state.withLock { state in
      guard session.name.isEmpty else {
        state.tables[session.name] = nil
        state.recordSpecs[session.name] = nil
        return false
      }
      defer { state.hasBegun = true }
      if !state.hasBegun { serve(of: session.name, &state, on: server) }
      return state.hasBegun
    }
    guard mustRead else { return }
    withFolder {
      guard let documents = try? options.read() else { return }
      change("", on: server) { $0 = StubTable(of: documents, options) }
    }
  }

  /// Reads the stubs of the folder anew; those made at run time stay.
  package func reload(_ server: FakeServer) throws(Failure) {
    try withFolder { () throws(Failure) in
      // Stubs whose files could not be opened just now are not gone.
      let documents = try Self.whole { () throws(Failure) in try options.read() }
      let result = change("", on: server) { table in
        Result { () throws(Failure) in
          var new = table
          try Self.whole { new.read(documents, keepingOthers: true) }
          table = new
        }
      }
      try result.get()
    }
  }

  /// The result of reading, unless it lacks what could not be read just now.
  private static func whole<Value>(
    _ read: () throws(Failure) -> Value
  ) throws(Failure) -> Value {
    let (result, shortage) = Shortage.noticing(during: read)
    if let shortage { throw Failure(message: shortage) }
    return try result.get()
  }

  /// Works with the files of the folder while nobody else does.
  func withFolder<Value, Refusal>(
    _ body: () throws(Refusal) -> Value
  ) throws(Refusal) -> Value {
    try folder.withLock { _ throws(Refusal) in try body() }
  }

  /// Reads or changes the stubs of a session. What is served follows before anybody else changes
  /// them.
  func change<Value>(
    _ session: String, on server: FakeServer, _ body: (inout StubTable) -> Value
  ) -> Value {
    state.withLock { state in
      defer { serve(of: session, &state, on: server) }
      return body(&state.tables[session, default: StubTable(of: [], options)])
    }
  }

  private func serve(of session: String, _ state: inout State, on server: FakeServer) {
    guard let change = state.tables[session]?.takeChange() else { return }
    server.change(change, of: WireMockLibrary.upstreamName, session: session)
  }

  func table(of session: String) -> StubTable {
    state.withLock { $0.tables[session] } ?? StubTable(of: [], options)
  }

  /// Returns false if the session is recording already.
  func startRecording(
    _ spec: RecordSpec, of target: WebURL, on server: FakeServer, session: String
  ) throws(Failure) -> Bool {
    try state.withLock { state throws(Failure) in
      let isNew = try server.startRecording(
        of: target, as: WireMockLibrary.upstreamName, session: session)
      if isNew { state.recordSpecs[session] = spec }
      return isNew
    }
  }

  /// What the recording of a session was started with.
  func recordSpec(of session: String) -> RecordSpec? {
    state.withLock { $0.recordSpecs[session] }
  }

  /// Ends the recording of a session; `nil` if there is none.
  func stopRecording(
    on server: FakeServer, session: String
  ) -> (spec: RecordSpec, exchanges: KeptExchanges)? {
    state.withLock { state in
      guard let spec = state.recordSpecs[session],
        let exchanges = server.stopRecording(session: session)
      else { return nil }
      return (spec, exchanges)
    }
  }

  package func respond(
    _ call: ServerCall, then: @escaping @Sendable (OwnResponse) -> Void
  ) -> Errand? {
    do throws(AccessGate.Refusal) {
      try call.gate.check(call.request)
    } catch {
      then(.error(error == .token ? 401 : 403, code: 40, error.detail(at: call.gate.origin)))
      return nil
    }
    if let credentials = options.credentials {
      let expected = "Basic \(Base64.encode(Array(credentials.utf8)))"
      guard call.request.headerValue("authorization") == expected else {
        var response = OwnResponse.error(401, code: 40, "no valid credentials")
        response.add(HeaderField(name: "WWW-Authenticate", value: "Basic"))
        then(response)
        return nil
      }
    }
    call.session.noteControl()
    let path = call.request.path.dropFirst(prefix.count)
    if path.isEmpty {
      let own = call.gate.origin
      let origin = Origin(
        isSecure: own.isSecure, authority: call.request.headerValue("host") ?? own.authority)
      var response = OwnResponse.empty(302)
      response.add(HeaderField(name: "Location", value: "\(origin)\(prefix)/"))
      then(response)
      return nil
    }
    guard let (route, values) = AdminRoute.find(call.request.method, path) else {
      then(.empty(404))
      return nil
    }
    let work = AdminWork(
      api: self, server: FakeServer(of: call.session), session: call.session.name,
      request: call.request, values: values, showsSecrets: call.gate.isLocalClient)
    if route.readsJournal {
      return Errand { then(await work.journalResponse(route)) }
    }
    work.server.work { then(work.respond(route)) }
    return nil
  }
}

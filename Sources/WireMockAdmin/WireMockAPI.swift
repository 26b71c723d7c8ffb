import Synchronization
package import UnderstudyContractModel
package import UnderstudyCore
package import UnderstudyFakeServer
package import UnderstudyInterchange

/// Answers `/__admin` as WireMock does, so that its clients work with a fake in its place.
///
/// Each session has stubs of its own; those without one are for all clients, and begin with the stubs
/// of a folder.
package final class WireMockAPI: ServerAPI {
  /// What the command line says.
  package struct Options: Sendable {
    /// The folder with `mappings` and `__files`.
    package var folder: String?
    /// Reads the stubs of the folder.
    package var read: @Sendable () throws(Failure) -> [ForeignDocument] = { [] }
    /// Whether every answer has expressions, not only those of stubs that say so.
    package var isTemplated = false
    /// `NAME:PASSWORD`, which requests then need.
    package var credentials: String?
    package var keepsJournal = true
    /// Whether clients may write to the folder.
    package var maySave = false

    package init() {}
  }

  package let prefix = "/__admin"
  let options: Options
  let startedAt = Moment.now
  private let tables: Mutex<[String: StubTable]>

  /// Fails when the folder cannot be read.
  package init(_ options: Options) throws(Failure) {
    self.options = options
    tables = Mutex([:])
    let table = try Self.initialTable(options)
    tables.withLock { $0[""] = table }
  }

  private static func initialTable(_ options: Options) throws(Failure) -> StubTable {
    StubTable(of: try options.read(), options)
  }

  /// The stubs of the folder that cannot be played, with their files and reasons.
  package var refusals: [String] { tables.withLock { $0[""]?.refusals ?? [] } }

  /// The stubs of the folder as contracts.
  package var contracts: [Contract] { tables.withLock { $0[""]?.contracts ?? [] } }

  package func begin(_ session: ServerSession) {
    guard session.name.isEmpty else { return tables.withLock { $0[session.name] = nil } }
    try? reload(session)
  }

  /// Reads the stubs of the folder anew; those made at run time stay.
  package func reload(_ server: FakeUpstream) throws(Failure) {
    let documents = try options.read()
    change("", on: server) { $0.replaceFiles(with: documents, options) }
  }

  private func reload(_ session: ServerSession) throws(Failure) {
    let table = try Self.initialTable(options)
    change("", on: FakeUpstream(of: session)) { $0 = table }
  }

  /// Reads or changes the stubs of a session. What is played follows before anybody else changes them.
  func change<Value>(
    _ session: String, on server: FakeUpstream, _ body: (inout StubTable) -> Value
  ) -> Value {
    tables.withLock { tables in
      var table = tables[session] ?? StubTable(of: [], options)
      let before = table.version
      defer {
        if table.version != before {
          server.order(table.contracts, of: WireMockLibrary.upstreamName, session: session)
        }
        tables[session] = table
      }
      return body(&table)
    }
  }

  func table(of session: String) -> StubTable {
    tables.withLock { $0[session] } ?? StubTable(of: [], options)
  }

  package func answer(
    _ call: ServerCall, then: @escaping @Sendable (OwnAnswer) -> Void
  ) -> Errand? {
    do throws(AccessGate.Refusal) {
      try call.gate.check(call.request)
    } catch {
      then(.error(error.isOfToken ? 401 : 403, code: 40, error.text(at: call.gate.authority)))
      return nil
    }
    if let credentials = options.credentials {
      let expected = "Basic \(Base64.encode(Array(credentials.utf8)))"
      guard call.request.headerValue("authorization") == expected else {
        var answer = OwnAnswer.error(401, code: 40, "found no valid credentials")
        answer.add(HeaderField(name: "WWW-Authenticate", value: "Basic"))
        then(answer)
        return nil
      }
    }
    let path = call.request.path.dropFirst(prefix.count)
    if path.isEmpty {
      let host = call.request.headerValue("host") ?? call.gate.authority
      var answer = OwnAnswer.empty(302)
      answer.add(HeaderField(name: "Location", value: "http://\(host)\(prefix)/"))
      then(answer)
      return nil
    }
    guard let (route, values) = AdminRoute.find(call.request.method, path) else {
      then(.empty(404))
      return nil
    }
    let work = AdminWork(
      api: self, server: FakeUpstream(of: call.session), session: call.session.name,
      request: call.request, values: values, showsSecrets: call.gate.isLocalClient)
    if route.readsJournal {
      return Errand { then(await work.journalAnswer(route)) }
    }
    work.server.work { then(work.answer(route)) }
    return nil
  }
}

extension AccessGate.Refusal {
  fileprivate var isOfToken: Bool { self == .token }

  fileprivate func text(at authority: String) -> String {
    switch self {
    case .host(let host): "found Host \"\(host)\", expected \(authority)"
    case .origin(let origin): "found Origin \"\(origin)\", expected http://\(authority) or none"
    case .token:
      "found no valid token, expected Authorization: Bearer with the server's admin token"
    }
  }
}

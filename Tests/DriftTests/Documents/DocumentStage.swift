import UnderstudyClient
import UnderstudyConsumers
import UnderstudyContractModel
import UnderstudyCore
import UnderstudyDrift
import UnderstudyFindings
import UnderstudyInterchange
import UnderstudyJSON

/// A contract, a service that may read its response, and a document that says the same until a test
/// changes it.
struct DocumentStage {
  /// Whether a service is expected to get the response, and how much of it it needs.
  enum Reading: Sendable {
    case nobody
    /// All four members.
    case all
    /// Only the number.
    case id
    /// All, and any of them may be missing or null.
    case lenient
    /// The same, but for the number.
    case numbered
  }

  static let contract = """
    { "summary": "A joke",
      "request": { "method": "GET", "path": "/random",
        "parameters": { "query.count": { "example": "3" } } },
      "cases": {
        "ok": {
          "status": 200,
          "body": { "id": 7, "text": "So.", "kind": "old", "day": "2026-01-31" },
          "schema": {
            "type": "object", "required": ["id", "text", "kind", "day"],
            "properties": {
              "id": { "type": "integer" }, "text": { "type": "string" },
              "kind": { "enum": ["old", "new"] }, "day": { "type": "string", "format": "date" } } },
          "expect": {}
        },
        "gone": { "status": 410 },
        "slow": { "like": "ok", "delay": { "fixed": "1s" } },
        "reset": { "fault": "CONNECTION_RESET_BY_PEER" } } }
    """

  static let document = """
    { "openapi": "3.1.0",
      "servers": [{ "url": "https://jokes.example" }],
      "paths": {
        "/random": {
          "get": {
            "parameters": [
              { "name": "count", "in": "query", "schema": { "type": "integer" } }],
            "responses": {
              "200": { "content": { "application/json": { "schema": {
                "$ref": "#/components/schemas/Joke" } } } },
              "410": {} } } } },
      "components": { "schemas": { "Joke": {
        "type": "object", "required": ["id", "text", "kind", "day"],
        "properties": {
          "id": { "type": "integer" },
          "text": { "type": "string" },
          "kind": { "enum": ["old", "new"] },
          "day": { "type": "string", "format": "date" } } } } } }
    """

  private struct Joke: Decodable {
    let id: Int
    let text: String
    let kind: String
    let day: String
  }

  private struct ID: Decodable { let id: Int }

  private struct AnyJoke: Decodable {
    let id: Double?
    let text: String?
    let kind: String?
    let day: String?
  }

  var contract = Self.contract
  var document = Self.document
  /// The files beside it.
  var others: [String: String] = [:]
  var reading = Reading.nobody
  var globs: [String] = []
  /// What the service asks for.
  var target = "/random?count=3"
  var failsOn = Finding.Severity.error
  var accepted: AcceptedDrift?

  private var service: ServiceConsumer {
    ServiceConsumer("jokes.random") { [reading, target] call in
      do {
        let body = try await LiveStage.ask(
          ClientRequest(url: call.baseURL(of: "joke") + target), call)
        let root = try JSONDocument(parsing: body).root
        let decoder = JSONTreeDecoder(recorder: call.recorder)
        switch reading {
        case .nobody: break
        case .all: _ = try decoder.decode(Joke.self, from: root)
        case .id: _ = try decoder.decode(ID.self, from: root)
        case .lenient: _ = try decoder.decode(AnyJoke.self, from: root)
        case .numbered:
          _ = try decoder.decode(AnyJoke.self, from: root)
          _ = try decoder.decode(ID.self, from: root)
        }
        return Array("1".utf8)
      } catch let error as ConsumerError {
        throw error
      } catch {
        throw ConsumerError("invalidData")
      }
    }
  }

  private var library: ContractLibrary {
    let expect = reading == .nobody ? "{}" : #"{ "jokes.random": { "value": 1 } }"#
    return ContractLibrary(reading: [
      "consumers.json": """
      { "jokes.random": { "upstreams": ["joke"], "errors": {
          "invalidData": null, "connectivity": null, "unexpectedStatus": "integer" } } }
      """,
      "joke/upstream.json": #"{ "summary": "Jokes", "baseURL": "https://jokes.example" }"#,
      "joke/random.json": contract.replacing(#""expect": {}"#, with: #""expect": \#(expect)"#),
    ])
  }

  func report() async throws -> Report {
    let (document, others) = (document, others)
    let foreign = try ForeignDocument(reading: Array(document.utf8), file: "openapi.json")
    let source = ImportSource(
      documents: [foreign],
      reading: { path, _ throws(Failure) in
        guard let text = others[path] else {
          throw Failure(message: "no file \(path)", fix: nil)
        }
        return Array(text.utf8)
      })
    var options = DocumentSession.Options()
    options.documents = [("joke", try DocumentedAPI(foreign, from: source))]
    options.globs = globs.map { CaseGlob($0) }
    options.failsOn = failsOn
    options.accepted = accepted
    let session = try DocumentSession(
      library, ConsumerRegistry(reading == .nobody ? [] : [service]), options)
    return await session.report(toolVersion: "1.2.3")
  }

  /// Of the case `ok`, and of the run: `error status found …`.
  func lines() async throws -> [String] {
    let report = try await report()
    let own = report.checks.filter { $0.identity.caseName == "ok" }.flatMap(\.findings)
    return (own + report.findings).filter { $0.type != .consumersUnknown }.map {
      "\($0.severity.rawValue) \($0.type.rawValue)\($0.path.map { " \($0)" } ?? "") \($0.message)"
    }
  }

  func changed(_ old: String, _ new: String) -> DocumentStage {
    var stage = self
    stage.document = document.replacing(old, with: new)
    return stage
  }
}

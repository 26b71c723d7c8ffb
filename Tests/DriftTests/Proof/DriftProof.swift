import Testing
import UnderstudyClient
import UnderstudyConsumers
import UnderstudyContractModel
import UnderstudyDrift
import UnderstudyFakeServer
import UnderstudyFindings
import UnderstudyJSON

/// The contract of a thing, a consumer that reads a part of it, and a second fake that serves the
/// live API.
struct DriftProof {
  static let upstream = #"{ "summary": "Things", "baseURL": "https://things.example" }"#
  static let consumers = """
    { "things.get": { "upstreams": ["joke"], "errors": {
        "connectivity": null, "unexpectedStatus": "integer" } } }
    """
  static let contract = """
    {
      "summary": "A thing",
      "request": { "method": "GET", "path": "/thing" },
      "cases": {
        "ok": {
          "status": 200,
          "headers": {
            "Content-Type": "application/json",
            "X-Kind": "thing",
            "ETag": "\\"1\\""
          },
          "body": {
            "id": 7,
            "name": "lamp",
            "state": "new",
            "grade": "a",
            "day": "2026-11-01",
            "at": 802180800,
            "tags": ["red"],
            "parts": [{ "sku": "p1", "size": 3, "label": "small" }],
            "prices": { "eur": { "cents": 100, "text": "1 €" } },
            "note": "x",
            "seen": "2026-11-01T10:00:00Z",
            "made": 802180800,
            "weight": 1.5,
            "maker": { "city": "Graz", "sites": ["west"] }
          },
          "schema": {
            "required": ["id", "name", "parts"],
            "properties": {
              "id": { "type": "integer" },
              "name": { "type": "string", "maxLength": 20 },
              "state": { "enum": ["new", "used"] },
              "grade": { "enum": ["a", "b"] },
              "day": { "format": "date" },
              "at": { "x-time": { "epoch": 2001, "within": ["-20y", "+1y"] } },
              "parts": {
                "items": {
                  "required": ["sku"],
                  "properties": { "sku": { "type": "string" }, "size": { "type": "integer" } }
                }
              },
              "prices": {
                "additionalProperties": { "type": "object", "required": ["cents"] }
              },
              "seen": { "format": "date-time" },
              "made": { "x-time": { "epoch": 2001, "within": ["-20y", "+1y"] } },
              "weight": { "maximum": 100 }
            }
          },
          "live": { "latency": "60s" },
          "expect": { "things.get": { "value": { "id": 7 } } }
        }
      }
    }

    """
  /// What the live API responds as long as nothing has changed: no value is the one of the
  /// contract.
  static let body = """
    { "id": 8, "name": "chair", "state": "used", "grade": "b", "day": "2026-11-02",
      "at": 816000000, "tags": ["blue", "old"],
      "parts": [{ "sku": "p2", "size": 4, "label": "big" },
                { "sku": "p3", "size": 5, "label": "flat" }],
      "prices": { "usd": { "cents": 120, "text": "$1.20" } },
      "note": "y", "seen": "2026-11-02T11:00:00Z", "made": 816000001, "weight": 2.5,
      "maker": { "city": "Linz", "sites": ["east"] } }
    """
  static let headers =
    #""Content-Type": "application/json; charset=utf-8", "X-Kind": "thing", "ETag": "\"2\"""#

  private struct Thing: Decodable {
    struct Part: Decodable { let sku: String, size: Int }
    struct Price: Decodable { let cents: Int }
    enum Grade: String, Decodable { case a, b }

    let id: Int
    let name: String
    let state: String
    let grade: Grade
    let day: String?
    let at: Double
    let tags: [String]
    let parts: [Part]
    let prices: [String: Price]
  }

  /// Reads what comes before `note`, and takes no thing without a name.
  static let consumer = consumer(followingRedirects: 0)

  static func consumer(followingRedirects countMax: Int) -> ServiceConsumer {
    ServiceConsumer("things.get") { call in
      var request = ClientRequest(url: try call.baseURL(of: "joke") + "/thing")
      request.options.redirectCountMax = countMax
      let body = try await LiveStage.ask(request, call)
      do {
        let thing = try JSONTreeDecoder(recorder: call.recorder).decode(
          Thing.self, from: JSONDocument(parsing: body).root)
        guard !thing.name.isEmpty else { throw ConsumerError("invalidData") }
        return Array("{ \"id\": \(thing.id) }".utf8)
      } catch {
        throw ConsumerError("invalidData")
      }
    }
  }

  static func library(_ contract: String = Self.contract) -> ContractLibrary {
    ContractLibrary(reading: [
      "consumers.json": consumers, "joke/upstream.json": upstream, "joke/thing.json": contract,
    ])
  }

  /// A server that responds with this case, and with others where they say so.
  static func live(
    _ served: String, others: String = "", behind redirect: Int? = nil
  ) async throws -> FakeServer {
    try await FakeServer.start(liveLibrary(served, others: others, behind: redirect))
  }

  static func liveLibrary(
    _ served: String, others: String = "", behind redirect: Int? = nil
  ) throws -> ContractLibrary {
    let moved = redirect.map {
      #""status": \#($0), "headers": { "Location": "/joke/moved" }"#
    }
    let library = ContractLibrary(reading: [
      "joke/upstream.json": #"{ "summary": "Things" }"#,
      "joke/thing.json": """
      { "summary": "A thing", "request": { "method": "GET", "path": "/thing" },
        "cases": { "live": { \(moved ?? served) }\(others) } }
      """,
      "joke/moved.json": """
      { "summary": "A thing", "request": { "method": "GET", "path": "/moved" },
        "cases": { "live": { \(served) } } }
      """,
    ])
    let errors = library.findings.filter { $0.severity == .error }
    try #require(errors.isEmpty, "\(errors.map(\.description).joined(separator: "\n"))")
    return library
  }

  /// What comes of asking there: of the response, and of the consumer.
  ///
  /// - Parameter captured responses: what runs before have kept there is known, and this one adds to it.
  static func checks(
    at url: String?, contract: String = Self.contract, timeout: Duration = .seconds(30),
    consumer: ServiceConsumer = Self.consumer, trusting trustFile: String? = nil,
    captures: TestFolder? = nil
  ) async throws -> [Check] {
    let library = library(contract)
    let errors = library.findings.filter { $0.severity == .error }
    try #require(errors.isEmpty, "\(errors.map(\.description).joined(separator: "\n"))")
    let stage = LiveStage(library, at: url, consumer: consumer)
    var connection = CurlConfiguration()
    connection.ignoresProxies = true
    connection.trustFile = trustFile
    let transport = CurlTransport(connection)
    let configuration = DriftConfiguration()
    let folder = captures.map { CaptureFolder($0.path) }
    let network = LiveNetwork(
      transport, local: transport, upstreams: stage.plan.upstreams,
      earlier: folder.map { EarlierResponses(in: $0, to: stage.plan, now: Stage.now) }
        ?? EarlierResponses(),
      clock: stage.time.clock, timeout: timeout, deadline: configuration.deadline)
    let results = await DriftRun(
      stage.plan, library, from: { _, _, round in network.responses(inRound: round) },
      clock: stage.time.clock,
      now: Stage.now, configuration
    ).results()
    await transport.close()
    if let folder {
      _ = try folder.keep(results, of: stage.plan.upstreams, at: Stage.now)
    }
    return results.flatMap(\.checks) + stage.plan.settled
  }

  static func checks(serving served: String, contract: String = Self.contract) async throws
    -> [Check]
  {
    let server = try await live(served)
    let checks = try await checks(at: server.baseURL(of: "joke"), contract: contract)
    await server.close()
    return checks
  }
}

extension Finding {
  /// `error status -`, `warning schema-enum-widened /state`
  var kindAndPath: String {
    let path = path.map { $0.description.isEmpty ? "(all)" : $0.description } ?? "-"
    return "\(severity.rawValue) \(type.rawValue) \(path)"
  }
}

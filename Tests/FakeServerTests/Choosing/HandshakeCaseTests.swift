import Testing
import UnderstudyContractModel

@testable import UnderstudyFakeServer

/// Cases that break the TLS handshake, which no request can get.
@Suite struct HandshakeCaseTests {
  private static func files(default name: String = #""ok""#) -> [String: String] {
    [
      "shop/upstream.json": #"{ "summary": "A shop", "baseURL": "https://shop.example" }"#,
      "shop/items.json": #"""
      { "request": { "method": "GET", "path": "/items/{id}" }, "default": \#(name),
        "cases": {
          "ok": { "status": 200 },
          "expired": { "fault": "TLS_EXPIRED" },
          "sold": { "status": 404, "when": { "request": { "path.id": "2" } } },
          "one": { "status": 200, "live": { "parameters": { "path.id": "1" } } },
          "down": { "status": 503 } } }
      """#,
    ]
  }

  private static func served(
    _ targets: String, on server: FakeServer, session: String = ""
  ) throws -> [String] {
    let client = try server.client()
    return try targets.split(separator: " ").map { target in
      let response = try client.exchange("GET \(session)/shop/items/\(target)")
      return response.values(of: "Understudy-Case").first ?? "\(response.status)"
    }
  }

  @Test("a request gets the contract's own case while one is chosen that breaks the handshake")
  func chosen() async throws {
    try await SmallServer.with(Self.files()) { (server) async throws in
      server.use("expired", for: "shop/items")
      server.use("down", for: "shop/items", session: "a")
      #expect(try Self.served("0 2 1", on: server) == ["ok", "sold", "one"])
      #expect(try Self.served("0 2", on: server, session: "/~a") == ["down", "sold"])
      let shown = try server.admin("GET", "/contracts/shop/items").json()
      #expect(shown["case"]?.string == "expired" && shown["reason"]?.string == "hand")
    }
  }

  @Test("a script waits at a step that breaks the handshake")
  func script() async throws {
    try await SmallServer.with(Self.files()) { (server) async throws in
      server.use(["down", "expired", "down"], for: "shop/items")
      #expect(try Self.served("0 0 2 0", on: server) == ["down", "ok", "sold", "ok"])
      let shown = try server.admin("GET", "/contracts/shop/items").json()
      #expect(shown["script"]?["served"]?.int == 1)
      #expect(shown["case"]?.string == "expired" && shown["reason"]?.string == "script")
    }
  }

  @Test("without a default case, what no condition takes stays without a response")
  func noDefault() async throws {
    try await SmallServer.with(Self.files(default: "null")) { (server) async throws in
      server.use("expired", for: "shop/items")
      #expect(try Self.served("0 2 1", on: server) == ["404", "sold", "one"])
    }
  }

  private static let refusal = """
    the case "expired" breaks the TLS handshake, which comes before the request: choose it with \
    "understudy use", for an upstream that has a port of its own
    """

  @Test("a request that prefers one is told where to choose it", arguments: [false, true])
  func preferred(isSteered: Bool) async throws {
    try await SmallServer.with(Self.files()) { (server) async throws in
      if isSteered { server.use("expired", for: "shop/items") }
      let response = try server.client().exchange(
        "GET /shop/items/0", ["Prefer: example=expired, code=503"])
      let problem = try response.json()
      #expect(response.status == 400)
      #expect(problem["title"]?.string == "The requested case comes before any request")
      #expect(problem["detail"]?.string == Self.refusal)
    }
  }

  @Test("a prediction says the same")
  func predicted() throws {
    let library = ContractLibrary(reading: Self.files())
    func prediction(_ headers: [HeaderField] = []) -> String {
      let request = Request("GET", "/shop/items/0", headers: headers)
      return switch Prediction(of: request, in: library.index) {
      case .serves(let served, _, let reason): "\(served.name), \(reason)"
      case .refuses(_, let reason): reason
      case .unmatched(let explanation): explanation.complaint
      }
    }
    #expect(prediction() == "ok, the default")
    #expect(prediction([HeaderField(name: "Prefer", value: "example=expired")]) == Self.refusal)
  }

  @Test("a held response cannot be released with one")
  func held() async throws {
    try await SmallServer.with(Self.files()) { (server) async throws in
      let hold = server.hold("shop/items")
      let client = try server.client()
      client.ask("GET /shop/items/0")
      let held = try #require(await hold.next())
      let refused = try server.admin(
        "POST", "/held/\(held.id)/release", body: #"{"case":"expired"}"#)
      #expect(refused.status == 400)
      #expect(try refused.json()["detail"]?.string == Self.refusal)
      #expect(await held.release())
      #expect(try client.response().status == 200)
    }
  }
}

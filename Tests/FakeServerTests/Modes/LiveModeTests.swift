import Testing
import UnderstudyContractModel
import UnderstudyCore
import UnderstudyHTTP
import UnderstudySystem

@testable import UnderstudyFakeServer

/// Upstreams whose live API responds.
@Suite struct LiveModeTests {
  private static let files = SmallServer.files.merging([
    "shop/upstream.json": #"""
    { "summary": "A shop", "baseURL": "https://shop.example/v1",
      "scenarios": { "open": { "mode": "live" } } }
    """#,
    "bank/upstream.json": #"{ "summary": "A bank" }"#,
    "bank/rates.json": #"""
    { "request": { "method": "GET", "path": "/rates" }, "cases": { "ok": { "status": 200 } } }
    """#,
  ]) { $1 }

  /// A live API that says what it was asked.
  @Sendable private static func live(
    _ relayed: RelayedRequest, _ then: @escaping Relay.Then
  ) -> Errand? {
    let request = relayed.request
    let names = request.headers.map(\.name).filter { $0 != "Host" && $0 != "Prefer" }
    let words = [
      request.method, "\(relayed.baseURL)\(request.path)", request.query ?? "-",
      String(decoding: request.body, as: UTF8.self),
    ]
    then(
      RelayedResponse(
        status: 299, headers: [], body: Array((words + names).joined(separator: " ").utf8)))
    return nil
  }

  private func with(
    _ configure: (inout ServerConfiguration) -> Void = { _ in },
    _ test: (FakeServer) async throws -> Void
  ) async throws {
    try await SmallServer.with(Self.files) { configuration in
      configuration.live = Self.live
      configure(&configuration)
    } _: { (server) async throws in
      try await test(server)
    }
  }

  @Test("every path below the base URL is passed on, also those that no contract has")
  func everything() async throws {
    try await with { (server) async throws in
      let client = try server.client()
      #expect(try client.exchange("GET /shop/v1/items").text == "[1,2]")
      let set = try server.admin("PUT", "/upstreams/shop/mode", body: #"{"mode":"live"}"#)
      #expect(try set.json()["mode"]?.string == "live")
      let found = try client.exchange("GET /shop/v1/items?a=1", ["Prefer: example=gone"])
      #expect(found.status == 299)
      #expect(found.text == "GET https://shop.example/v1/items a=1 ")
      #expect(
        try client.exchange("PATCH /~w/shop/v1/none", body: "x").text
          == "PATCH https://shop.example/v1/none - x Content-Length")
      #expect(
        try client.exchange("GET /v1/hosted", host: "shop.example").text
          == "GET https://shop.example/v1/hosted - ")
      // Not below its base URL.
      #expect(try client.exchange("GET /shop/v2").status == 404)
      #expect(try client.exchange("GET /bank/rates").status == 200)
      #expect(try client.exchange("GET /").text.contains("forwards requests to the live ones"))
      let journal = await server.journal()
      let passed = journal.filter { $0.status == 299 }
      #expect(passed.map(\.reason) == [.mode, .mode, .mode])
      #expect(passed.allSatisfy { $0.contract == nil && !$0.isUnmatched })
      #expect(try server.admin("DELETE", "/upstreams/shop/mode").status == 200)
      #expect(try client.exchange("GET /shop/v1/items").text == "[1,2]")
    }
  }

  @Test("one contract is passed on alone, or alone is not")
  func contract() async throws {
    try await with { (server) async throws in
      let client = try server.client()
      let paths = ["/shop/v1/items", "/shop/v1/none"]
      func statuses() throws -> [Int] { try paths.map { try client.exchange("GET \($0)").status } }
      server.set(.live, for: .contract("items", of: "shop"))
      #expect(try statuses() == [299, 404])
      server.set(.live, for: .upstream("shop"))
      server.set(.fake, for: .contract("items", of: "shop"))
      #expect(try statuses() == [200, 299])
    }
  }

  @Test("the whole server passes on what it can; an upstream without a live API says so")
  func server() async throws {
    try await with { (server) async throws in
      let client = try server.client()
      let set = try server.admin("PUT", "/mode", body: #"{"mode":"live"}"#)
      #expect(set.status == 200)
      #expect(try client.exchange("GET /shop/v1/items").status == 299)
      let bank = try client.exchange("GET /bank/rates")
      #expect(bank.status == 502)
      #expect(
        try bank.json()["detail"]?.string
          == "mode \"live\" needs a live API: bank has no \"baseURL\" in upstream.json")
    }
  }

  @Test("a scenario of a server without a way to live APIs says so in each response")
  func noWay() async throws {
    try await with {
      $0.live = nil
    } _: { (server) async throws in
      #expect(server.use(scenario: "open", of: "shop"))
      #expect(try server.client().exchange("GET /shop/v1/items").status == 501)
    }
  }

  @Test("it comes before recording, in either way", arguments: [false, true])
  func recording(takesAll: Bool) async throws {
    let baseURL = WebURL(scheme: "https", host: "recorded.example", path: "/v1")
    try await with { configuration in
      configuration.relay = Relay(baseURLs: ["shop": baseURL], takesAll: takesAll) { _, then in
        then(RelayedResponse(status: 298, headers: [], body: []))
        return nil
      }
    } _: { (server) async throws in
      let client = try server.client()
      #expect(try client.exchange("GET /shop/v1/none").status == 298)
      server.set(.live, for: .upstream("shop"))
      for path in ["none", "items"] {
        #expect(try client.exchange("GET /shop/v1/\(path)").status == 299)
      }
      server.set(.off, for: .upstream("shop"))
      client.ask("GET /shop/v1/none")
      #expect(client.receiveAllBytes().end == .reset)
    }
  }

  @Test(
    "the rules of recording hold: Host, Origin, and the token where others reach the server",
    arguments: [
      ("localhost", nil, 299), ("shop.example", nil, 299), ("evil.example", nil, 403),
      ("localhost", "Origin: http://evil.example", 403),
      ("localhost", "Origin: http://page.example", 299),
    ] as [(String, String?, Int)])
  func rules(host: String, header: String?, status: Int) async throws {
    try await with {
      $0.allowedOrigins = ["http://page.example"]
    } _: { (server) async throws in
      server.set(.live, for: .server)
      let response = try server.client().exchange(
        "GET /shop/v1/x", [header].compactMap(\.self), host: host)
      #expect(response.status == status)
    }
  }

  @Test("the server's own token is asked for, and not passed on")
  func token() async throws {
    try await with {
      $0.address = SocketAddress(host: "0.0.0.0", port: 0)
      $0.adminToken = "a token"
    } _: { (server) async throws in
      server.set(.live, for: .server)
      let client = try WireClient(port: server.address.port)
      #expect(try client.exchange("GET /shop/v1/x").status == 401)
      let response = try client.exchange(
        "GET /shop/v1/x", ["Understudy-Token: a token", "Authorization: mine"])
      #expect(response.text == "GET https://shop.example/v1/x -  Authorization")
    }
  }

  @Test("a preflight is served here, where pages may read the responses")
  func preflight() async throws {
    try await with {
      $0.allowsCORS = true
    } _: { (server) async throws in
      server.set(.live, for: .server)
      let headers = ["Origin: http://localhost", "Access-Control-Request-Method: PUT"]
      let response = try server.client().exchange("OPTIONS /shop/v1/items", headers)
      #expect(response.status == 204)
      #expect(response.values(of: "Access-Control-Allow-Methods") == ["PUT"])
    }
  }
}

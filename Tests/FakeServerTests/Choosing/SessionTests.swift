import Testing

@testable import UnderstudyFakeServer

@Suite struct SessionTests {
  @Test(
    "a case with state is served while that state holds, and no other",
    arguments: [("", 200), ("sold", 404), ("lost", 410), ("full", 200)])
  func state(value: String, status: Int) async throws {
    var files = SmallServer.files
    files["shop/item.json"] = #"""
      { "request": { "method": "GET", "path": "/items/{id}" },
        "cases": {
          "ok": { "status": 200 },
          "sold": { "when": { "state": { "shelf": "sold" } }, "status": 404 },
          "lost": { "when": { "request": { "path.id": "1" }, "state": { "shelf": "lost" } },
                    "status": 410 } } }
      """#
    try await SmallServer.with(files) { (server) async throws in
      let state = #"{"state":{"shop":{"shelf":"\#(value)"}}}"#
      #expect(try server.admin("PUT", "/state", body: state).status == 200)
      #expect(try server.client().exchange("GET /shop/items/1").status == status)
    }
  }

  @Test("beyond the limit, the least recently used sessions are forgotten")
  func bounded() async throws {
    try await SmallServer.with {
      $0.limits.sessionCountMax = 2
    } _: { (server) async throws in
      for name in ["a", "b"] { server.use("gone", for: "shop/items", session: name) }
      let client = try server.client()
      func status(_ name: String) throws -> Int {
        try client.exchange("GET /~\(name)/shop/items").status
      }
      #expect(try status("a") == 410)
      #expect(try status("c") == 200)
      #expect(server.core.sessionNames == ["a", "c"])
      #expect(try status("a") == 410)
      #expect(try status("b") == 200)
      #expect(server.core.sessionNames == ["a", "b"])
    }
  }

  @Test("a hold on a forgotten session ends")
  func held() async throws {
    try await SmallServer.with {
      $0.limits.sessionCountMax = 1
    } _: { (server) async throws in
      let hold = server.hold("shop/items", session: "a")
      _ = try server.client().exchange("GET /~b/shop/items")
      #expect(await hold.next() == nil)
    }
  }

  @Test("a client that waits for a held response of a forgotten session gets it")
  func heldClient() async throws {
    try await SmallServer.with {
      $0.limits.sessionCountMax = 1
    } _: { (server) async throws in
      _ = server.hold("shop/items", session: "a")
      let waiting = try server.client()
      waiting.ask("GET /~a/shop/items")
      _ = await server.nextRequest()
      #expect(await waiting.isSilent(on: server))
      _ = try server.client().exchange("GET /~b/shop/items")
      #expect(try waiting.response().text == "[1,2]")
    }
  }

  @Test("a deleted session leaves nothing in the request log, forgotten meanwhile or not")
  func ended() async throws {
    try await SmallServer.with {
      $0.limits.sessionCountMax = 1
    } _: { (server) async throws in
      let client = try server.client()
      for name in ["a", "b", "a", "b"] { _ = try client.exchange("GET /~\(name)/shop/items") }
      #expect(await server.forget(session: "a").map(\.sequence) == [1, 3])
      #expect(await server.journal().map(\.sequence) == [2, 4])
    }
  }

  @Test("a refused request creates no session")
  func refused() async throws {
    try await SmallServer.with { (server) async throws in
      let response = try server.client().exchange(
        "GET /~a/__understudy/state", host: "evil.example")
      #expect(response.status == 403)
      #expect(server.core.sessionNames == [])
      _ = try server.admin("GET", "/state", session: "b%63")
      #expect(server.core.sessionNames == ["bc"])
    }
  }

  @Test("a name that has to be encoded is the same everywhere")
  func encoded() async throws {
    try await SmallServer.with { (server) async throws in
      server.use("gone", for: "shop/items", session: "ä b")
      let client = try server.client()
      #expect(try client.exchange("GET /~%C3%A4%20b/shop/items").status == 410)
      #expect(await server.journal(JournalQuery { $0.session = "ä b" }).map(\.sequence) == [1])
      #expect(try server.admin("DELETE", "/sessions/%C3%A4%20b").status == 204)
      #expect(try client.exchange("GET /~%c3%a4%20b/shop/items").status == 200)
    }
  }
}

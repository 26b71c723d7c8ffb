import Testing
import UnderstudyContractModel

@testable import UnderstudyFakeServer

/// A chosen case takes the place of one case only.
@Suite struct ForcedCaseTests {
  private static func files(default name: String = #""ok""#) -> [String: String] {
    [
      "shop/upstream.json": #"{ "summary": "A shop", "baseURL": "https://shop.example" }"#,
      "shop/list.json": #"""
      { "request": { "method": "GET", "path": "/list/{id}" }, "default": \#(name),
        "cases": {
          "ok": { "status": 200, "when": { "request": { "query.page": "1" } } },
          "page-2": { "like": "ok", "when": { "request": { "query.page": "2" } } },
          "page-3": { "status": 200, "when": { "request": { "query.page": "3" } } },
          "kept-4": { "status": 200, "when": { "request": { "query.page": "4" },
                                               "state": { "page": "kept" } } },
          "kept": { "status": 200, "when": { "state": { "page": "kept" } } },
          "often": { "status": 429, "when": { "count": { "above": 1 } } },
          "drawn": { "status": 503, "when": { "request": { "query.page": {} }, "share": 1 } },
          "gone": { "status": 404, "live": { "parameters": { "path.id": "0" } } },
          "slow": { "like": "ok", "delay": { "fixed": "1ms" } },
          "slow-cut": { "like": "slow", "summary": "…" },
          "late-2": { "like": "page-2", "delay": { "fixed": "1ms" } },
          "cut-2": { "like": "late-2", "summary": "…" },
          "lost": { "like": "gone", "status": 410 },
          "spare": { "like": "kept", "status": 202 },
          "down": { "status": 500 } } }
      """#,
    ]
  }

  private static func served(
    _ target: String, on server: FakeServer, _ fields: [String] = []
  ) throws -> String {
    let response = try server.client().exchange("GET /shop/list/\(target)", fields)
    return response.values(of: "Understudy-Case").first ?? "\(response.status)"
  }

  @Test(
    "requests that another when takes keep their case",
    arguments: [
      // One that replaces the default.
      ("down", "1 1?page=1 1?page=5", "down down down"),
      ("down", "1?page=2 1?page=3", "page-2 page-3"),
      ("slow", "1 1?page=1 1?page=2", "slow slow page-2"),
      ("slow-cut", "1 1?page=1 1?page=2", "slow-cut slow-cut page-2"),
      ("lost", "1 0 1?page=2", "lost lost page-2"),
      ("ok", "1 0 1?page=1 1?page=2", "ok ok ok page-2"),
      // One that is like a case with a when, directly or through another.
      ("late-2", "1?page=2 1?page=3", "late-2 page-3"), ("cut-2", "1?page=2", "cut-2"),
      // One with a when of its own.
      ("page-2", "1 1?page=1 1?page=2 1?page=3", "page-2 page-2 page-2 page-3"),
      ("kept-4", "1 1?page=4 1?page=2", "kept-4 kept-4 page-2"),
      ("drawn", "1 1?page=5 1?page=2", "drawn drawn drawn"),
      // Neither state, number nor chance takes a request.
      ("kept", "1 1?page=2", "kept page-2"), ("spare", "1 1?page=2", "spare page-2"),
      ("often", "1 1 1?page=3", "often often page-3"),
    ])
  func forced(name: String, targets: String, expected: String) async throws {
    try await SmallServer.with(Self.files()) { (server) async throws in
      for state in ["", "kept"] {
        let body = #"{"state":{"shop":{"page":"\#(state)"}}}"#
        #expect(try server.admin("PUT", "/state", body: body).status == 200)
        server.use(name, for: "shop/list")
        let found = try targets.split(separator: " ").map { try Self.served("\($0)", on: server) }
        #expect(found == expected.split(separator: " ").map { String($0) })
      }
    }
  }

  @Test("a case that is like one for certain requests leaves the others alone")
  func others() async throws {
    try await SmallServer.with(Self.files()) { (server) async throws in
      server.use("late-2", for: "shop/list")
      #expect(try Self.served("1?page=1", on: server) == "ok")
      #expect(try Self.served("1?page=2", on: server) == "late-2")
      let shown = try server.admin("GET", "/contracts/shop/list").json()
      #expect(shown["case"]?.string == "late-2" && shown["reason"]?.string == "hand")
    }
  }

  @Test(
    "without a default case, one for no certain requests takes all, and others only theirs",
    arguments: [
      ("down", "1 1?page=1 1?page=2", "down down down"),
      ("slow", "1?page=1 1?page=2 1", "slow page-2 404"),
      ("page-2", "1?page=1 1?page=2 1", "page-2 page-2 404"),
      ("late-2", "1?page=1 1?page=2 1", "ok late-2 404"),
    ])
  func noDefault(name: String, targets: String, expected: String) async throws {
    var files = Self.files(default: "null")
    // What takes everything would be served for the rest.
    files["shop/list.json"] = files["shop/list.json"]?
      .replacing(#""count": { "above": 1 }"#, with: #""state": { "page": "never" }"#)
    try await SmallServer.with(files) { (server) async throws in
      server.use(name, for: "shop/list")
      let found = try targets.split(separator: " ").map { try Self.served("\($0)", on: server) }
      #expect(found == expected.split(separator: " ").map { String($0) })
    }
  }

  @Test("a script serves its steps in order, and its last repeats as a chosen case does")
  func script() async throws {
    try await SmallServer.with(Self.files()) { (server) async throws in
      server.use(["down", "slow", "late-2", "page-3", "down"], for: "shop/list")
      let targets = "1?page=2 1 1?page=3 1?page=1 1?page=1 1?page=2 1?page=2 1?page=3 1 1 1?page=2"
      let found = try targets.split(separator: " ").map { try Self.served("\($0)", on: server) }
      #expect(
        found == [
          "down", "slow", "late-2", "page-3", "down", "page-2", "page-2", "page-3", "down", "down",
          "page-2",
        ])
    }
  }

  @Test("a request that prefers a case gets it, whichever takes the request")
  func preferred() async throws {
    try await SmallServer.with(Self.files()) { (server) async throws in
      server.use("slow", for: "shop/list")
      for name in ["down", "page-3", "late-2", "ok"] {
        let fields = ["Prefer: example=\(name)"]
        #expect(try Self.served("1?page=2", on: server, fields) == name)
      }
    }
  }

  @Test("a client of a chosen case that follows pages comes to an end")
  func pages() async throws {
    let files = [
      "shop/upstream.json": #"{ "summary": "A shop" }"#,
      "shop/list.json": #"""
      { "request": { "method": "GET", "path": "/list",
                     "parameters": { "query.page": { "optional": true } } },
        "cases": {
          "ok": { "status": 200, "text": "2" },
          "page-2": { "status": 200, "text": "3", "when": { "request": { "query.page": "2" } } },
          "page-3": { "status": 200, "text": "", "when": { "request": { "query.page": "3" } } },
          "slow": { "like": "ok", "delay": { "fixed": "1ms" } },
          "slow-2": { "like": "page-2", "delay": { "fixed": "1ms" } } } }
      """#,
    ]
    try await SmallServer.with(files) { (server) async throws in
      let client = try server.client()
      for (name, count) in [("ok", 3), ("page-2", 2), ("page-3", 1), ("slow", 3), ("slow-2", 3)] {
        server.use(name, for: "shop/list")
        var (target, requestCount) = ("/shop/list", 0)
        while !target.isEmpty, requestCount < 10 {
          requestCount += 1
          let next = try client.exchange("GET \(target)").text
          target = next.isEmpty ? "" : "/shop/list?page=\(next)"
        }
        #expect(requestCount == count, "\(name)")
      }
    }
  }
}

import Testing
import UnderstudyContractModel

@testable import UnderstudyFakeServer

/// Cases by the number and the share of requests, and contracts without a default case.
@Suite struct WhenTests {
  private static func files(_ cases: String, default name: String = "null") -> [String: String] {
    [
      "shop/upstream.json": #"{ "summary": "A shop" }"#,
      "shop/items.json": #"""
      { "request": { "method": "GET", "path": "/items" }, "default": \#(name),
        "cases": { \#(cases) }, "scripts": { "two": ["never", "never", "ok"] } }
      """#,
      "shop/any.json": #"""
      { "request": { "method": "GET", "path": "/{rest...}" }, "default": null,
        "cases": { "any": { "status": 203, "when": { "request": { "query.any": {} } } } } }
      """#,
    ]
  }

  private static let cases = #"""
    "ok": { "status": 200, "when": { "request": { "query.a": "1" } } },
    "kept": { "status": 202, "when": { "state": { "shelf": "kept" } } },
    "never": { "status": 500 }
    """#

  @Test("where no when holds, the request is unmatched, or goes to a contract for more")
  func noDefault() async throws {
    try await SmallServer.with(Self.files(Self.cases)) { (server) async throws in
      let client = try server.client()
      func status(_ target: String, _ headers: [String] = []) throws -> Int {
        try client.exchange("GET \(target)", headers).status
      }
      #expect(try status("/shop/items?a=1") == 200)
      #expect(try status("/shop/items?a=2") == 404)
      #expect(try status("/shop/items?any") == 203)
      #expect(try status("/shop/items?a=1&any") == 200)
      #expect(try status("/shop/other/thing?any") == 203)
      #expect(try status("/shop/items", ["Prefer: example=never"]) == 500)
      #expect(try status("/~s/shop/items?a=1") == 200)
      let unmatched = try client.exchange("GET /shop/items?a=2")
      #expect(unmatched.text.contains(#"case \"ok\": query.a: found \"2\", expected \"1\""#))
      let state = #"{"state":{"shop":{"shelf":"kept"}}}"#
      #expect(try server.admin("PUT", "/state", body: state).status == 200)
      #expect(try status("/shop/items?any") == 202)
      #expect(try status("/~s/shop/items?any") == 203)
      server.use(["never"], for: "shop/items", session: "s")
      #expect(try status("/~s/shop/items?any") == 500)
      let shown = try server.admin("GET", "/contracts/shop/any").json()
      #expect(shown["case"]?.kind == .null && shown["reason"]?.kind == .null)
    }
  }

  @Test("a case after a number of requests, counted by session and since the last reset")
  func count() async throws {
    let cases = #"""
      "ok": { "status": 200 },
      "limited": { "status": 429, "when": { "count": { "above": 2 } } },
      "never": { "status": 500 }
      """#
    try await SmallServer.with(Self.files(cases, default: #""ok""#)) { (server) async throws in
      let client = try server.client()
      func statuses(_ count: Int, _ prefix: String = "") throws -> [Int] {
        try (0..<count).map { _ in try client.exchange("GET \(prefix)/shop/items").status }
      }
      #expect(try statuses(4) == [200, 200, 429, 429])
      #expect(try statuses(3, "/~s") == [200, 200, 429])
      #expect(try server.admin("POST", "/reset").status == 204)
      #expect(try statuses(3) == [200, 200, 429])
      server.use(["never", "never", "ok"], for: "shop/items")
      #expect(try statuses(3) == [500, 500, 200], "a script comes first")
    }
  }

  @Test("shares of the requests are drawn by the seed, and add up")
  func share() async throws {
    let cases = #"""
      "ok": { "status": 200 },
      "busy": { "status": 503, "when": { "share": 0.25 } },
      "wrong": { "status": 500, "when": { "share": 0.5 } },
      "never": { "status": 500 }
      """#
    func statuses(seed: UInt64) async throws -> [Int] {
      var statuses: [Int] = []
      try await SmallServer.with(Self.files(cases, default: #""ok""#)) {
        $0.seed = seed
      } _: { (server) async throws in
        let client = try server.client()
        for _ in 0..<400 { statuses.append(try client.exchange("GET /shop/items").status) }
      }
      return statuses
    }
    let first = try await statuses(seed: 1)
    #expect(try await statuses(seed: 1) == first)
    #expect(try await statuses(seed: 2) != first)
    // Three standard deviations.
    #expect(74...126 ~= first.count { $0 == 503 })
    #expect(170...230 ~= first.count { $0 == 500 })
    #expect(74...126 ~= first.count { $0 == 200 })
  }

  @Test("a share without a default case responds to that many and leaves the rest")
  func shareOfNothing() async throws {
    let cases = #"""
      "ok": { "status": 200, "when": { "share": 0.5 } }, "never": { "status": 500 }
      """#
    try await SmallServer.with(Self.files(cases)) { (server) async throws in
      let client = try server.client()
      let statuses = try (0..<200).map { _ in try client.exchange("GET /shop/items").status }
      #expect(79...121 ~= statuses.count { $0 == 200 })
      #expect(Set(statuses) == [200, 404])
    }
  }
}

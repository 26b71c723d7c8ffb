import Testing
import UnderstudyContractModel

@testable import UnderstudyFakeServer

/// What the short way answers is what the long way would have answered, by `Host` too.
@Suite struct ShortWayTests {
  private static let files = [
    "shop/upstream.json": #"{ "baseURL": "https://shop.example" }"#,
    "shop/root.json": #"""
    { "request": { "method": "GET", "path": "/" },
      "cases": { "ok": { "status": 200, "text": "root" } } }
    """#,
    "shop/one.json": #"""
    { "request": { "method": "GET", "path": "/{a}" },
      "cases": { "ok": { "status": 200, "text": "one" } } }
    """#,
    "shop/two.json": #"""
    { "request": { "method": "GET", "path": "/{a}/{b}" },
      "cases": { "ok": { "status": 200, "text": "two" } } }
    """#,
    "shop/three.json": #"""
    { "request": { "method": "GET", "path": "/{a}/{b}/{c}" },
      "cases": { "ok": { "status": 200, "text": "three" } } }
    """#,
  ]

  @Test(
    "an answer is the same on the short path and the long one",
    arguments: [
      "/", "/x", "/x/y", "/x/y/z", "/~", "/~a", "/~a/", "/~a/x", "/~a/x/y", "/%7Ea/x", "/%7ea/x",
      "/x/~a", "/%78/y", "/_/x", "/__/x", "/__understudy", "/__understudy/state",
      "/~a/__understudy", "/~a/__understudy/state", "/%7Ea/__understudy/state", "/shop/x",
      "/~a/shop/x/y", "//", "//x",
    ])
  func same(path: String) async throws {
    try await SmallServer.with(Self.files) { (server) async throws in
      let client = try server.client()
      for host in ["shop.example", "\(server.address)"] {
        let short = try client.exchange("GET \(path)", host: host)
        // A preference, of whatever kind, is none of the short way's business.
        let long = try client.exchange("GET \(path)", ["Prefer: wait=1"], host: host)
        #expect(short.status == long.status)
        #expect(short.text == long.text)
        let sessions = await server.journal().map(\.session)
        #expect(Set(sessions).count <= 1)
      }
    }
  }

  @Test("a session reached by Host has cases of its own")
  func session() async throws {
    try await SmallServer.with(Self.files) { (server) async throws in
      server.use("none", for: "shop/one", session: "a")
      let client = try server.client()
      #expect(try client.exchange("GET /~a/x", host: "shop.example").text == "one")
      #expect(await server.journal().map(\.contract) == ["shop/one"])
    }
  }
}

import Testing
import UnderstudyContractModel

@testable import UnderstudyFakeServer

/// The request that provokes a case on the live API serves it on the fake too.
@Suite struct LiveCaseTests {
  private static let files = [
    "shop/upstream.json": #"{ "baseURL": "https://shop.example" }"#,
    "shop/item.json": #"""
    { "request": {
        "method": "GET", "path": "/items/{id}", "also": ["/things/{id}"],
        "parameters": { "path.id": { "example": "1" }, "query.page": { "optional": true } } },
      "cases": {
        "ok": { "status": 200, "live": {} },
        "none": { "status": 404, "live": { "parameters": { "path.id": "0" } } },
        "odd": { "status": 404, "live": { "parameters": { "path.id": "a b" } } },
        "last": { "status": 200, "live": { "parameters": { "query.page": "9" } } } } }
    """#,
    "shop/part.json": #"""
    { "request": { "method": "GET", "path": "/parts/{id}",
        "parameters": { "path.id": { "example": "1" } } },
      "cases": {
        "ok": { "status": 200, "live": {} },
        "none": { "status": 404, "live": { "parameters": { "path.id": "0" } } },
        "gone": { "status": 410, "when": { "request": { "path.id": "2" } } },
        "sold": { "status": 410, "when": { "state": { "shelf": "sold" } } } } }
    """#,
    "shop/root.json": #"""
    { "request": { "method": "GET", "path": "/",
        "parameters": { "header.X-Kind": { "optional": true } } },
      "cases": {
        "ok": { "status": 200, "live": {} },
        "kind": { "status": 200, "live": { "parameters": { "header.X-Kind": "other" } } } } }
    """#,
  ]

  private static let choices = [
    ("/items/1", "ok default"), ("/items/7", "ok default"), ("/items/0", "none live"),
    ("/things/0", "none live"), ("/items/0?page=9", "none live"), ("/items/%30", "none live"),
    ("/items/a%20b", "odd live"), ("/items/1?page=9", "last live"),
    ("/items/1?a=b&page=8&page=9", "last live"), ("/items/1?page=8", "ok default"),
    ("/items/7?page=9", "ok default"), ("/parts/0", "none live"), ("/parts/1", "ok default"),
    ("/parts/2", "gone when"), ("/", "ok default"),
  ]

  @Test("a live request serves its case, after `when` and before the default", arguments: choices)
  func choice(target: String, served: String) async throws {
    try await SmallServer.with(Self.files) { (server) async throws in
      let client = try server.client()
      for prefer in [[], ["Prefer: wait=1"]] {
        _ = try client.exchange("GET /shop\(target)", prefer)
      }
      _ = try client.exchange("GET \(target)", host: "shop.example")
      let entries = try server.admin("GET", "/journal").json()["requests"]?.elements.map {
        "\($0["case"]?.string ?? "-") \($0["reason"]?.string ?? "-")"
      }
      #expect(entries == [served, served, served])
    }
  }

  @Test("a header that the live request names is required")
  func header() async throws {
    try await SmallServer.with(Self.files) { (server) async throws in
      let client = try server.client()
      for kind in ["other", "else"] {
        _ = try client.exchange("GET /shop/", ["x-kind: \(kind)"])
      }
      #expect(await server.journal().map(\.caseName) == ["kind", "ok"])
    }
  }

  @Test("chosen, scripted or preferred cases come first, and so does state")
  func steered() async throws {
    try await SmallServer.with(Self.files) { (server) async throws in
      let client = try server.client()
      #expect(
        try client.exchange("GET /shop/parts/0", ["Prefer: example=ok"]).status == 200)
      server.use("ok", for: "shop/part")
      #expect(try client.exchange("GET /shop/parts/0").status == 200)
      await server.reset()
      let state = #"{"state":{"shop":{"shelf":"sold"}}}"#
      _ = try server.admin("PUT", "/state", body: state)
      #expect(try client.exchange("GET /shop/parts/0").status == 410)
      _ = try server.admin("DELETE", "/state")
      #expect(try client.exchange("GET /shop/parts/0").status == 404)
    }
  }
}

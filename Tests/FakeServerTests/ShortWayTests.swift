import Testing
import UnderstudyContractModel

@testable import UnderstudyFakeServer

/// What the short way responses is what the long way would have responded, by `Host` too.
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
    "a response is the same on the short path and the long one",
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

  private static let asking = [
    "shop/upstream.json": "{}",
    "shop/search.json": #"""
    { "request": { "method": "POST", "path": "/search/{kind}/x" },
      "cases": {
        "ok": { "status": 200 },
        "equal": { "when": { "request": { "query.q": "a b" } }, "status": 201 },
        "twice": { "when": { "request": { "query.page": { "equals": ["1", "2"] } } }, "status": 202 },
        "umlaut": { "when": { "request": { "query.größe": "klein" } }, "status": 203 },
        "header": { "when": { "request": { "header.X-Shelf": { "oneOf": ["top", "low"] } } },
                    "status": 205 },
        "kind": { "when": { "request": { "path.kind": "books & more" } }, "status": 206 },
        "digits": { "when": { "request": { "path.kind": { "matches": "^[0-9]+$" } } }, "status": 207 },
        "body": { "when": { "request": { "body": { "contains": { "a": [1] } } } }, "status": 208 },
        "present": { "when": { "request": { "query.any": { "matches": "" } } }, "status": 209 } } }
    """#,
    "shop/echo.json": #"""
    { "request": { "method": "POST", "path": "/echo/{a}",
                   "parameters": { "query.b": { "example": "c" } } },
      "cases": { "ok": {
        "status": 200, "headers": { "X-A": "{path.a}" },
        "text": "{path.a}|{query.b}|{header.X-C}|{body./d}", "template": ["body", "headers"] } } }
    """#,
  ]

  @Test(
    "conditions and templates read the same on the short path and the long one",
    arguments: [
      "/search/a/x", "/search/a/x?", "/search/a/x?q=a+b", "/search/a/x?q=a%20b",
      "/search/a/x?%71=a+b",
      "/search/a/x?q=a", "/search/a/x?q", "/search/a/x?&&q=a+b&", "/search/a/x?Q=a+b",
      "/search/a/x?page=1&page=2", "/search/a/x?page=2&page=1", "/search/a/x?page=1",
      "/search/a/x?gr%C3%B6%C3%9Fe=klein", "/search/a/x?gro%CC%88%C3%9Fe=klein",
      "/search/a/x?gr%C3%B6%C3=klein", "/search/books%20%26%20more/x", "/search/books+%26+more/x",
      "/search/12/x", "/search/%31%32/x", "/search/1%/x", "/search/a/x?any", "/search/a/x?any=%ff",
      "/echo/a?b=c", "/echo/%C3%A4%2Fb?b=1%2B1", "/echo/a?b=%&b=2", "/echo/~a?b=+", "/echo/a?c=b",
      "/~s/shop/echo/a?b=c", "/~s/shop/search/12/x",
    ])
  func asking(target: String) async throws {
    try await SmallServer.with(Self.asking) { (server) async throws in
      let client = try server.client()
      let path = target.hasPrefix("/~s") ? target : "/shop\(target)"
      for (fields, body) in [
        ([], #"{"a":[1,2],"d":"\u00e4 \"}"#), (["X-Shelf: low"], #"{"a":[1],"d":[true]}"#),
        (["x-shelf: far", "X-SHELF: top", "x-c: 1", "X-C: 2"], ""),
      ] {
        let short = try client.exchange("POST \(path)", fields, body: body)
        let long = try client.exchange("POST \(path)", fields + ["Prefer: wait=1"], body: body)
        #expect(short.status == long.status)
        #expect(short.text == long.text)
        #expect(short.values(of: "X-A") == long.values(of: "X-A"))
        let entries = await server.journal()
        #expect(Set(entries.map(\.caseName)).count == 1)
        #expect(Set(entries.map(\.reason)).count == 1)
        _ = try server.admin("DELETE", "/journal")
      }
    }
  }

  @Test("state and scripts go on from request to request on either path")
  func steps() async throws {
    var files = Self.files
    files["shop/one.json"] = #"""
      { "request": { "method": "GET", "path": "/one" },
        "cases": {
          "a": { "status": 200, "text": "a", "then": { "step": "b" } },
          "b": { "when": { "state": { "step": "b" } }, "status": 200, "text": "b",
                 "then": { "step": "" } } },
        "scripts": { "twice": ["b", "b", "a"] } }
      """#
    try await SmallServer.with(files) { (server) async throws in
      let client = try server.client()
      func texts(_ count: Int) throws -> String {
        try (0..<count).map { number in
          let fields = number % 3 == 2 ? ["Prefer: wait=1"] : []
          return try client.exchange("GET /shop/one", fields).text
        }.joined()
      }
      #expect(try texts(7) == "abababa")
      _ = try server.admin("DELETE", "/state")
      _ = try server.admin(
        "POST", "/contracts/shop/one/script", body: #"{"cases":["b","b","a"]}"#)
      #expect(try texts(6) == "bbaaaa")
    }
  }
}

import Testing
import UnderstudyJSON

@testable import UnderstudyWireMockAdmin

/// Stubs that clients make, list, change and remove.
@Suite struct StubResourceTests {
  private static let id = "00000000-0000-4000-8000-000000000001"

  private static func stub(_ path: String, _ body: String, more: String = "") -> String {
    #"{ "request": { "method": "GET", "\#(path.contains("*") ? "urlPathPattern" : "urlPath")": "\#(path)" }, "response": { "status": 200, "body": "\#(body)" }\#(more) }"#
  }

  @Test("a stub responds from when it is made until it is removed")
  func life() async throws {
    try await AdminStage.with { (stage) async throws in
      let made = try await stage.admin(
        "POST /mappings", Self.stub("/a", "one", more: #", "id": "\#(Self.id)", "name": "first""#))
      #expect(made.status == 201)
      #expect(made.json["id"]?.string == Self.id)
      #expect(made.json["uuid"]?.string == Self.id)
      let response = try await stage.ask("GET /a")
      #expect(response.text == "one")
      #expect(response.values(of: "Matched-Stub-Id") == [Self.id])
      #expect(response.values(of: "Matched-Stub-Name") == ["first"])
      #expect(try await stage.admin("GET /mappings/\(Self.id)").json["name"]?.string == "first")
      let put = try await stage.admin("PUT /mappings/\(Self.id)", Self.stub("/a", "two"))
      #expect(put.status == 200)
      #expect(put.json["name"] == nil)
      #expect(try await stage.get("/a") == "200 two")
      #expect(try await stage.admin("DELETE /mappings/\(Self.id)").status == 200)
      #expect(try await stage.get("/a") == "404")
      #expect(try await stage.admin("DELETE /mappings/\(Self.id)").status == 404)
    }
  }

  @Test(
    "a body that is text or Base64 responses byte for byte",
    arguments: [
      (#""body": "{ \"a\" :1.0,\n\"a\":2 }""#, "{ \"a\" :1.0,\n\"a\":2 }"),
      (#""body": "[1,  2]", "jsonBody": null, "base64Body": null"#, "[1,  2]"),
      (#""body": "{{x}} {y}""#, "{{x}} {y}"), (#""base64Body": "WzEsICAyXQ==""#, "[1,  2]"),
      (#""body": """#, ""), (#""status": 201"#, ""),
    ])
  func exact(members: String, text: String) async throws {
    try await AdminStage.with { (stage) async throws in
      let made = try await stage.admin(
        "POST /mappings",
        """
        { "request": { "urlPath": "/a" },
          "response": { "headers": { "Content-Type": "application/json" }, \(members) } }
        """)
      #expect(made.status == 201)
      #expect(try await stage.ask("GET /a").text == text)
    }
  }

  @Test("an empty stub matches everything, and says what it stands for")
  func empty() async throws {
    try await AdminStage.with { (stage) async throws in
      let made = try await stage.admin("POST /mappings", "{}")
      #expect(made.status == 201)
      #expect(made.json["request"]?["method"]?.string == "ANY")
      #expect(made.json["response"]?["status"]?.int == 200)
      #expect(try await stage.get("/any/thing") == "200 ")
    }
  }

  @Test("the newest responses, whatever its path, unless another has priority")
  func order() async throws {
    try await AdminStage.with { (stage) async throws in
      try await stage.admin("POST /mappings", Self.stub("/a", "exact"))
      #expect(try await stage.get("/a") == "200 exact")
      try await stage.admin("POST /mappings", Self.stub("/.*", "any"))
      #expect(try await stage.get("/a") == "200 any")
      try await stage.admin("POST /mappings", Self.stub("/a", "first", more: #", "priority": 1"#))
      try await stage.admin("POST /mappings", Self.stub("/.*", "last", more: #", "priority": 9"#))
      #expect(try await stage.get("/a") == "200 first")
      #expect(try await stage.get("/b") == "200 any")
    }
  }

  @Test("the list begins with the newest, in pages")
  func list() async throws {
    try await AdminStage.with { (stage) async throws in
      for path in ["/1", "/2", "/3"] {
        try await stage.admin("POST /mappings", Self.stub(path, path))
      }
      for (query, paths) in [
        ("", ["/3", "/2", "/1"]), ("?limit=1", ["/3"]), ("?offset=1", ["/2", "/1"]),
        ("?limit=1&offset=2", ["/1"]), ("?limit=0", []), ("?offset=9", []),
      ] {
        let found = try await stage.admin("GET /mappings\(query)").json
        let listed = (found["mappings"] ?? .null).elements.compactMap {
          $0["request"]?["urlPath"]?.string
        }
        #expect(listed == paths, "\(query)")
        #expect(found["meta"]?["total"]?.int == 3)
      }
      #expect(try await stage.admin("GET /mappings?limit=x").status == 400)
      #expect(try await stage.admin("DELETE /mappings").status == 200)
      #expect(try await stage.admin("GET /").json["meta"]?["total"]?.int == 0)
    }
  }

  @Test(
    "what cannot be served is refused, with the place and the reason",
    arguments: [
      ("", "/"), ("[]", "/"), (#"{ "nonsense": 1 }"#, "/nonsense"),
      (#"{ "request": { "nonsense": 1 } }"#, "/request/nonsense"),
      (#"{ "response": { "status": "x" } }"#, "/response/status"),
      (#"{ "request": { "headers": { "A": { "nonsense": 1 } } } }"#, "/request/headers/A/nonsense"),
      (#"{ "response": { "proxyBaseUrl": "http://x" } }"#, "/response/proxyBaseUrl"),
      (#"{ "postServeActions": [{ "name": "x" }] }"#, "/postServeActions/0"),
      (#"{ "request": { "customMatcher": { "name": "x" } } }"#, "/request/customMatcher"),
      (#"{ "id": "x" }"#, "/id"), (#"{ "persistent": true }"#, "/persistent"),
      (#"{ "request": {}, "request": { "url": "/a" } }"#, "/request"),
      (#"{ "request": { "querryParameters": {} } }"#, "/request/querryParameters"),
      (#"{ "request": { "url": "/a", "urlPath": "/b" } }"#, "/request/urlPath"),
      (
        #"{ "request": { "headers": { "A": { "equalTo": "1", "contains": "2" } } } }"#,
        "/request/headers/A/contains"
      ),
      (#"{ "response": { "body": "a", "jsonBody": {} } }"#, "/response/jsonBody"),
      (#"{ "response": { "headers": { "A": null } } }"#, "/response/headers/A"),
      (#"{ "response": { "headers": [] } }"#, "/response/headers"),
      (#"{ "response": { "jsonBody": { "a": 1, "a": 2 } } }"#, "/response/jsonBody/a"),
    ])
  func refused(body: String, pointer: String) async throws {
    try await AdminStage.with { (stage) async throws in
      let refused = try await stage.admin("POST /mappings", body)
      #expect(refused.status == 422)
      let error = refused.json["errors"]?[0]
      #expect(error?["code"]?.int == 10)
      #expect(error?["source"]?["pointer"]?.string == pointer)
      #expect(error?["detail"]?.string?.isEmpty == false)
      #expect(try await stage.admin("GET /mappings").json["meta"]?["total"]?.int == 0)
    }
  }

  @Test("a session has stubs of its own, before those for everybody")
  func sessions() async throws {
    try await AdminStage.with { (stage) async throws in
      try await stage.admin("POST /mappings", Self.stub("/a", "all"))
      try await stage.admin("POST /mappings", Self.stub("/a", "mine"), session: "w")
      #expect(try await stage.get("/a") == "200 all")
      #expect(try await stage.get("/~w/a") == "200 mine")
      #expect(try await stage.get("/~v/a") == "200 all")
      let listed = try await stage.admin("GET /mappings", session: "w").json
      #expect(listed["meta"]?["total"]?.int == 1)
      #expect(try await stage.admin("POST /reset", session: "w").status == 200)
      #expect(try await stage.get("/~w/a") == "200 all")
    }
  }

  @Test("a session with stubs makes room after those that were only asked")
  func room() async throws {
    try await AdminStage.with(sessionCountMax: 3) { (stage) async throws in
      try await stage.admin("POST /mappings", Self.stub("/a", "mine"), session: "w")
      for name in ["a", "b", "c", "d"] { #expect(try await stage.get("/~\(name)/a") == "404") }
      #expect(try await stage.get("/~w/a") == "200 mine")
    }
  }

  @Test("many stubs at once: all or none, with a policy for those that exist")
  func imports() async throws {
    try await AdminStage.with { (stage) async throws in
      try await stage.admin(
        "POST /mappings", Self.stub("/a", "old", more: #", "id": "\#(Self.id)""#))
      let new = Self.stub("/a", "new", more: #", "id": "\#(Self.id)""#)
      let other = Self.stub("/b", "other")
      func importing(_ options: String, _ stubs: String...) async throws -> Int {
        try await stage.admin(
          "POST /mappings/import",
          #"{ "mappings": [\#(stubs.joined(separator: ","))], "importOptions": \#(options) }"#
        ).status
      }
      #expect(try await importing("{}", other, #"{ "nonsense": 1 }"#) == 422)
      #expect(try await stage.get("/b") == "404")
      #expect(try await importing(#"{ "duplicatePolicy": "IGNORE" }"#, new, other) == 200)
      #expect(try await stage.get("/a") == "200 old")
      #expect(try await stage.get("/b") == "200 other")
      #expect(try await importing(#"{ "deleteAllNotInImport": true }"#, new) == 200)
      #expect(try await stage.get("/a") == "200 new")
      #expect(try await stage.get("/b") == "404")
      #expect(try await importing(#"{ "duplicatePolicy": "X" }"#, new) == 422)
    }
  }

  @Test("stubs are found and removed by their metadata")
  func metadata() async throws {
    try await AdminStage.with { (stage) async throws in
      for team in ["a", "b"] {
        try await stage.admin(
          "POST /mappings",
          Self.stub("/\(team)", team, more: #", "metadata": { "team": "\#(team)" }"#))
      }
      let pattern = #"{ "matchesJsonPath": "$[?(@.team == 'a')]" }"#
      let found = try await stage.admin("POST /mappings/find-by-metadata", pattern)
      #expect(found.json["meta"]?["total"]?.int == 1)
      #expect(try await stage.admin("POST /mappings/remove-by-metadata", pattern).status == 200)
      #expect(try await stage.get("/a") == "404")
      #expect(try await stage.get("/b") == "200 b")
      #expect(try await stage.admin("POST /mappings/find-by-metadata", "{}").status == 422)
    }
  }

  @Test("the secrets in conditions are compared as they are")
  func secrets() async throws {
    try await AdminStage.with { (stage) async throws in
      let made = try await stage.admin(
        "POST /mappings",
        #"{ "request": { "headers": { "Authorization": { "equalTo": "Bearer abcdefgh12345678" } } } }"#
      )
      #expect(made.status == 201)
      let right = try await stage.ask("GET /", headers: ["Authorization: Bearer abcdefgh12345678"])
      let wrong = try await stage.ask("GET /", headers: ["Authorization: Bearer another123456789"])
      #expect(right.status == 200)
      #expect(wrong.status == 404)
      try await stage.admin(
        "POST /mappings",
        #"{ "request": { "basicAuthCredentials": { "username": "a", "password": "b" } } }"#)
      #expect(try await stage.ask("GET /", headers: ["Authorization: Basic YTpi"]).status == 200)
      #expect(try await stage.ask("GET /", headers: ["Authorization: Basic YTpj"]).status == 404)
    }
  }
}

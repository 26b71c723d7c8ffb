import Testing
import UnderstudyJSON

@testable import UnderstudyWireMockAdmin

/// Stubs that cannot, or not yet, be served as they say.
@Suite struct LenientTests {
  private static let transformed = """
    { "request": { "urlPath": "/a" },
      "response": { "body": "one", "transformers": ["their-own"] } }
    """
  private static let matched = """
    { "request": { "urlPath": "/b", "customMatcher": { "name": "theirs" } },
      "response": { "body": "two" } }
    """
  private static let codeAlone = """
    { "request": { "method": "GET", "customMatcher": { "name": "theirs" } },
      "response": { "body": "three" } }
    """

  private static let transformedFile = """
    { "request": { "urlPath": "/d" },
      "response": { "bodyFileName": "none.txt", "transformers": ["their-own"] } }
    """

  @Test("code is refused", arguments: [transformed, matched, codeAlone, transformedFile])
  func strict(stub: String) async throws {
    try await AdminStage.with { (stage) async throws in
      #expect(try await stage.admin("POST /mappings", stub).status == 422)
    }
  }

  @Test("or stubs are served without it, and shown with it")
  func lenient() async throws {
    var options = WireMockAPI.Options()
    options.isLenient = true
    try await AdminStage.with(options) { (stage) async throws in
      for stub in [Self.transformed, Self.matched, Self.codeAlone] {
        let made = try await stage.admin("POST /mappings", stub)
        #expect(made.status == 201)
        let shown = try await stage.admin("GET /mappings/\(made.json["id"]?.string ?? "")").json
        let given = try #require(JSONDocument(parsing: Array(stub.utf8)).root["request"])
        #expect(shown["request"]?["customMatcher"]?.compact == given["customMatcher"]?.compact)
      }
      #expect(try await stage.get("/a") == "200 one")
      #expect(try await stage.get("/b") == "200 two")
      // A stub for which only code decides is for no request.
      #expect(try await stage.get("/c") == "404")
    }
  }

  @Test("a body file may come later; until then requests get 500 with its name")
  func missingFile() async throws {
    try await AdminStage.with { (stage) async throws in
      let stub = #"{ "request": { "urlPath": "/a" }, "response": { "bodyFileName": "b/c.txt" } }"#
      #expect(try await stage.admin("POST /mappings", stub).status == 201)
      #expect(try await stage.get("/a") == "500 there is no file b/c.txt beneath __files")
      #expect(try await stage.admin("PUT /files/b/c.txt", "here").status == 200)
      #expect(try await stage.get("/a") == "200 here")
      #expect(try await stage.admin("DELETE /files/b/c.txt").status == 200)
      #expect(try await stage.get("/a") == "500 there is no file b/c.txt beneath __files")
    }
  }

  @Test("a folder's stubs that are served in part are named")
  func warnings() throws {
    var options = try WireMockAPI.Options(
      folder: "/none", Self.transformed,
      #"{ "request": { "urlPath": "/b" }, "response": { "bodyFileName": "b.txt" } }"#)
    options.isLenient = true
    #expect(
      try WireMockAPI(options).refusals == [
        "/none/mappings/0.json:1:1: served without the transformer their-own, which is code",
        "/none/mappings/1.json:1:1: requests get 500, because there is no file b.txt beneath"
          + " __files",
      ])
  }

  @Test("bodies are compared byte by byte, and parts of a form one by one")
  func bodies() async throws {
    try await AdminStage.with { (stage) async throws in
      let stub = """
        { "request": { "urlPath": "/a", "bodyPatterns": [{ "binaryEqualTo": "AP8=" }] },
          "response": { "body": "bytes" } }
        """
      #expect(try await stage.admin("POST /mappings", stub).status == 201)
      #expect(try await stage.ask("POST /a", "\u{0}").status == 404)
      let parts = """
        { "request": { "urlPath": "/b", "multipartPatterns": [
            { "matchingType": "ALL", "headers": { "Content-Type": { "contains": "text" } } },
            { "matchingType": "ANY", "bodyPatterns": [{ "contains": "x" }, { "contains": "y" }] } ] },
          "response": { "body": "parts" } }
        """
      #expect(try await stage.admin("POST /mappings", parts).status == 201)
      func form(_ parts: (type: String, text: String)...) -> String {
        parts.map {
          "--B\r\nContent-Disposition: form-data; name=\"p\"\r\n"
            + "Content-Type: \($0.type)\r\n\r\n\($0.text)\r\n"
        }.joined() + "--B--\r\n"
      }
      for (sent, status) in [
        (form(("text/plain", "x y")), 200), (form(("text/plain", "x"), ("text/html", "yx")), 200),
        (form(("text/plain", "x"), ("text/html", "y")), 404),
        (form(("text/plain", "xy"), ("image/png", "z")), 404), ("xy", 404),
      ] {
        #expect(try await stage.ask("POST /b", sent).status == status, "\(sent)")
      }
    }
  }

  @Test("a scenario has the states that its stubs name")
  func states() async throws {
    try await AdminStage.with { (stage) async throws in
      let stub = """
        { "scenarioName": "s", "requiredScenarioState": "two", "newScenarioState": "three",
          "request": { "urlPath": "/a" }, "response": {} }
        """
      #expect(try await stage.admin("POST /mappings", stub).status == 201)
      let scenario = try await stage.admin("GET /scenarios").json["scenarios"]?.elements
        .first { _ in true }
      #expect(scenario?["possibleStates"]?.elements.compactMap(\.string) == ["three", "two"])
      #expect(scenario?["state"]?.string == "Started")
    }
  }
}

import Testing
import UnderstudyCore
import UnderstudyJSON

@testable import UnderstudyInterchange

/// Stubs that are served one by one, in an order of their own.
@Suite struct StubReaderTests {
  private static func stub(_ request: String, _ body: String, more: String = "") -> String {
    #"{ "request": { \#(request) }, "response": { "body": "\#(body)" }\#(more) }"#
  }

  @Test("a stub without the transformer keeps its braces, unless all have expressions")
  func globalTemplating() async throws {
    let stub = Self.stub(#""url": "/a", "method": "GET""#, "{{request.method}} {uuid}")
    try await WireMockStage.with(ordered: [stub]) { (stage) async throws in
      #expect(try await stage.response("GET /a") == "200 {{request.method}} {uuid}")
    }
    try await WireMockStage.with(ordered: [stub], isTemplated: true) { (stage) async throws in
      #expect(try await stage.response("GET /a") == "200 GET {uuid}")
    }
  }

  @Test(
    "of two stubs the first responses, however specific their paths are",
    arguments: [
      (#""urlPath": "/a/b""#, #""urlPathPattern": "/a/[a-z]""#),
      (#""urlPath": "/a/b""#, #""urlPathPattern": "/.*""#),
      (#""urlPath": "/a/b""#, #""urlPathTemplate": "/{x}/{y}""#),
      (#""urlPathTemplate": "/a/{x}""#, #""urlPathPattern": "/a/.*""#),
      (#""urlPathTemplate": "/{x}/b""#, #""urlPathTemplate": "/a/{y}""#),
      (#""urlPath": "/a/b""#, #""urlPath": "/a/b""#),
      (#""url": "/a/b""#, #""method": "ANY""#),
      (#""urlPath": "/a/b", "method": "GET""#, #""urlPathPattern": "/a(/.*)?""#),
      (#""urlPath": "/a/b", "headers": { "H": { "equalTo": "1" } }"#, #""urlPattern": ".*""#),
    ])
  func precedence(specific: String, general: String) async throws {
    for (first, second) in [(specific, general), (general, specific)] {
      let stubs = [Self.stub(first, "first"), Self.stub(second, "second")]
      try await WireMockStage.with(ordered: stubs) { (stage) async throws in
        #expect(
          try await stage.response("GET /a/b", ["H: 1"]) == "200 first", "\(first), then \(second)")
      }
    }
  }

  @Test("a stub that does not match leaves the request to those after it, at any path")
  func fallingThrough() async throws {
    let stubs = [
      Self.stub(#""urlPathPattern": "/.*", "headers": { "H": { "equalTo": "1" } }"#, "header"),
      Self.stub(#""method": "POST", "urlPathTemplate": "/a/{x}""#, "post"),
      Self.stub(#""urlPath": "/a/b", "queryParameters": { "q": { "equalTo": "1" } }"#, "query"),
      Self.stub(#""urlPathPattern": "/(a/b|c)""#, "two paths"),
      Self.stub(#""urlPathPattern": "/.*""#, "rest"),
      Self.stub(#""urlPath": "/a/b""#, "never"),
    ]
    try await WireMockStage.with(ordered: stubs) { (stage) async throws in
      #expect(try await stage.response("POST /a/b?q=1", ["H: 1"]) == "200 header")
      #expect(try await stage.response("POST /a/b?q=1") == "200 post")
      #expect(try await stage.response("GET /a/b?q=1") == "200 query")
      #expect(try await stage.response("GET /a/b") == "200 two paths")
      #expect(try await stage.response("DELETE /c") == "200 two paths")
      #expect(try await stage.response("GET /a/c") == "200 rest")
    }
  }

  @Test("a stub of a scenario responds before those after it as long as its state holds")
  func scenario() async throws {
    let stubs = [
      Self.stub(
        #""method": "GET", "urlPathPattern": "/.*""#, "once",
        more: #"""
          , "scenarioName": "turn", "requiredScenarioState": "Started", "newScenarioState": "over"
          """#),
      Self.stub(#""method": "GET", "urlPath": "/a""#, "then"),
    ]
    try await WireMockStage.with(ordered: stubs) { (stage) async throws in
      #expect(try await stage.response("GET /a") == "200 once")
      #expect(try await stage.response("GET /a") == "200 then")
      #expect(try await stage.response("GET /b") == "miss")
    }
  }

  @Test("credentials are compared as they are, since nothing is written")
  func secrets() async throws {
    let stubs = [
      Self.stub(
        #""url": "/a", "basicAuthCredentials": { "username": "u", "password": "p" }"#, "basic"),
      Self.stub(
        #""url": "/a", "headers": { "Authorization": { "equalTo": "Bearer abc" } }"#, "bearer"),
    ]
    try await WireMockStage.with(ordered: stubs) { (stage) async throws in
      #expect(try await stage.response("GET /a", ["Authorization: Basic dTpw"]) == "200 basic")
      #expect(try await stage.response("GET /a", ["Authorization: Basic dTpx"]) == "miss")
      #expect(try await stage.response("GET /a", ["Authorization: Bearer abc"]) == "200 bearer")
      #expect(try await stage.response("GET /a", ["Authorization: Bearer abd"]) == "miss")
    }
  }

  @Test(
    "what cannot be served is refused as a whole, with its place and reason",
    arguments: [
      (
        #"{ "request": { "method": "TRACE" } }"#, "/request/method",
        "a contract has no method TRACE"
      ),
      (
        #"{ "request": { "url": "/a" }, "response": { "proxyBaseUrl": "http://a" } }"#,
        "/response/proxyBaseUrl", "a case does not pass requests on"
      ),
      (
        #"{ "request": { "url": "/a" }, "response": { "bodyFileName": "a.txt" } }"#,
        "/response/bodyFileName", "no file a.txt"
      ),
    ])
  func refusals(stub: String, pointer: String, reason: String) throws {
    let root = try JSONDocument(parsing: Array(stub.utf8)).root
    let reader = StubReader(isTemplated: false) {
      .failure(Failure(message: "no file \($0)"))
    }
    #expect(throws: StubRefusal(pointer, reason)) {
      try reader.contracts(of: .value(root)) { $0 }
    }
  }
}

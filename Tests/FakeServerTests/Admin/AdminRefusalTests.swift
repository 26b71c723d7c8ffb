import Testing
import UnderstudyHTTP

@testable import UnderstudyFakeServer

@Suite struct AdminRefusalTests {
  struct Wrong: CustomTestStringConvertible {
    let line: String
    var body: String?
    let status: Int
    let problem: String

    var testDescription: String { "\(line) \(body ?? "")" }
  }

  private static let items = "/contracts/shop/items"

  @Test(
    "what cannot be done is said, with the place and the fix",
    arguments: [
      Wrong(
        line: "GET /contracts/shop/itms", status: 404,
        problem: #"""
          {"title":"There is no such contract","status":404,"detail":"no contract \"shop/itms\"","fix":"did you mean \"shop/items\"?"}
          """#),
      Wrong(
        line: "GET /contracts/shp/items", status: 404,
        problem: #"""
          {"title":"There is no such upstream","status":404,"detail":"no upstream \"shp\"","fix":"did you mean \"shop\"?"}
          """#),
      Wrong(
        line: "PUT \(items)/case", body: #"{"case":"gnoe"}"#, status: 404,
        problem: #"""
          {"title":"There is no such case","status":404,"detail":"no case \"shop/items#gnoe\"","fix":"did you mean \"shop/items#gone\"?"}
          """#),
      Wrong(
        line: "PUT \(items)/case", body: "{\"case\":\n  'gone'}", status: 400,
        problem: #"""
          {"title":"The request cannot be understood","status":400,"detail":"the body is not valid JSON: found text in single quotes, expected a string in double quotes","fix":"write \"gone\"","line":2,"column":3}
          """#),
      Wrong(
        line: "PUT \(items)/case", body: #"{"cse":"gone"}"#, status: 400,
        problem: #"""
          {"title":"The request cannot be understood","status":400,"detail":"unknown key \"cse\"","fix":"did you mean \"case\"?","line":1,"column":2}
          """#),
      Wrong(
        line: "PUT \(items)/case", body: "{}", status: 400,
        problem: #"""
          {"title":"The request cannot be understood","status":400,"detail":"no \"case\"","fix":"add \"case\"","line":1,"column":1}
          """#),
      Wrong(
        line: "PUT \(items)/case", body: #"{"case":7}"#, status: 400,
        problem: #"""
          {"title":"The request cannot be understood","status":400,"detail":"found number 7, expected string","line":1,"column":9}
          """#),
      Wrong(
        line: "PUT /state", body: #"{"state":{"shop":{"shelf":1}}}"#, status: 400,
        problem: #"""
          {"title":"The request cannot be understood","status":400,"detail":"found number 1, expected string, or null to forget the name","line":1,"column":27}
          """#),
      Wrong(
        line: "PUT \(items)/case", body: "[]", status: 400,
        problem: #"""
          {"title":"The request cannot be understood","status":400,"detail":"found array with 0 elements, expected an object","line":1,"column":1}
          """#),
      Wrong(
        line: "POST \(items)/script", body: #"{"script":"fails"}"#, status: 404,
        problem: #"""
          {"title":"There is no such script","status":404,"detail":"no script \"fails\"","fix":"did you mean \"fails-once\"?"}
          """#),
      Wrong(
        line: "POST \(items)/script", body: #"{"cases":[]}"#, status: 400,
        problem: #"""
          {"title":"The request cannot be understood","status":400,"detail":"found array with 0 elements, expected an array of strings, at least one","line":1,"column":10}
          """#),
      Wrong(
        line: "POST \(items)/script", body: #"{"cases":["ok"],"script":"a"}"#, status: 400,
        problem: #"""
          {"title":"The request cannot be understood","status":400,"detail":"found \"script\" and \"cases\", expected one of the two","line":1,"column":1}
          """#),
      Wrong(
        line: "POST /scenarios/shop/restok", status: 404,
        problem: #"""
          {"title":"There is no such scenario","status":404,"detail":"no scenario \"restok\"","fix":"did you mean \"restock\"?"}
          """#),
      Wrong(
        line: "DELETE /sessions/none", status: 404,
        problem: #"""
          {"title":"There is no such session","status":404,"detail":"no session \"none\""}
          """#),
      Wrong(
        line: "GET /jurnal", status: 404,
        problem: #"""
          {"title":"There is no such admin resource","status":404,"detail":"no admin resource \"/__understudy/jurnal\"","fix":"did you mean \"/__understudy/journal\"?"}
          """#),
      Wrong(
        line: "POST /journal", status: 405,
        problem: #"""
          {"title":"The method is not allowed here","status":405,"detail":"found method POST on /__understudy/journal, expected GET, DELETE"}
          """#),
      Wrong(
        line: "GET /journal?stats=200", status: 400,
        problem: #"""
          {"title":"The request cannot be understood","status":400,"detail":"unknown parameter \"stats\"","fix":"did you mean \"status\"?"}
          """#),
      Wrong(
        line: "GET /journal?contract=shop/itms", status: 404,
        problem: #"""
          {"title":"There is no such contract","status":404,"detail":"no contract \"shop/itms\"","fix":"did you mean \"shop/items\"?"}
          """#),
      Wrong(
        line: "GET /journal?contract=shop/items&case=gnoe&wait=60s", status: 404,
        problem: #"""
          {"title":"There is no such case","status":404,"detail":"no case \"shop/items#gnoe\"","fix":"did you mean \"shop/items#gone\"?"}
          """#),
      Wrong(
        line: "GET /journal.har?case=gnoe", status: 404,
        problem: #"""
          {"title":"There is no such case","status":404,"detail":"no case \"gnoe\"","fix":"did you mean \"gone\"?"}
          """#),
      Wrong(
        line: "GET /journal/served?path=shop", status: 400,
        problem: #"""
          {"title":"The request cannot be understood","status":400,"detail":"found path \"shop\", expected the start of a path","fix":"write \"/shop\""}
          """#),
      Wrong(
        line: "GET /journal?limit=-1", status: 400,
        problem: #"""
          {"title":"The request cannot be understood","status":400,"detail":"found limit \"-1\", expected a whole number"}
          """#),
      Wrong(
        line: "GET /journal?unmatched=yes", status: 400,
        problem: #"""
          {"title":"The request cannot be understood","status":400,"detail":"found unmatched \"yes\", expected true or false"}
          """#),
      Wrong(
        line: "GET /journal?outcome=respnded", status: 400,
        problem: #"""
          {"title":"The request cannot be understood","status":400,"detail":"found outcome \"respnded\", expected one of underWay, held, responded, cutOff, reset, stalled, clientLeft, passedThrough, cancelled","fix":"did you mean \"responded\"?"}
          """#),
      Wrong(
        line: "GET /journal?wait=abc", status: 400,
        problem: #"""
          {"title":"The request cannot be understood","status":400,"detail":"found wait \"abc\", expected a time from 0s to 60s, such as 500ms or 5s"}
          """#),
      Wrong(
        line: "GET /journal?wait=-1s", status: 400,
        problem: #"""
          {"title":"The request cannot be understood","status":400,"detail":"found wait \"-1s\", expected a time from 0s to 60s, such as 500ms or 5s"}
          """#),
      Wrong(
        line: "GET /journal?wait=5", status: 400,
        problem: #"""
          {"title":"The request cannot be understood","status":400,"detail":"found wait \"5\", expected a time from 0s to 60s, such as 500ms or 5s","fix":"write a number and a unit: 5s"}
          """#),
      Wrong(
        line: "GET /journal?wait=61s", status: 400,
        problem: #"""
          {"title":"The request cannot be understood","status":400,"detail":"found wait \"61s\", expected a time from 0s to 60s, such as 500ms or 5s","fix":"wait for 60s, and ask again if the list is empty"}
          """#),
      Wrong(
        line: "GET /journal?unmasked=yes", status: 400,
        problem: #"""
          {"title":"The request cannot be understood","status":400,"detail":"found unmasked \"yes\", expected true or false"}
          """#),
      Wrong(
        line: "GET /journal/unmatched?wait=5s", status: 400,
        problem: #"""
          {"title":"The request cannot be understood","status":400,"detail":"unknown parameter \"wait\"","fix":"the parameters are contract, case, method, path, status, outcome, callback, session, unmatched, sequence, since, limit"}
          """#),
      Wrong(
        line: "POST /journal/count", body: #"{"method":"get","path":"/x"}"#, status: 400,
        problem: #"""
          {"title":"The request cannot be understood","status":400,"detail":"found method \"get\", expected one of GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS","fix":"write it in capitals: \"GET\"","line":1,"column":11}
          """#),
      Wrong(
        line: "POST /shutdown", status: 501,
        problem: #"""
          {"title":"The server cannot be stopped over HTTP","status":501,"detail":"only the program that started this server can stop it"}
          """#),
    ])
  func wrong(wrong: Wrong) async throws {
    try await SmallServer.with { (server) async throws in
      let words = wrong.line.split(separator: " ").map(String.init)
      let response = try server.admin(words[0], words[1], body: wrong.body)
      #expect(response.status == wrong.status)
      #expect(response.values(of: "Content-Type") == ["application/problem+json"])
      #expect(response.values(of: "Allow") == (wrong.status == 405 ? ["GET, DELETE"] : []))
      #expect(response.text == wrong.problem + "\n")
    }
  }

  @Test("the request log takes the names of contracts that a session has made, where it shows it")
  func namesOfSessions() async throws {
    try await SmallServer.with { (server) async throws in
      let contract = """
        { "request": { "method": "GET", "path": "/made" }, "cases": { "fine": { "status": 200 } } }
        """
      #expect(
        try server.admin("PUT", "/contracts/shop/made", session: "a", body: contract).status == 201)
      for filter in ["contract=shop/made", "case=fine", "contract=shop/made&case=fine"] {
        #expect(try server.admin("GET", "/journal?\(filter)").status == 200)
        #expect(try server.admin("GET", "/journal?\(filter)&session=a").status == 200)
        #expect(try server.admin("GET", "/journal?\(filter)", session: "a").status == 200)
        #expect(try server.admin("GET", "/journal?\(filter)&session=b").status == 404)
        #expect(try server.admin("GET", "/journal?\(filter)", session: "b").status == 404)
      }
      #expect(
        try server.admin("GET", "/journal?contract=shop/mad").json()["fix"]?.string
          == "did you mean \"shop/made\"?")
    }
  }

  @Test("a session in the path and one in the query exclude each other")
  func sessionTwice() async throws {
    try await SmallServer.with { (server) async throws in
      #expect(try server.admin("GET", "/journal?session=a").status == 200)
      let response = try server.admin("GET", "/journal?session=a", session: "b")
      #expect(response.status == 400)
      #expect(
        try response.json()["detail"]?.string
          == "parameter \"session\" cannot be used with a session in the path")
    }
  }

  private static func host(_ template: String, _ server: FakeServer) -> String {
    template.replacing("PORT", with: "\(server.address.port)")
  }

  @Test(
    "a foreign Host is refused, one of this machine is not",
    arguments: [
      ("127.0.0.1:PORT", 200), ("localhost:PORT", 200), ("LOCALHOST:PORT", 200),
      ("[::1]:PORT", 200), ("evil.example:PORT", 403), ("localhost", 403), ("localhost:1", 403),
      ("localhost.evil.example:PORT", 403), ("127.0.0.1:PORT.evil.example", 400),
    ])
  func hosts(host: String, status: Int) async throws {
    try await SmallServer.with { (server) async throws in
      let response = try server.client().exchange(
        "GET /__understudy/health", host: Self.host(host, server))
      #expect(response.status == status)
      if status == 403 {
        #expect(
          response.text == """
            {"title":"Only programs on this machine may control the server","status":403,\
            "detail":"found Host \\"\(Self.host(host, server))\\", expected \(server.address)",\
            "fix":"use the address the server printed when it started"}

            """)
      }
    }
  }

  @Test(
    "a foreign Origin is refused",
    arguments: [
      ("http://localhost:PORT", 200), ("http://127.0.0.1:PORT", 200), ("null", 403),
      ("http://evil.example", 403), ("https://localhost:PORT", 403), ("http://localhost:1", 403),
    ])
  func origins(origin: String, status: Int) async throws {
    try await SmallServer.with { (server) async throws in
      let response = try server.admin("GET", "/health", ["Origin: \(Self.host(origin, server))"])
      #expect(response.status == status)
    }
  }

  @Test(
    "what another site's page makes a browser request is refused, a link to the page is not",
    arguments: [
      (["Sec-Fetch-Site: none"], 200, 200), (["Sec-Fetch-Site: same-origin"], 200, 200),
      (["Sec-Fetch-Site: cross-site"], 403, 403), (["Sec-Fetch-Site: same-site"], 403, 403),
      (["Sec-Fetch-Site: Cross-Site", "Sec-Fetch-Dest: iframe"], 403, 403),
      (["Sec-Fetch-Site: cross-site", "Sec-Fetch-Dest: document"], 403, 200),
    ])
  func sites(headers: [String], status: Int, pageStatus: Int) async throws {
    try await SmallServer.with { (server) async throws in
      #expect(try server.admin("POST", "/reset", headers).status == (status == 200 ? 204 : 403))
      #expect(try server.admin("GET", "/health", headers).status == status)
      let page = try server.admin("GET", "/", headers + ["Accept: text/html"])
      #expect(page.status == pageStatus)
      // What the contracts serve is for pages, too.
      #expect(try server.client().exchange("GET /shop/items", headers).status == 200)
    }
  }

  @Test(
    "with a token only those that have it get in",
    arguments: [
      ("Bearer right", 200), ("bearer right", 200), ("Bearer wrong", 401), ("Bearer righ", 401),
      ("Bearer rightright", 401), ("Bearer ", 401), ("Basic right", 401), ("right", 401),
    ])
  func token(value: String, status: Int) async throws {
    try await SmallServer.with {
      $0.adminToken = "right"
    } _: { (server) async throws in
      #expect(try server.admin("GET", "/health").status == 401)
      let response = try server.admin("GET", "/health", ["Authorization: \(value)"])
      #expect(response.status == status)
      #expect(response.values(of: "WWW-Authenticate") == (status == 401 ? ["Bearer"] : []))
      // What the contracts serve needs no token.
      #expect(try server.client().exchange("GET /shop/items").status == 200)
    }
  }
}

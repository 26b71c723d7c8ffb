import Testing
import UnderstudyContractModel
import UnderstudyHTTP
import UnderstudySystem

@testable import UnderstudyFakeServer

/// Who may reach live APIs through the server, and which of them.
@Suite struct RelayAccessTests {
  /// A server of the small shop that relays the rest; responses say what was relayed to whom.
  private func ask(
    _ line: String, _ headers: [String] = [], host: String = "localhost:PORT",
    files: [String: String] = SmallServer.files, takesAll: Bool = false,
    live: [HeaderField] = [], _ configure: (inout ServerConfiguration) -> Void = { _ in }
  ) async throws -> ReceivedResponse {
    var response: ReceivedResponse?
    try await SmallServer.with(files) { configuration in
      configuration.relay = Relay(baseURLs: RelayTests.baseURLs, takesAll: takesAll) {
        relayed, then in
        let names = relayed.request.headers.map(\.name).filter { $0 != "Host" }
        let words = ["relayed to \(relayed.upstreamName) \(relayed.request.path)"] + names
        then(
          RelayedResponse(
            status: 299, headers: live, body: Array(words.joined(separator: ", ").utf8)))
        return nil
      }
      configure(&configuration)
    } _: { server in
      let port = "\(server.address.port)"
      let headers = headers.map { $0.replacing("PORT", with: port) }
      let found = try server.client().exchange(
        line, headers, host: host.replacing("PORT", with: port))
      response = found
    }
    return try #require(response)
  }

  @Test(
    "the name in the path decides before the Host, for an upstream without contracts too",
    arguments: [
      ("/shop/none", "relayed to shop /none"), ("/new/v1/x", "relayed to new /x"),
      ("/n%65w/v1/x", "relayed to new /x"), ("/none", "relayed to shop /none"),
    ])
  func name(path: String, expected: String) async throws {
    for (takesAll, line) in [(false, "POST"), (true, "GET")] {
      let files = SmallServer.files.merging([
        "shop/upstream.json": #"{ "summary": "A shop", "hosts": ["shop.example"] }"#
      ]) { $1 }
      let response = try await ask(
        "\(line) \(path)", host: "shop.example", files: files, takesAll: takesAll)
      #expect(response.text == expected)
    }
  }

  @Test("a contract of an upstream found by its Host does not respond for one found by its name")
  func contractByHost() async throws {
    let files = [
      "shop/upstream.json": #"{ "summary": "A shop", "hosts": ["shop.example"] }"#,
      "shop/any.json": #"""
      { "request": { "method": "GET", "path": "/{one}/{two}/{three}" },
        "cases": { "ok": { "status": 200, "body": {} } } }
      """#,
    ]
    let response = try await ask("GET /new/v1/x", host: "shop.example", files: files)
    #expect(response.text == "relayed to new /x")
    let other = try await ask("GET /old/v1/x", host: "shop.example", files: files)
    #expect(other.text == "{}")
  }

  @Test(
    "only requests with a Host of this machine or of an upstream reach a live API",
    arguments: [
      ("127.0.0.1:PORT", 299), ("localhost", 299), ("localhost:1", 299), ("[::1]:9", 299),
      ("127.1.2.3", 299), ("shop.example", 299), ("NEW.example", 299), ("named.example:81", 299),
      ("evil.example", 403), ("127.0.0.1.evil.example", 403), ("127.evil.example", 403),
      ("localhost.evil.example:PORT", 403), ("shop.example.evil.example", 403), ("x", 403),
    ])
  func host(host: String, status: Int) async throws {
    let files = SmallServer.files.merging([
      "named/upstream.json": #"{ "summary": "Another", "hosts": ["named.example"] }"#,
      "named/thing.json": #"""
      { "request": { "method": "GET", "path": "/thing" }, "cases": { "ok": { "status": 200 } } }
      """#,
    ]) { $1 }
    let response = try await ask("DELETE /shop/x", host: host, files: files)
    #expect(response.status == status)
    // What a contract responds is free for all.
    let free = try await ask("GET /shop/items", host: host, files: files)
    #expect(free.status == 200)
  }

  @Test(
    "only pages of the server's own origin, or of an allowed one, get through",
    arguments: [
      ("http://localhost:PORT", 299), ("http://127.0.0.1:PORT", 299), ("http://page.example", 299),
      ("HTTP://PAGE.example", 299), ("http://evil.example", 403), ("null", 403),
      ("http://localhost:1", 403), ("https://page.example", 403), ("http://page.example:81", 403),
      ("http://localhost:9", 299),
    ])
  func origin(origin: String, status: Int) async throws {
    for (cors, takesAll) in [(false, false), (true, false), (false, true), (true, true)] {
      // As a tunnel from another port of this machine shows it.
      let host = origin.hasSuffix(":9") ? "localhost:9" : "localhost:PORT"
      let response = try await ask(
        "DELETE /shop/x", ["Origin: \(origin)"], host: host, takesAll: takesAll
      ) {
        $0.allowsCORS = cors
        $0.allowedOrigins = ["http://page.example"]
      }
      #expect(response.status == status)
    }
  }

  @Test("a request that a page of another site caused without an Origin is not relayed")
  func site() async throws {
    for (site, status) in [("none", 299), ("same-origin", 299), ("cross-site", 403)] {
      #expect(try await ask("GET /shop/x", ["Sec-Fetch-Site: \(site)"]).status == status)
    }
  }

  @Test("the admin token goes to no upstream, another Authorization does")
  func adminToken() async throws {
    for (value, text) in [
      ("Bearer right", "relayed to shop /x"), ("bearer right", "relayed to shop /x"),
      ("Bearer wrong", "relayed to shop /x, Authorization"),
    ] {
      let response = try await ask("GET /shop/x", ["Authorization: \(value)"]) {
        $0.adminToken = "right"
      }
      #expect(response.text == text)
    }
  }

  @Test("a refusal says what was found, what was expected and what to do")
  func words() async throws {
    let refusals = [
      try await ask("GET /shop/x", host: "evil.example"),
      try await ask("GET /shop/x", ["Origin: http://evil.example"], host: "localhost"),
      try await ask("GET /shop/x") {
        $0.address = SocketAddress(host: "0.0.0.0", port: 0)
        $0.adminToken = "right"
      },
    ]
    let texts = refusals.map {
      $0.text.replacing(#/127\.0\.0\.1:\d+/#, with: "127.0.0.1:PORT")
    }
    #expect(
      texts == [
        #"""
        {"title":"The request was not forwarded","status":403,"detail":"found Host \"evil.example\", expected 127.0.0.1:PORT, a name of this machine, or the host of an upstream","fix":"use the address the server printed when it started"}

        """#,
        #"""
        {"title":"The request was not forwarded","status":403,"detail":"found Origin \"http://evil.example\", expected none, http://127.0.0.1:PORT, or one allowed at the start","fix":"if pages from there may use the live API, start the server with --allow-origin and their origin"}

        """#,
        #"""
        {"title":"The request was not forwarded","status":401,"detail":"no valid token in the header Understudy-Token, which is required when others can reach the server","fix":"send Understudy-Token with the token the server was started with; it is not forwarded"}

        """#,
      ])
    #expect(refusals[2].values(of: "WWW-Authenticate") == ["Understudy-Token"])
  }

  @Test(
    "where others can reach the server, only requests with the token get through",
    arguments: [
      ("right", ["Understudy-Token: right"], 299), ("right", ["Understudy-Token: wrong"], 401),
      ("right", ["Understudy-Token: "], 401), ("right", [], 401),
      ("right", ["Authorization: Bearer right"], 401), (nil, ["Understudy-Token: "], 401),
    ] as [(String?, [String], Int)])
  func token(token: String?, headers: [String], status: Int) async throws {
    func configure(_ configuration: inout ServerConfiguration) {
      configuration.address = SocketAddress(host: "0.0.0.0", port: 0)
      configuration.adminToken = token
    }
    for takesAll in [false, true] {
      let response = try await ask(
        "GET /shop/x", headers, host: "any.example", takesAll: takesAll, configure)
      #expect(response.status == status)
    }
    let free = try await ask("GET /shop/items", host: "any.example", configure)
    #expect(free.status == 200)
  }

  @Test("the token is neither forwarded nor shown by the admin API; Authorization is forwarded")
  func tokenStays() async throws {
    let headers = ["Understudy-Token: right", "Authorization: Bearer theirs"]
    let response = try await ask("GET /shop/x", headers)
    #expect(response.text == "relayed to shop /x, Authorization")
    try await SmallServer.with { (server) async throws in
      _ = try server.client().exchange("GET /shop/items", headers)
      let journal = try server.admin("GET", "/journal").text
      #expect(journal.contains(#""[redacted]""#))
      #expect(!journal.contains("right"))
    }
  }

  @Test("the admin API takes the token by that header, too")
  func admin() async throws {
    try await SmallServer.with {
      $0.adminToken = "right"
    } _: { (server) async throws in
      #expect(try server.admin("GET", "/health", ["Understudy-Token: right"]).status == 200)
      #expect(try server.admin("GET", "/health", ["Understudy-Token: wrong"]).status == 401)
    }
  }

  private static let question = [
    "Origin: http://page.example", "Access-Control-Request-Method: PUT",
    "Access-Control-Request-Headers: understudy-token",
  ]

  @Test(
    "a preflight of an allowed page is served without the live API",
    arguments: [
      false, true,
    ])
  func preflight(takesAll: Bool) async throws {
    let response = try await ask("OPTIONS /shop/x", Self.question, takesAll: takesAll) {
      $0.allowedOrigins = ["http://page.example"]
    }
    #expect(response.status == 204)
    #expect(response.values(of: "Access-Control-Allow-Origin") == ["http://page.example"])
    #expect(response.values(of: "Access-Control-Allow-Methods") == ["PUT"])
    #expect(response.values(of: "Access-Control-Allow-Headers") == ["understudy-token"])
    let refusal = try await ask("OPTIONS /shop/x", Self.question, takesAll: takesAll)
    #expect(refusal.status == 403)
    #expect(refusal.values(of: "Access-Control-Allow-Origin") == [])
  }

  @Test("an allowed page may read the live API's response, whatever its CORS headers")
  func readable() async throws {
    let live = [
      HeaderField(name: "Access-Control-Allow-Origin", value: "https://theirs.example"),
      HeaderField(name: "X-Kind", value: "live"),
    ]
    let response = try await ask("GET /shop/x", ["Origin: http://page.example"], live: live) {
      $0.allowedOrigins = ["http://page.example"]
    }
    #expect(response.values(of: "Access-Control-Allow-Origin") == ["http://page.example"])
    #expect(
      response.values(of: "Access-Control-Expose-Headers") == [
        "*, Understudy-Contract, Understudy-Case, X-Kind"
      ])
    let contract = try await ask("GET /shop/items", ["Origin: http://page.example"]) {
      $0.allowedOrigins = ["http://page.example"]
    }
    #expect(contract.values(of: "Access-Control-Allow-Origin") == ["http://page.example"])
    // Without a page the live API's own words stay.
    let plain = try await ask("GET /shop/x", live: live)
    #expect(plain.values(of: "Access-Control-Allow-Origin") == ["https://theirs.example"])
  }
}

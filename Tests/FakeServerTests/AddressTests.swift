import Testing
import UnderstudySystem

@testable import UnderstudyFakeServer

/// Where the links in responses lead, and which paths lead to an upstream.
@Suite struct AddressTests {
  private static let files = [
    "api/upstream.json": #"{ "summary": "An API", "baseURL": "https://api.example/v1" }"#,
    "api/links.json": #"""
    { "summary": "Where it is", "request": { "method": "GET", "path": "/links" },
      "cases": { "ok": { "status": 200, "template": ["body"],
                         "text": "{server.baseURL} {server.other.baseURL}" } } }
    """#,
    "other/upstream.json": #"{ "summary": "Another API" }"#,
    "other/x.json": #"""
    { "summary": "X", "request": { "method": "GET", "path": "/x" },
      "cases": { "ok": { "status": 200, "text": "x" } } }
    """#,
  ]

  private func withServer(
    _ host: String = "127.0.0.1", givesPorts: Bool = false,
    _ test: (FakeServer) async throws -> Void
  ) async throws {
    try await SmallServer.with(Self.files) {
      $0.address = SocketAddress(host: host, port: 0)
      $0.givesPorts = givesPorts
    } _: { (server) async throws in
      try await test(server)
    }
  }

  @Test(
    "a server on all addresses names itself as the client does",
    arguments: ["0.0.0.0", "::"], ["fake.example:81", "fake.example", "[::1]:8080"])
  func wildcard(host: String, name: String) async throws {
    try await withServer(host) { (server) async throws in
      let client = try server.client()
      let plain = try client.exchange("GET /api/v1/links", host: name)
      #expect(plain.text == "http://\(name)/api/v1 http://\(name)/other")
      let named = try client.exchange("GET /~w%20x/api/v1/links", host: name)
      #expect(named.text == "http://\(name)/~w%20x/api/v1 http://\(name)/~w%20x/other")
      let byHost = try client.exchange("GET http://api.example:1/v1/links", host: "api.example:1")
      #expect(byHost.text == "http://api.example:1/api/v1 http://api.example:1/other")
      #expect(try client.exchange("GET /", host: name).text.contains("  http://\(name)/api/v1  An"))
    }
  }

  @Test("where a client does not say how it found the server, the server's own machine is meant")
  func unsaid() async throws {
    try await withServer("0.0.0.0") { (server) async throws in
      let client = try server.client()
      client.send("GET /api/v1/links HTTP/1.0\r\n\r\n")
      let own = "http://127.0.0.1:\(server.address.port)"
      let text = try client.response().text
      #expect(text == "\(own)/api/v1 \(own)/other")
      #expect(server.baseURL(of: "other", session: "a b") == "\(own)/~a%20b/other")
    }
  }

  @Test("a server on one address keeps to its name, whatever the client calls it")
  func loopback() async throws {
    try await withServer { (server) async throws in
      let response = try server.client().exchange("GET /api/v1/links", host: "fake.example")
      #expect(response.text == "http://\(server.address)/api/v1 http://\(server.address)/other")
    }
  }

  @Test("on all addresses, upstreams with a port of their own are at the host the client names")
  func ports() async throws {
    try await withServer("0.0.0.0", givesPorts: true) { (server) async throws in
      let response = try server.client().exchange("GET /~w/api/v1/links", host: "fake.example:7")
      let links = try #require(
        response.text.firstMatch(
          of: /^http:\/\/fake\.example:(\d+)\/~w\/v1 http:\/\/fake\.example:(\d+)\/~w$/))
      let ports = [links.1, links.2].map { UInt16($0) }
      #expect(Set(ports + [server.address.port]).count == 3)
      let other = try WireClient(port: #require(ports[1]))
      #expect(try other.exchange("GET /x").text == "x")
    }
  }

  @Test(
    "what is encoded without need leads where the plain path does",
    arguments: [
      "/%6fther/x", "/other/%78", "/%7Ew/other/x", "/%7e%77/%6Fther/x", "/~w/oth%65r/x",
    ])
  func encoded(path: String) async throws {
    try await withServer { (server) async throws in
      #expect(try server.client().exchange("GET \(path)").text == "x")
      let entry = try #require(await server.journal().first)
      #expect(entry.session == (path.contains("w") || path.contains("77") ? "w" : ""))
    }
  }
}

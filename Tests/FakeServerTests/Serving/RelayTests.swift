import Synchronization
import Testing
import UnderstudyContractModel
import UnderstudyCore

@testable import UnderstudyFakeServer

/// Responds to that others give in place of contracts.
@Suite struct RelayTests {
  static func relay(takesAll: Bool) -> Relay {
    Relay(baseURLs: baseURLs, takesAll: takesAll) { relayed, then in
      let request = relayed.request
      let words =
        "\(relayed.upstreamName) \(request.method) \(request.path) \(request.query ?? "-") "
        + String(decoding: request.body, as: UTF8.self)
      then(
        RelayedResponse(
          status: 299, headers: [HeaderField(name: "X-Kind", value: "relayed")],
          body: Array(words.utf8)))
      return nil
    }
  }

  static let baseURLs = [
    "shop": WebURL(scheme: "https", host: "shop.example"),
    "new": WebURL(scheme: "https", host: "new.example", path: "/v1"),
  ]

  private func responses(takesAll: Bool, _ requests: [String]) async throws -> [String] {
    var responses: [String] = []
    try await SmallServer.with {
      $0.relay = Self.relay(takesAll: takesAll)
    } _: { server in
      for request in requests {
        let client = try WireClient(port: server.address.port)
        client.send(request)
        responses.append(client.receiveAll().0)
      }
      let journal = await server.journal()
      #expect(journal.count == requests.count)
      #expect(journal.map(\.isUnmatched) == requests.map { _ in false })
    }
    return responses
  }

  private static func get(_ path: String) -> String {
    "GET \(path) HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"
  }

  @Test("responds to requests without a contract, also of upstreams without contracts")
  func unmatched() async throws {
    let responses = try await responses(
      takesAll: false,
      [
        Self.get("/shop/items"), Self.get("/shop/nothing?a=1"), Self.get("/new/v1/users/1"),
        "POST /~w/new/v1 HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nContent-Length: 2\r\n\r\n{}",
      ])
    #expect(responses[0].hasSuffix("[1,2]"))
    #expect(responses[1].hasPrefix("HTTP/1.1 299 "))
    #expect(responses[1].contains("\r\nX-Kind: relayed\r\n"))
    #expect(responses[1].hasSuffix("shop GET /nothing a=1 "))
    #expect(responses[2].hasSuffix("new GET /users/1 - "))
    #expect(responses[3].hasSuffix("new POST / - {}"))
  }

  @Test("responds to everything if configured to")
  func all() async throws {
    let responses = try await responses(takesAll: true, [Self.get("/shop/items")])
    #expect(responses[0].hasSuffix("shop GET /items - "))
  }

  @Test("sends a request of the request log again, with all that the client sent but the token")
  func again() async throws {
    let sent = Mutex<[Request]>([])
    try await SmallServer.with { configuration in
      configuration.relay = Relay(baseURLs: Self.baseURLs, takesAll: false) { relayed, then in
        sent.withLock { $0.append(relayed.request) }
        then(RelayedResponse(status: 201, headers: [], body: Array("made".utf8)))
        return nil
      }
    } _: { (server) async throws in
      let headers = ["Authorization: Bearer invented", "Understudy-Token: x"]
      _ = try server.client().exchange("POST /shop/items?a=1", headers, body: "{}")
      let response = try server.admin("POST", "/journal/1/record")
      #expect(response.text == #"{"upstream":"shop","status":201}"# + "\n")
      let request = try #require(sent.withLock { $0.first })
      #expect(request.method == "POST" && request.path == "/items" && request.query == "a=1")
      #expect(request.body == Array("{}".utf8))
      #expect(request.headerValue("authorization") == "Bearer invented")
      #expect(request.headerValue("understudy-token") == nil)
      _ = try server.client().exchange("GET /other/x")
      let unknown = try server.admin("POST", "/journal/2/record")
      #expect(unknown.status == 409 && unknown.text.contains("--upstream NAME=URL"))
      for id in ["3", "x", "-1"] {
        #expect(try server.admin("POST", "/journal/\(id)/record").status == 404)
      }
      // A session's page records its own requests.
      #expect(try server.admin("POST", "/journal/1/record", session: "w").status == 404)
    }
  }

  @Test("sends nothing again where nothing is recorded")
  func notAgain() async throws {
    try await SmallServer.with { (server) async throws in
      _ = try server.client().exchange("GET /shop/items")
      let response = try server.admin("POST", "/journal/1/record")
      #expect(response.status == 403 && response.text.contains("understudy serve --record"))
    }
  }

  @Test("is in the request log of its session")
  func session() async throws {
    try await SmallServer.with { configuration in
      configuration.relay = Self.relay(takesAll: true)
    } _: { server in
      let client = try WireClient(port: server.address.port)
      client.send(Self.get("/~w/shop/items"))
      _ = client.receiveAll()
      #expect(await server.journal().map(\.session) == ["w"])
    }
  }

  @Test(
    "keeps the headers about a body that is not sent",
    arguments: [
      ("HEAD", 200, 7, "Content-Length: 7"), ("HEAD", 200, nil, nil),
      ("GET", 304, 9, "Content-Length: 9"), ("GET", 304, nil, nil), ("HEAD", 204, 5, nil),
      ("GET", 200, nil, "Content-Length: 0"),
    ] as [(String, Int, Int?, String?)])
  func length(method: String, status: Int, length: Int?, expected: String?) async throws {
    try await SmallServer.with { configuration in
      configuration.relay = Relay(baseURLs: Self.baseURLs, takesAll: true) { _, then in
        then(RelayedResponse(status: status, headers: [], body: [], contentLength: length))
        return nil
      }
    } _: { server in
      let client = try WireClient(port: server.address.port)
      client.send("\(method) /shop/x HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
      let lines = client.receiveAll().0.split(separator: "\r\n").map(String.init)
      #expect(lines.first { $0.hasPrefix("Content-Length") } == expected)
    }
  }

  @Test("cancels the request when the client has left")
  func left() async throws {
    let (events, continuation) = AsyncStream<String>.makeStream()
    try await SmallServer.with { configuration in
      configuration.relay = Relay(baseURLs: Self.baseURLs, takesAll: true) { _, _ in
        continuation.yield("asked")
        return Errand {
          // Ends when the task is cancelled.
          for await _ in AsyncStream<Void>.makeStream().stream {}
          continuation.yield("let go")
        }
      }
    } _: { server in
      var event = events.makeAsyncIterator()
      var client: WireClient? = try WireClient(port: server.address.port)
      client?.send(Self.get("/shop/items"))
      #expect(await event.next() == "asked")
      // Once the loop has responded to this, it is done with the request.
      #expect(await server.journal().map(\.outcome) == [.underWay])
      continuation.yield("leaves")
      client = nil
      #expect(await event.next() == "leaves")
      #expect(await event.next() == "let go")
      #expect(await server.journal().map(\.outcome) == [.clientLeft])
    }
  }

  @Test("leaves other upstreams alone")
  func others() async throws {
    try await SmallServer.with { configuration in
      configuration.relay = Self.relay(takesAll: true)
    } _: { server in
      for path in ["/other/x", "/new/v10/x", "/"] {
        let client = try WireClient(port: server.address.port)
        client.send(Self.get(path))
        #expect(!client.receiveAll().0.contains(" 299 "), "\(path)")
      }
    }
  }
}

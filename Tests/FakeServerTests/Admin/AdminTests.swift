import Testing
import UnderstudyCore
import UnderstudyHTTP
import UnderstudyJSON

@testable import UnderstudyFakeServer

@Suite struct AdminTests {
  @Test("health and version")
  func health() async throws {
    try await SmallServer.with { (server) async throws in
      #expect(try server.admin("GET", "/health").text == "{\"status\":\"ok\"}\n")
      #expect(
        try server.admin("GET", "/version").text
          == "{\"name\":\"understudy\",\"version\":\"\(UnderstudyVersion.text)\"}\n")
      let head = try server.client()
      head.send("HEAD /__understudy/health HTTP/1.1\r\nHost: \(server.address)\r\n\r\n")
      #expect(head.receive("\r\n\r\n").hasPrefix("HTTP/1.1 200 OK\r\n"))
    }
  }

  @Test("a case is chosen, reported, and cleared again")
  func choose() async throws {
    try await SmallServer.with { (server) async throws in
      let client = try server.client()
      let path = "/contracts/shop/items"
      let chosen = try server.admin("PUT", "\(path)/case", body: #"{"case":"gone"}"#)
      #expect(chosen.status == 200)
      #expect(try chosen.json()["case"]?.string == "gone")
      #expect(try chosen.json()["reason"]?.string == "hand")
      #expect(try client.exchange("GET /shop/items").status == 410)
      let cleared = try server.admin("DELETE", "\(path)/case")
      #expect(try cleared.json()["reason"]?.string == "default")
      #expect(try client.exchange("GET /shop/items").status == 200)
    }
  }

  @Test("upstreams are listed with their base URLs", arguments: [nil, "w"])
  func upstreams(session: String?) async throws {
    try await SmallServer.with { (server) async throws in
      let upstream = try server.admin("GET", "/contracts", session: session).json()["upstreams"]
      let prefix = session.map { "/~\($0)" } ?? ""
      #expect(upstream?.count == 1)
      #expect(upstream?[0]?["name"]?.string == "shop")
      #expect(upstream?[0]?["summary"]?.string == "A shop")
      #expect(upstream?[0]?["baseURL"]?.string == "http://\(server.address)\(prefix)/shop")
    }
  }

  @Test("a script runs, by its name or by its cases")
  func script() async throws {
    try await SmallServer.with { (server) async throws in
      let client = try server.client()
      for body in [#"{"script":"fails-once"}"#, #"{"cases":["gone","ok"]}"#] {
        let started = try server.admin("POST", "/contracts/shop/items/script", body: body)
        #expect(try started.json()["case"]?.string == "gone")
        #expect(try started.json()["reason"]?.string == "script")
        let statuses = try (0..<3).map { _ in try client.exchange("GET /shop/items").status }
        #expect(statuses == [410, 200, 200])
      }
    }
  }

  @Test("a scenario sets state and starts its scripts")
  func scenario() async throws {
    try await SmallServer.with { (server) async throws in
      #expect(try server.admin("POST", "/scenarios/shop/restock").status == 204)
      #expect(
        try server.admin("GET", "/state").text
          == "{\"state\":{\"shop\":{\"shelf\":\"empty\"}}}\n")
      #expect(try server.client().exchange("GET /shop/items").text == "[]")
    }
  }

  @Test("state is set and cleared, and decides the case")
  func state() async throws {
    try await SmallServer.with { (server) async throws in
      func item() throws -> [String?] {
        let item = try server.admin("GET", "/contracts/shop/item").json()
        return [item["case"]?.string, item["reason"]?.string]
      }
      #expect(try item() == ["ok", "default"])
      for (value, expected) in [("sold", ["sold", "when"]), ("full", ["ok", "default"])] {
        let body = #"{"state":{"shop":{"shelf":"\#(value)"}}}"#
        #expect(try server.admin("PUT", "/state", body: body).text == body + "\n")
        #expect(try item() == expected)
      }
      #expect(try server.admin("DELETE", "/state").status == 204)
      #expect(try server.admin("GET", "/state").text == "{\"state\":{}}\n")
      #expect(try item() == ["ok", "default"])
    }
  }

  @Test("a session in the path keeps everything apart")
  func sessions() async throws {
    try await SmallServer.with { (server) async throws in
      let body = #"{"case":"gone"}"#
      _ = try server.admin("PUT", "/contracts/shop/items/case", session: "w", body: body)
      let client = try server.client()
      #expect(try client.exchange("GET /~w/shop/items").status == 410)
      #expect(try client.exchange("GET /shop/items").status == 200)
      #expect(try server.admin("GET", "/sessions").text == "{\"sessions\":[\"w\"]}\n")
      func journal(_ session: String?) throws -> [Int?] {
        try server.admin("GET", "/journal", session: session).json()["requests"]?.elements
          .map { $0["sequence"]?.int } ?? []
      }
      #expect(try journal("w") == [1])
      #expect(try journal(nil) == [1, 2])
      #expect(try server.admin("DELETE", "/journal", session: "w").status == 204)
      #expect(try journal(nil) == [2])
      #expect(try server.admin("DELETE", "/sessions/w").status == 204)
      #expect(try client.exchange("GET /~w/shop/items").status == 200)
    }
  }

  @Test("the request log is queried and counted", arguments: [1, 2])
  func journal(threads: Int) async throws {
    try await SmallServer.with(threads: threads) { (server) async throws in
      for path in ["/shop/items?a=1", "/shop/items", "/shop/nothing"] {
        _ = try server.client().exchange("GET \(path)")
      }
      let found = try server.admin("GET", "/journal?contract=shop%2Fitems&limit=1").json()
      #expect(found["requests"]?.count == 1)
      #expect(found["requests"]?[0]?["sequence"]?.int == 2)
      let pattern = #"{"method":"GET","path":"/shop/items","parameters":{"query.a":"1"}}"#
      #expect(try server.admin("POST", "/journal/count", body: pattern).text == "{\"count\":1}\n")
      let unmatched = try server.admin("GET", "/journal/unmatched").json()["requests"]
      #expect(unmatched?.count == 1)
      #expect(
        unmatched?[0]?["message"]?.string == "no contract for GET /shop/nothing")
      #expect(unmatched?[0]?["nearest"]?[0]?["contract"]?.string == "shop/items")
      #expect(unmatched?[0]?["nearest"]?[0]?["request"]?.string == "GET /items")
      #expect(
        unmatched?[0]?["nearest"]?[0]?["differences"]?[0]?.string
          == "path segment 1: found \"nothing\", expected \"items\"")
    }
  }

  @Test("a reset cuts off responses in progress", arguments: [1, 2])
  func reset(threads: Int) async throws {
    try await SmallServer.with(threads: threads) { (server) async throws in
      server.use("slow", for: "shop/items")
      let clients = try (0..<4).map { _ in try server.client() }
      for client in clients {
        client.ask("GET /shop/items")
        _ = await server.nextRequest()
      }
      #expect(try server.admin("POST", "/reset").status == 204)
      for client in clients { #expect(client.receiveAll().text == "") }
      #expect(try server.admin("GET", "/journal").text == "{\"requests\":[]}\n")
      #expect(try server.client().exchange("GET /shop/items").status == 200)
    }
  }

  @Test("shutdown notifies the owner, once the response is sent")
  func shutdown() async throws {
    let (stream, continuation) = AsyncStream<Void>.makeStream()
    try await SmallServer.with {
      $0.shutdownRequested = { continuation.yield() }
    } _: { (server) async throws in
      let response = try server.admin("POST", "/shutdown")
      #expect(response.status == 202)
      #expect(response.text == "{\"status\":\"ending\"}\n")
      var requests = stream.makeAsyncIterator()
      #expect(await requests.next() != nil)
    }
  }

  @Test("a client that leaves before the response does no harm")
  func clientLeaves() async throws {
    try await SmallServer.with { (server) async throws in
      for _ in 0..<20 {
        let client = try server.client()
        client.ask("GET /__understudy/journal", host: "\(server.address)")
      }
      #expect(try server.admin("GET", "/health").status == 200)
      #expect(await server.journal().isEmpty)
    }
  }

  @Test("pipelined requests to the API are served in order")
  func pipelined() async throws {
    try await SmallServer.with { (server) async throws in
      let client = try server.client()
      let lines = ["GET /__understudy/health", "GET /shop/items", "GET /__understudy/sessions"]
      client.send(lines.map { "\($0) HTTP/1.1\r\nHost: \(server.address)\r\n\r\n" }.joined())
      client.shutWriting()
      let text = client.receiveAll().text
      let order = ["{\"status\":\"ok\"}\n", "[1,2]", "{\"sessions\":[]}\n"]
      let places = order.compactMap { text.firstRange(of: $0)?.lowerBound }
      #expect(places.count == 3)
      #expect(places == places.sorted())
    }
  }
}

import Testing
import UnderstudyHTTP

@testable import UnderstudyFakeServer

/// `GET /journal?wait=…`
@Suite struct WaitingTests {
  private static let cases = #""ok": { "status": 200, "body": {} }"#

  /// Serves one contract, `GET /x` of `api`, and sends it requests.
  private static func serve(_ test: (WireServer) async throws -> Void) async throws {
    try await WireServer.run(cases: cases, test: test)
  }

  /// A client that waits for requests, and does so when this returns.
  private static func waiting(
    _ filters: String, session: String? = nil, on server: WireServer
  ) async throws -> WireClient {
    let before = await server.waitingCount
    let client = try server.client()
    let prefix = session.map { "/~\($0)" } ?? ""
    client.ask(
      "GET \(prefix)/__understudy/journal?wait=60s\(filters)", host: "\(server.upstream.address)")
    #expect(await server.connections { $0.filter(\.isWaiting).count == before + 1 })
    return client
  }

  private static func paths(_ client: WireClient) throws -> [String?] {
    let response = try client.response()
    #expect(response.status == 200)
    return try response.json()["requests"]?.elements.map { $0["path"]?.string } ?? []
  }

  @Test("a request that is there already is listed at once", arguments: ["60s", "0s"])
  func atOnce(time: String) async throws {
    try await Self.serve { (server) async throws in
      _ = try server.client().exchange("GET /api/api/x")
      let response = try server.upstream.admin("GET", "/journal?wait=\(time)&contract=api/endpoint")
      #expect(try response.json()["requests"]?.count == 1)
    }
  }

  @Test("the first request that matches ends the wait")
  func first() async throws {
    try await Self.serve { (server) async throws in
      let client = try await Self.waiting("&contract=api/endpoint", on: server)
      _ = try server.client().exchange("GET /api/nothing")
      #expect(await client.isSilent(on: server.upstream))
      _ = try server.client().exchange("GET /api/api/x")
      #expect(try Self.paths(client) == ["/api/api/x"])
    }
  }

  @Test("without a request the list is empty in the end")
  func none() async throws {
    try await Self.serve { (server) async throws in
      let response = try server.upstream.admin("GET", "/journal?wait=5ms")
      #expect(response.status == 200)
      #expect(response.text == "{\"requests\":[]}\n")
    }
  }

  @Test("a session waits for its own requests")
  func session() async throws {
    try await Self.serve { (server) async throws in
      let client = try await Self.waiting("", session: "a", on: server)
      _ = try server.client().exchange("GET /~b/api/api/x")
      _ = try server.client().exchange("GET /~a/api/api/x?mine")
      let response = try client.response().json()
      #expect(response["requests"]?.elements.map { $0["query"]?.string } == ["mine"])
    }
  }

  @Test("requests after a number are waited for")
  func since() async throws {
    try await Self.serve { (server) async throws in
      _ = try server.client().exchange("GET /api/old")
      let client = try await Self.waiting("&since=1", on: server)
      _ = try server.client().exchange("GET /api/new")
      #expect(try Self.paths(client) == ["/api/new"])
    }
  }

  @Test("an outcome is waited for after its request has come")
  func outcome() async throws {
    try await Self.serve { (server) async throws in
      let hold = server.upstream.hold("api/endpoint")
      let held = try server.client()
      held.ask("GET /api/api/x")
      let response = await hold.next()
      let client = try await Self.waiting("&outcome=responded", on: server)
      // It has looked, and no response.
      let arrivals = server.upstream.core.arrivals
      #expect(await server.settled { arrivals.waitingCount > 0 })
      await response?.release()
      #expect(try Self.paths(client) == ["/api/api/x"])
    }
  }

  @Test("many wait at once, and the server goes on")
  func many() async throws {
    try await Self.serve { (server) async throws in
      var clients: [WireClient] = []
      for _ in 0..<100 { clients.append(try await Self.waiting("&method=GET", on: server)) }
      #expect(try server.upstream.admin("GET", "/health").status == 200)
      _ = try server.client().exchange("GET /api/api/x")
      for client in clients { #expect(try Self.paths(client) == ["/api/api/x"]) }
    }
  }

  @Test("requests on several loops are seen")
  func loops() async throws {
    try await SmallServer.with(threads: 2) { (server) async throws in
      let clients = try (0..<4).map { _ in try server.client() }
      for (number, client) in clients.enumerated() {
        client.ask(
          "GET /__understudy/journal?wait=60s&path=/shop/\(number)", host: "\(server.address)")
      }
      for number in clients.indices { _ = try server.client().exchange("GET /shop/\(number)") }
      for (number, client) in clients.enumerated() {
        #expect(try Self.paths(client) == ["/shop/\(number)"])
      }
    }
  }

  @Test("a client that leaves is not waited for", arguments: [true, false])
  func leaves(suddenly: Bool) async throws {
    try await Self.serve { (server) async throws in
      let client = try await Self.waiting("", on: server)
      if suddenly { client.vanish() } else { client.shutWriting() }
      #expect(await server.connections { $0.isEmpty })
    }
  }

  @Test("the end of the server ends the wait", arguments: [true, false])
  func closing(retires: Bool) async throws {
    try await Self.serve { (server) async throws in
      let client = try await Self.waiting("", on: server)
      if retires {
        await withCheckedContinuation { continuation in
          server.upstream.retire { continuation.resume() }
        }
      } else {
        await server.upstream.close()
      }
      #expect(client.receiveAll().text == "")
    }
  }
}

extension Connection {
  fileprivate var isWaiting: Bool { pending?.errand != nil }
}

extension WireServer {
  /// Waits until something is so; gives up after more turns than anything takes.
  fileprivate func settled(_ isSo: () -> Bool) async -> Bool {
    for _ in 0..<200_000 {
      if isSo() { return true }
      await settle()
    }
    return false
  }

  fileprivate var waitingCount: Int {
    get async {
      await loop.ask { loop in
        loop.connections.slots.count { loop.connections[$0].pointee.isWaiting }
      } ?? 0
    }
  }
}

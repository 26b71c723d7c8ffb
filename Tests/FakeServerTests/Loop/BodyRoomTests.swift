import Testing

@testable import UnderstudyFakeServer

/// What clients have sent of bodies that are not complete, all together.
struct BodyRoomTests {
  private static let cases = #""ok": { "status": 200, "text": "0123456789" }"#
  private static let head =
    "GET /api/api/x HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Length: 40000\r\n\r\n"
  private static let part = String(repeating: "x", count: 30_000)
  private static let rest = String(repeating: "x", count: 10_000)

  private func run(_ test: (WireServer) async throws -> Void) async throws {
    try await WireServer.run(cases: Self.cases, isTimeStopped: true) {
      $0.limits.bodiesByteCountMax = 50_000
    } test: { server in
      try await test(server)
    }
  }

  /// Clients who have sent a part of their bodies, one after the other: there is room for the
  /// first, the second may pass the limit, and the others wait.
  private func begin(_ count: Int, on server: WireServer) async throws -> [WireClient] {
    var clients: [WireClient] = []
    for number in 1...count {
      let client = try server.client()
      client.send(Self.head + Self.part)
      #expect(
        await server.connections { connections in
          let begun = connections.filter { $0.request?.body.count == 30_000 }
          let waiting = begun.filter { $0.request?.waitsForRoom == true }
          return begun.count == number && waiting.count == max(0, number - 2)
        })
      clients.append(client)
    }
    return clients
  }

  @Test("a connection that waits for room is not read")
  func unread() async throws {
    try await run { server in
      let clients = try await begin(4, on: server)
      for client in clients[2...] { client.send(Self.rest) }
      await server.settle()
      #expect(
        await server.connections { connections in
          let waiting = connections.filter { $0.request?.waitsForRoom == true }
          return waiting.count == 2 && waiting.allSatisfy { $0.watched == [] }
            && connections.allSatisfy { $0.request?.body.count == 30_000 }
        })
      for client in clients[2...] { #expect(await client.isSilent(on: server.upstream)) }
    }
  }

  @Test("a body that is complete lets the next one in, and each gets its response")
  func turns() async throws {
    try await run { server in
      let clients = try await begin(4, on: server)
      for number in [1, 2, 3, 0] {
        clients[number].send(Self.rest)
        #expect(clients[number].receiveAll().text.hasSuffix("\r\n\r\n0123456789"))
      }
    }
  }

  @Test("a client that leaves gives its room back, whether it was read from or waited")
  func leaving() async throws {
    try await run { server in
      let clients = try await begin(4, on: server)
      clients[2].vanish()
      #expect(await server.connections { $0.count == 3 })
      clients[1].vanish()
      #expect(await server.connections { $0.allSatisfy { $0.request?.waitsForRoom == false } })
      clients[3].send(Self.rest)
      #expect(clients[3].receiveAll().text.hasSuffix("\r\n\r\n0123456789"))
    }
  }

  @Test("a request that comes whole does not wait for those that do not")
  func whole() async throws {
    try await run { server in
      let others = try await begin(4, on: server)
      let client = try server.client()
      // Small enough to be one segment: the server cannot read a part of it.
      client.send(
        "GET /api/api/x HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Length: 5\r\n\r\nxxxxx")
      #expect(client.receiveAll().text.hasSuffix("\r\n\r\n0123456789"))
      withExtendedLifetime(others) {}
    }
  }

  @Test("a client without room in time and one that sends too slowly get different responses")
  func overdue() async throws {
    try await run { server in
      let clients = try await begin(4, on: server)
      await server.advance(by: .milliseconds(30_001))
      let responses = clients.map { $0.receiveAll() }
      #expect(responses.map(\.end) == [.closed, .closed, .closed, .closed])
      for (text, _) in responses[..<2] {
        #expect(text.hasPrefix("HTTP/1.1 408 Request Timeout\r\n"))
      }
      for (text, _) in responses[2...] {
        #expect(text.hasPrefix("HTTP/1.1 503 Service Unavailable\r\n"))
        #expect(
          text.contains(
            "the bodies of other open requests take all the room: send it again later"
          ))
      }
      // All of it is free again.
      #expect(await server.connections { $0.allSatisfy { $0.request == nil } })
      _ = try await begin(3, on: server)
    }
  }

  @Test("clients that wait for each other all finish", arguments: [1, 3])
  func all(threads: Int) async throws {
    try await SmallServer.with(threads: threads) {
      $0.limits.bodiesByteCountMax = 50_000
    } _: { (server) async throws in
      let clients = try (0..<30).map { _ in try server.client() }
      let head = "POST /shop/items HTTP/1.1\r\nHost: localhost\r\nContent-Length: 40000\r\n\r\n"
      for client in clients { client.send(head + Self.part) }
      for client in clients { client.send(Self.rest) }
      for client in clients { #expect(try client.response().status == 201) }
    }
  }
}

import Foundation
import Testing

@testable import UnderstudyFakeServer

/// What many requests at once, many clients at once, and many servers leave behind.
@Suite struct FairnessTests {
  private static let cases = #"""
    "ok": { "status": 200, "text": "0123456789" },
    "stepwise": { "like": "ok", "pace": { "chunks": 5, "over": "0s" } },
    "slow": { "like": "ok", "delay": { "fixed": "10s" } }
    """#

  private static func get(_ name: String = "ok") -> String {
    "GET /api/api/x HTTP/1.1\r\nHost: x\r\nPrefer: example=\(name)\r\n\r\n"
  }

  @Test("pipelined responses keep their order behind one that takes time")
  func order() async throws {
    try await WireServer.run(cases: Self.cases, isTimeStopped: true) { server in
      let client = try server.client()
      client.send(["ok", "slow", "stepwise", "slow", "ok"].map(Self.get).joined())
      for _ in 0..<3 { await server.advance(by: .seconds(10)) }
      client.shutWriting()
      let names = client.receiveAll().text.matches(of: /Understudy-Case: ([a-z]+)/).map { $0.1 }
      #expect(names == ["ok", "slow", "stepwise", "slow", "ok"])
    }
  }

  @Test("the end of what a client sends does not overtake what it sent ahead")
  func endBehindRequests() async throws {
    try await WireServer.run(cases: Self.cases) { server in
      let client = try server.client()
      let hold = server.upstream.hold("api/endpoint")
      client.send(String(repeating: Self.get(), count: 3))
      let held = try #require(await hold.next())
      await hold.end()
      // The release and the end come to the loop in one turn, in this order.
      let gate = DispatchSemaphore(value: 0)
      await withCheckedContinuation { continuation in
        server.loop.post { _ in
          continuation.resume()
          gate.wait()
        }
      }
      held.ticket.release(held.script) { _ in }
      client.shutWriting()
      gate.signal()
      #expect(client.receiveAll().text.components(separatedBy: "0123456789").count == 4)
    }
  }

  @Test("thousands of pipelined responses neither recurse nor keep others waiting")
  func thousands() async throws {
    try await WireServer.run(cases: Self.cases) { server in
      let greedy = try server.client()
      let count = 5_000
      greedy.send(String(repeating: Self.get("stepwise"), count: 600))
      #expect(await server.connections { $0.contains { !$0.input.isEmpty || $0.pending != nil } })
      let other = try server.client()
      other.send(Self.get())
      #expect(other.receive("9").hasPrefix("HTTP/1.1 200 OK\r\n"))
      var responded = 600
      while responded < count {
        responded += 200
        greedy.send(String(repeating: Self.get("stepwise"), count: 200))
      }
      greedy.shutWriting()
      let text = greedy.receiveAll().text
      #expect(text.components(separatedBy: "0123456789").count == responded + 1)
    }
  }

  @Test("one turn of a connection is bounded")
  func turn() async throws {
    try await WireServer.run(cases: Self.cases) { server in
      let client = try server.client()
      client.send(String(repeating: Self.get("stepwise"), count: 600))
      // The loop looks into its mailbox between any two responses: it sees the connection half
      // done.
      var isSeenUnderWay = false
      for _ in 0..<2_000 where !isSeenUnderWay {
        isSeenUnderWay =
          await server.loop.ask { loop in
            loop.connections.slots.contains { !loop.connections[$0].pointee.input.isEmpty }
          } ?? false
      }
      #expect(isSeenUnderWay)
      client.shutWriting()
      #expect(client.receiveAll().text.components(separatedBy: "0123456789").count == 601)
    }
  }

  @Test("a client beyond the limit is rejected, and there is room again when one leaves")
  func tooMany() async throws {
    try await WireServer.run(cases: Self.cases) {
      $0.limits.connectionCountMax = 2
    } test: { server in
      var clients = [try server.client(), try server.client()]
      for client in clients {
        client.send(Self.get())
        #expect(client.receive("9").hasPrefix("HTTP/1.1 200 OK\r\n"))
      }
      for _ in 0..<50 {
        let client = try server.client()
        client.send(Self.get())
        let (text, end) = client.receiveAll()
        #expect(text.hasPrefix("HTTP/1.1 503 Service Unavailable\r\n"))
        #expect(end == .closed)
      }
      clients.removeLast()
      #expect(await server.connections { $0.count == 1 })
      clients.append(try server.client())
      clients[1].send(Self.get())
      #expect(clients[1].receive("9").hasPrefix("HTTP/1.1 200 OK\r\n"))
    }
  }

  @Test("the limit of connections is each server's own")
  func ownLimit() async throws {
    let pool = LoopPool(loopCountMax: 1)
    var configuration = ServerConfiguration()
    configuration.limits.connectionCountMax = 1
    let library = try Stage.library(cases: Self.cases)
    var servers: [FakeServer] = []
    var clients: [WireClient] = []
    for _ in 0..<3 {
      let server = try await FakeServer.start(library, configuration: configuration, on: pool)
      let client = try WireClient(port: server.address.port)
      client.send(Self.get())
      #expect(client.receive("9").hasPrefix("HTTP/1.1 200 OK\r\n"))
      servers.append(server)
      clients.append(client)
    }
    for server in servers { #expect(await server.close() == 1) }
    pool.stop()
  }

  @Test("limits of messages are each server's own")
  func messageLimits() async throws {
    try await WireServer.run(cases: Self.cases) {
      $0.limits.message.bodyBytesMax = 5
    } test: { server in
      let client = try server.client()
      client.send("POST /api/api/x HTTP/1.1\r\nHost: x\r\nContent-Length: 6\r\n\r\n123456")
      #expect(client.receiveAll().text.hasPrefix("HTTP/1.1 413 Content Too Large\r\n"))
    }
  }

  @Test("events for a connection that is gone do not reach the next in its slot")
  func reusedSlots() throws {
    let library = try Stage.library(cases: Self.cases)
    let core = ServerCore(library, ServerConfiguration(), api: AdminAPI())
    let listener = PortServer(authority: "", core: core).listener(-1)
    var table = ConnectionTable()
    var tokens: Set<UInt64> = []
    for _ in 0..<1_000 {
      let slot = table.insert(Connection(descriptor: -1, listener: listener, now: 0))
      let token = table.token(of: slot)
      #expect(tokens.insert(token).inserted)
      #expect(token >> 62 == 0)
      #expect(table.slot(of: token) == slot)
      table.remove(slot)
      #expect(table.slot(of: token) == nil)
      #expect(table.find(slot) == nil)
    }
    #expect(table.slot(of: 1 << 40 | 9_999) == nil)
  }

  @Test("two loops share a port and response alike")
  func twoLoops() async throws {
    let pool = LoopPool(loopCountMax: 2)
    var configuration = ServerConfiguration()
    configuration.threadCount = 2
    let server = try await FakeServer.start(
      Stage.library(cases: Self.cases), configuration: configuration, on: pool)
    for _ in 0..<50 {
      let client = try WireClient(port: server.address.port)
      client.send(Self.get("stepwise") + Self.get())
      client.shutWriting()
      let (text, end) = client.receiveAll()
      #expect(text.components(separatedBy: "0123456789").count == 3)
      #expect(end == .closed)
    }
    await server.close()
    pool.stop()
  }

  @Test("a closed server's port is free and its clients are disconnected")
  func closed() async throws {
    try await WireServer.run(cases: Self.cases) { server in
      let clients = try (0..<5).map { _ in try server.client() }
      for client in clients {
        client.send(Self.get("ok") + Self.get("slow"))
        #expect(client.receive("9").hasPrefix("HTTP/1.1 200 OK\r\n"))
      }
      #expect(await server.upstream.close() == 5)
      for client in clients { #expect(client.receiveBytes().end != .stillOpen) }
      #expect(throws: WireError.self) { try server.client() }
      #expect(await server.upstream.close() == 0)
    }
  }
}

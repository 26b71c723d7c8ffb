import Testing
import UnderstudyHTTP
import UnderstudyJSON

@testable import UnderstudyFakeServer

/// `GET /events` over time: clients that return, are slow or gone, and the end of the server.
@Suite struct AdminEventFlowTests {
  private static let cases = #""ok": { "status": 200, "body": {} }"#

  private static func query(_ event: EventClient.Event?) -> String? {
    event?.data["query"]?.string
  }

  private static func send(_ queries: some Sequence<Int>, to server: FakeServer) throws {
    let client = try server.client()
    for number in queries { _ = try client.exchange("GET /api/api/x?\(number)") }
  }

  @Test("all listeners get all requests of all loops", arguments: [1, 2])
  func many(threads: Int) async throws {
    try await SmallServer.with(threads: threads) { (server) async throws in
      let listeners = try (0..<5).map { _ in try EventClient(server) }
      let clients = try (0..<4).map { _ in try server.client() }
      for number in 0..<100 {
        _ = try clients[number % 4].exchange("GET /shop/items?n=\(number)")
      }
      for listener in listeners {
        let events = try (0..<100).map { _ in try #require(try listener.next()) }
        #expect(Set(events.map { Self.query($0) }).count == 100)
        let first = events[0].id
        #expect(events.map(\.id) == Array(first..<first + 100))
      }
    }
  }

  @Test("a client that returns gets what it has missed")
  func returns() async throws {
    try await WireServer.run(cases: Self.cases) { server in
      let upstream = server.upstream
      let first = try EventClient(upstream)
      try Self.send(0..<3, to: upstream)
      let events = try (0..<3).map { _ in try #require(try first.next()) }
      first.client.vanish()
      #expect(await server.connections { $0.allSatisfy { $0.pending == nil } })
      try Self.send(3..<5, to: upstream)
      let second = try EventClient(upstream, after: events[1].id)
      try Self.send(5..<6, to: upstream)
      #expect(try (0..<4).map { _ in Self.query(try second.next()) } == ["2", "3", "4", "5"])
    }
  }

  @Test("a client that returns too late is told how much it has missed")
  func returnsTooLate() async throws {
    try await WireServer.run(cases: Self.cases) {
      $0.limits.events.countMax = 2
    } test: { server in
      let first = try EventClient(server.upstream)
      try Self.send(0..<1, to: server.upstream)
      let id = try #require(try first.next()?.id)
      try Self.send(1..<6, to: server.upstream)
      var last: EventClient.Event?
      while Self.query(last) != "5" { last = try first.next() }
      let second = try EventClient(server.upstream, after: id)
      let skipped = try #require(try second.next())
      #expect(skipped.text == #"skipped {"count":3}"#)
      #expect(skipped.id == id + 3)
      #expect(try (0..<2).map { _ in Self.query(try second.next()) } == ["4", "5"])
      // Its id stands for all that was skipped.
      let third = try EventClient(server.upstream, after: skipped.id)
      #expect(Self.query(try third.next()) == "4")
    }
  }

  @Test("after events that nobody has collected, the count is unknown")
  func unknown() async throws {
    try await WireServer.run(cases: Self.cases) {
      $0.limits.events.lingerMax = .zero
    } test: { server in
      let upstream = server.upstream
      let first = try EventClient(upstream)
      try Self.send(0..<1, to: upstream)
      let id = try #require(try first.next()?.id)
      first.client.vanish()
      #expect(await server.connections { $0.allSatisfy { $0.pending == nil } })
      try Self.send(1..<2, to: upstream)
      #expect(!upstream.core.events.isCollecting)
      // The same for the ids of a server that ran before, or none that was ever given.
      for id in [id, 7, .max] {
        let client = try EventClient(upstream, after: id)
        #expect(try client.next()?.text == #"skipped {"count":null}"#)
        try Self.send(2..<3, to: upstream)
        #expect(Self.query(try client.next()) == "2")
        client.client.vanish()
        #expect(await server.connections { $0.allSatisfy { $0.pending == nil } })
      }
    }
  }

  @Test("a client that does not read misses the oldest events, and is told how many")
  func slow() async throws {
    try await WireServer.run(cases: Self.cases) {
      $0.limits.events.countMax = 10
    } test: { server in
      let upstream = server.upstream
      let narrow = try WireClient(port: server.port, receiveBufferByteCount: 4_096)
      let slow = try EventClient(upstream, narrow)
      let quick = try EventClient(upstream)
      let client = try server.client()
      let body = String(repeating: "a", count: 60_000)
      var count = 0
      func send() throws {
        _ = try client.exchange("GET /api/api/x?\(count)", body: body)
        count += 1
        #expect(Self.query(try quick.next()) == "\(count - 1)")
      }
      while await server.loop.ask({ $0.hasBlockedClient }) == false { try send() }
      for _ in 0..<30 { try send() }
      var (heardCount, skippedCount) = (0, 0)
      while heardCount + skippedCount < count {
        let event = try #require(try slow.next())
        if event.name == "skipped" {
          skippedCount += event.data["count"]?.int ?? 0
        } else {
          #expect(Self.query(event) == "\(heardCount + skippedCount)")
          heardCount += 1
        }
      }
      #expect(skippedCount >= 10)
    }
  }

  @Test("a comment is sent while nothing happens")
  func heartbeat() async throws {
    try await WireServer.run(cases: Self.cases, isTimeStopped: true) { server in
      let listener = try EventClient(server.upstream)
      for _ in 0..<3 {
        await server.advance(by: .seconds(14))
        #expect(await listener.client.isSilent(on: server.upstream))
        await server.advance(by: .seconds(1))
        #expect(try listener.nextIsComment())
      }
      // Each event puts it off.
      await server.advance(by: .seconds(14))
      try Self.send(0..<1, to: server.upstream)
      #expect(Self.query(try listener.next()) == "0")
      await server.settle()
      await server.advance(by: .seconds(14))
      #expect(await listener.client.isSilent(on: server.upstream))
      await server.advance(by: .seconds(1))
      #expect(try listener.nextIsComment())
    }
  }

  @Test("a client that leaves is forgotten", arguments: [true, false])
  func leaves(suddenly: Bool) async throws {
    try await WireServer.run(cases: Self.cases) { server in
      let listener = try EventClient(server.upstream)
      if suddenly { listener.client.vanish() } else { listener.client.shutWriting() }
      #expect(await server.connections { $0.isEmpty })
      try Self.send(0..<1, to: server.upstream)
    }
  }

  @Test("the end of the server ends the events after the last", arguments: [true, false])
  func end(retires: Bool) async throws {
    try await WireServer.run(cases: Self.cases) { server in
      let listeners = try (0..<3).map { _ in try EventClient(server.upstream) }
      try Self.send(0..<20, to: server.upstream)
      if retires {
        await withCheckedContinuation { continuation in
          server.upstream.retire { continuation.resume() }
        }
      } else {
        await server.upstream.close()
      }
      for listener in listeners {
        for number in 0..<20 { #expect(Self.query(try listener.next()) == "\(number)") }
        #expect(try listener.next() == nil)
        #expect(listener.client.receiveAll() == ("", .closed))
      }
    }
  }

  @Test("an HTTP/1.0 client gets the events unframed, a HEAD none")
  func otherClients() async throws {
    try await WireServer.run(cases: Self.cases) { server in
      let head = try server.client()
      head.ask("HEAD /__understudy/events", host: "\(server.upstream.address)")
      #expect(head.receive("\r\n\r\n").hasPrefix("HTTP/1.1 200 OK\r\n"))
      let old = try server.client()
      old.send("GET /__understudy/events HTTP/1.0\r\nHost: \(server.upstream.address)\r\n\r\n")
      #expect(old.receive("\r\n\r\n").contains("\r\nConnection: close"))
      server.upstream.use("ok", for: "api/endpoint")
      #expect(old.receive("\n\n").hasPrefix("id: "))
      await server.upstream.close()
      #expect(old.receiveAll() == ("", .closed))
    }
  }

  @Test("a queue drops the oldest beyond its number or size, and never the newest")
  func queue() {
    var queue = BoundedQueue<Int>(countMax: 3, byteCountMax: 10)
    for number in 0..<200 { queue.append(number, byteCount: 1) }
    #expect(Array(queue) == [197, 198, 199])
    queue.append(200, byteCount: 9)
    #expect(Array(queue) == [199, 200])
    queue.append(201, byteCount: 11)
    #expect(Array(queue) == [201])
    queue.append(202, byteCount: 1)
    #expect(queue.takeFirst(5) == [202])
    #expect(queue.isEmpty)
  }
}

extension Loop {
  /// Whether some client has no room for what is sent to it.
  fileprivate var hasBlockedClient: Bool {
    connections.slots.contains { !connections[$0].pointee.output.isEmpty }
  }
}

import Synchronization
import Testing

@testable import UnderstudyFakeServer

@Suite struct HoldTests {
  @Test("held responses are sent when the test releases them, in any order", arguments: [1, 2])
  func order(threads: Int) async throws {
    try await SmallServer.with(threads: threads) { (server) async throws in
      let hold = server.hold("shop/items")
      let clients = try (0..<3).map { _ in try server.client() }
      var held: [WaitingResponse] = []
      for (number, client) in clients.enumerated() {
        client.ask("GET /shop/items?n=\(number)")
        held.append(try #require(await hold.next()))
      }
      #expect(held.map(\.request.query) == ["n=0", "n=1", "n=2"])
      for client in clients { #expect(await client.isSilent(on: server)) }
      for number in [2, 0, 1] {
        #expect(await held[number].release())
        #expect(try clients[number].response().text == "[1,2]")
      }
    }
  }

  @Test("other contracts and other sessions do not wait")
  func others() async throws {
    try await SmallServer.with { (server) async throws in
      let hold = server.hold("shop/items", session: "a")
      let client = try server.client()
      #expect(try client.exchange("GET /shop/items").status == 200)
      #expect(try client.exchange("POST /~a/shop/items").status == 201)
      client.ask("GET /~a/shop/items")
      #expect(await hold.next()?.release() == true)
      #expect(try client.response().status == 200)
    }
  }

  @Test("a response is released once")
  func once() async throws {
    try await SmallServer.with { (server) async throws in
      let hold = server.hold("shop/items")
      let client = try server.client()
      client.ask("GET /shop/items")
      let first = try #require(await hold.next())
      #expect(await first.release())
      #expect(try client.response().status == 200)
      // The connection waits again, for another response.
      client.ask("GET /shop/items")
      let second = try #require(await hold.next())
      #expect(await first.release() == false)
      #expect(await client.isSilent(on: server))
      #expect(await second.release())
      #expect(try client.response().status == 200)
    }
  }

  @Test("a client that leaves meanwhile is recorded, and its response is dropped")
  func clientLeaves() async throws {
    try await SmallServer.with { (server) async throws in
      let hold = server.hold("shop/items")
      let client = try server.client()
      client.ask("GET /shop/items")
      let held = try #require(await hold.next())
      #expect(held.request.outcome == .held)
      client.shutWriting()
      // The server closes as soon as it has noticed.
      let end = client.receiveAll()
      #expect(end.text == "")
      #expect(await held.release() == false)
      #expect(await server.journal().map(\.outcome) == [.clientLeft])
    }
  }

  @Test("what was sent ahead of a held response is served after it")
  func pipelined() async throws {
    try await SmallServer.with { (server) async throws in
      let hold = server.hold("shop/items")
      let client = try server.client()
      client.send(
        "GET /shop/items HTTP/1.1\r\nHost: x\r\n\r\n"
          + "POST /shop/items HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
      #expect(await hold.next()?.release() == true)
      let (text, end) = client.receiveAll()
      #expect(text.hasPrefix("HTTP/1.1 200 OK\r\n"))
      #expect(text.contains("[1,2]HTTP/1.1 201 Created\r\n"))
      #expect(end == .closed)
    }
  }

  @Test("a held reset is a reset once it is released")
  func fault() async throws {
    try await SmallServer.with { (server) async throws in
      server.use("reset", for: "shop/items")
      let hold = server.hold("shop/items")
      let client = try server.client()
      client.ask("GET /shop/items")
      #expect(await hold.next()?.release() == true)
      #expect(client.receiveAll().end == .reset)
    }
  }

  @Test("closing the server ends held responses and waiting tasks", arguments: [1, 2])
  func close(threads: Int) async throws {
    try await SmallServer.with(threads: threads) { (server) async throws in
      let hold = server.hold("shop/items")
      let client = try server.client()
      client.ask("GET /shop/items")
      let held = try #require(await hold.next())
      async let next = hold.next()
      async let request = server.nextRequest()
      _ = await request
      async let another = server.nextRequest()
      #expect(await server.close() == 1)
      #expect(await next == nil)
      #expect(await another == nil)
      #expect(await held.release() == false)
      #expect(client.receiveAll().text == "")
    }
  }

  @Test("a reset of the server cuts off held and delayed responses")
  func reset() async throws {
    try await SmallServer.with { (server) async throws in
      let hold = server.hold("shop/items")
      let clients = try (0..<2).map { _ in try server.client() }
      clients[0].ask("GET /shop/items")
      let held = try #require(await hold.next())
      clients[1].ask("GET /~a/shop/items", ["Prefer: example=slow"])
      _ = await server.nextRequest(JournalQuery { $0.session = "a" })
      await server.reset(session: "")
      #expect(clients[0].receiveAll().text == "")
      #expect(await clients[1].isSilent(on: server))
      await server.reset()
      #expect(clients[1].receiveAll().text == "")
      #expect(await held.release() == false)
      #expect(await server.journal().isEmpty)
      #expect(try server.client().exchange("GET /shop/items").status == 200)
    }
  }

  @Test("a reset of one session cuts off its responses even when the request log has dropped them")
  func resetForgotten() async throws {
    try await SmallServer.with { (server) async throws in
      let client = try server.client()
      client.ask("GET /~a/shop/items", ["Prefer: example=slow"])
      _ = await server.nextRequest()
      #expect(try server.admin("DELETE", "/journal").status == 204)
      await server.reset(session: "b")
      #expect(await client.isSilent(on: server))
      await server.reset(session: "a")
      let (text, end) = client.receiveAll()
      #expect(text == "")
      #expect(end == .closed)
    }
  }

  @Test("a held response of a stopping server is cut off, and reported")
  func retired() async throws {
    let told = Mutex<[JournalRecord.Outcome]>([])
    try await SmallServer.with {
      $0.listener = { exchanges in told.withLock { $0 += exchanges.map(\.record.outcome) } }
    } _: { (server) async throws in
      let hold = server.hold("shop/items")
      let client = try server.client()
      client.ask("GET /shop/items")
      let held = try #require(await hold.next())
      await withCheckedContinuation { continuation in
        server.retire { continuation.resume() }
      }
      #expect(client.receiveAll().text == "")
      #expect(await held.release() == false)
      #expect(await server.journal().map(\.outcome) == [.cancelled])
    }
    #expect(told.withLock { $0 } == [.cancelled])
  }

  @Test("the end of a hold releases responses not taken and lets later requests pass")
  func end() async throws {
    try await SmallServer.with { (server) async throws in
      let hold = server.hold("shop/items")
      let client = try server.client()
      client.ask("GET /shop/items")
      _ = await server.nextRequest()
      await hold.end()
      #expect(try client.response().status == 200)
      #expect(try client.exchange("GET /shop/items").status == 200)
      #expect(await hold.next() == nil)
    }
  }

  @Test("a task that is cancelled waits no longer")
  func cancelled() async throws {
    try await SmallServer.with { (server) async throws in
      let hold = server.hold("shop/items")
      let tasks = [
        Task { await hold.next() == nil }, Task { await server.nextRequest() == nil },
      ]
      for task in tasks {
        task.cancel()
        #expect(await task.value)
      }
    }
  }

  @Test("a session that is forgotten leaves nothing behind")
  func forget() async throws {
    try await SmallServer.with { (server) async throws in
      let client = try server.client()
      client.ask("GET /~a/shop/items", ["Prefer: example=slow"])
      _ = await server.nextRequest(JournalQuery { $0.session = "a" })
      server.use("slow", for: "shop/items", session: "a")
      #expect(try server.client().exchange("GET /~b/shop/items").status == 200)
      await server.forget(session: "a")
      #expect(client.receiveAll().text == "")
      #expect(await server.journal().map(\.session) == ["b"])
      #expect(try server.client().exchange("GET /~a/shop/items").status == 200)
      #expect(await server.journal(JournalQuery { $0.session = "a" }).map(\.reason) == [.byDefault])
    }
  }
}

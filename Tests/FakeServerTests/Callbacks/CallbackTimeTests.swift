import Testing
import UnderstudyContractModel

@testable import UnderstudyFakeServer

/// When callbacks are sent.
@Suite struct CallbackTimeTests {
  private static let cases = #"""
    "soon": { "status": 204, "callbacks": {
      "a": { "url": "http://127.0.0.1:1/a", "delay": { "fixed": "2s" } },
      "b": { "url": "http://127.0.0.1:1/b", "delay": { "fixed": "1s" } },
      "c": { "url": "http://127.0.0.1:1/c" } } },
    "slow": { "status": 200, "text": "x", "delay": { "fixed": "10s" }, "callbacks": {
      "d": { "url": "http://127.0.0.1:1/d", "delay": { "uniform": ["1s", "1s"] } } } },
    "broken": { "fault": "CONNECTION_RESET_BY_PEER", "callbacks": {
      "e": { "url": "http://127.0.0.1:1/e" } } },
    "stalled": { "status": 200, "text": "xyz", "stall": { "atByte": 1 }, "callbacks": {
      "f": { "url": "http://127.0.0.1:1/f" } } }
    """#

  private func with(_ test: (WireServer, NotedCallbacks) async throws -> Void) async throws {
    let callbacks = NotedCallbacks()
    try await WireServer.run(cases: Self.cases, isTimeStopped: true) {
      $0.callbackSender = callbacks
    } test: { server in
      try await test(server, callbacks)
    }
  }

  private static func request(_ name: String) -> String {
    "GET /api/api/x HTTP/1.1\r\nHost: localhost\r\nPrefer: example=\(name)\r\n\r\n"
  }

  @Test("a delay begins with the end of the response")
  func delays() async throws {
    try await with { server, callbacks in
      let client = try server.client()
      client.send(Self.request("soon"))
      _ = client.receive("\r\n\r\n")
      #expect(await callbacks.sent(1) == ["POST http://127.0.0.1:1/c "])
      await server.advance(by: .milliseconds(999))
      await server.advance(by: .milliseconds(1))
      #expect(await callbacks.sent(2).last == "POST http://127.0.0.1:1/b ")
      await server.advance(by: .seconds(1))
      #expect(await callbacks.sent(3).last == "POST http://127.0.0.1:1/a ")
      await server.upstream.callbacksEnded()
      let attempts = try #require(await server.upstream.journal().first?.callbacks)
      #expect(attempts.map(\.outcome) == [.responded, .responded, .responded])
    }
  }

  @Test("a callback follows a slow response, and one whose client has left")
  func slow() async throws {
    try await with { server, callbacks in
      let client = try server.client()
      client.send(Self.request("slow"))
      await server.settle()
      #expect(await server.connections { $0.count == 1 })
      client.vanish()
      #expect(await server.connections { $0.isEmpty })
      await server.advance(by: .seconds(1))
      #expect(await callbacks.sent(1) == ["POST http://127.0.0.1:1/d "])
    }
  }

  @Test("a callback follows a broken response", arguments: [("broken", "e"), ("stalled", "f")])
  func broken(_ name: String, _ path: String) async throws {
    try await with { server, callbacks in
      let client = try server.client()
      client.send(Self.request(name))
      #expect(await callbacks.sent(1) == ["POST http://127.0.0.1:1/\(path) "])
    }
  }

  @Test("the end of the server cancels callbacks that wait")
  func ended() async throws {
    try await with { server, callbacks in
      let client = try server.client()
      client.send(Self.request("soon"))
      _ = client.receive("\r\n\r\n")
      _ = await callbacks.sent(1)
      await server.upstream.close()
      let attempts = try #require(await server.upstream.journal().first?.callbacks)
      #expect(attempts.prefix(2).map(\.outcome) == [.cancelled, .cancelled])
      #expect(callbacks.sent.count == 1)
    }
  }
}

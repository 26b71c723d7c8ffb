import Foundation
import Testing

@testable import UnderstudyFakeServer

/// No response is lost to a reset nobody asked for, and one that was asked for comes last.
struct ClosingTests {
  private static let half = 700_000
  private static let cases = #"""
    "ok": { "status": 200, "text": "0123456789" },
    "empty": { "fault": "EMPTY_RESPONSE" },
    "reset": { "fault": "CONNECTION_RESET_BY_PEER" },
    "reset-in-body": { "status": 200, "file": "big",
                       "fault": "CONNECTION_RESET_IN_BODY" },
    "closed-in-body": { "status": 200, "file": "big",
                        "fault": "CONNECTION_CLOSED_IN_BODY" }
    """#

  private static func get(_ name: String = "ok", _ lines: String = "") -> String {
    "GET /api/api/x HTTP/1.1\r\nHost: x\r\nPrefer: example=\(name)\r\n\(lines)\r\n"
  }

  struct Refused: CustomTestStringConvertible {
    let request: String
    let response: String
    var testDescription: String { response }
  }

  static let refused = [
    Refused(
      request: get("ok", "Content-Length: 20000000\r\n"), response: "HTTP/1.1 413 Content Too Large"
    ),
    Refused(request: "GET /api/api/x HTTP/1.1\r\n\r\n", response: "HTTP/1.1 400 Bad Request"),
    Refused(
      request: "GET /\(String(repeating: "x", count: 9_000)) HTTP/1.1\r\nHost: x\r\n\r\n",
      response: "HTTP/1.1 414 URI Too Long"),
    Refused(request: get("ok", "Connection: close\r\n"), response: "HTTP/1.1 200 OK"),
    Refused(request: get("empty"), response: ""),
  ]

  @Test(
    "megabytes sent after a request that ends the connection do not cost its response",
    arguments: refused)
  func flood(refused: Refused) async throws {
    let megabyte = [UInt8](repeating: 120, count: 1 << 20)
    try await WireServer.run(cases: Self.cases, bigByteCount: Self.half * 2) { server in
      for _ in 0..<3 {
        let client = try server.client()
        client.send(refused.request)
        for _ in 0..<20 { #expect(client.send(megabyte)) }
        client.shutWriting()
        let (text, end) = client.receiveAll()
        #expect(text.prefix { $0 != "\r\n" } == refused.response)
        #expect(end == .closed)
      }
      #expect(await server.connections { $0.isEmpty })
    }
  }

  @Test("a client that floods forever is drained only up to a limit")
  func endlessFlood() async throws {
    let megabyte = [UInt8](repeating: 120, count: 1 << 20)
    try await WireServer.run(cases: Self.cases, bigByteCount: Self.half * 2) {
      $0.limits.message.drainBytesMax = 4 << 20
    } test: { server in
      let client = try server.client()
      client.send("GET /api/api/x HTTP/1.1\r\n\r\n")
      var sentCount = 0
      while sentCount < 1_000, client.send(megabyte) { sentCount += 1 }
      #expect(sentCount < 100)
      #expect(await server.connections { $0.isEmpty })
    }
  }

  @Test("a client that does not leave after the last response is disconnected in the end")
  func drainTime() async throws {
    try await WireServer.run(cases: Self.cases, bigByteCount: Self.half * 2, isTimeStopped: true) {
      server in
      let client = try server.client()
      client.send(Self.get("ok", "Connection: close\r\n"))
      #expect(client.receiveAll().end == .closed)
      await server.advance(by: .milliseconds(1_999))
      #expect(await server.connectionCount == 1)
      await server.advance(by: .milliseconds(2))
      #expect(await server.connections { $0.isEmpty })
    }
  }

  @Test(
    "the promised half arrives before the reset, however slowly it is read",
    arguments: [nil, 4_096 as Int32?])
  func resetInBody(receiveBufferByteCount: Int32?) async throws {
    try await WireServer.run(cases: Self.cases, bigByteCount: Self.half * 2) { server in
      for _ in 0..<5 {
        let client = try WireClient(
          port: server.port, receiveBufferByteCount: receiveBufferByteCount)
        client.send(Self.get("reset-in-body"))
        let (text, end) = client.receiveAll()
        #expect(text.contains("\r\nContent-Length: \(Self.half * 2)\r\n"))
        #expect(text.components(separatedBy: "\r\n\r\n").last?.utf8.count == Self.half)
        #expect(end == .reset)
      }
    }
  }

  @Test("a client that never reads is reset all the same")
  func resetUnread() async throws {
    try await WireServer.run(cases: Self.cases, bigByteCount: Self.half * 2, isTimeStopped: true) {
      server in
      let client = try WireClient(port: server.port, receiveBufferByteCount: 4_096)
      client.send(Self.get("ok") + Self.get("reset-in-body"))
      // The kernel takes all of the half, or not.
      #expect(
        await server.connections {
          $0.contains { $0.phase == .resetting || !$0.output.isEmpty }
        })
      // The kernel may have gone on to deliver for a moment, which counts as progress.
      for _ in 0..<3 { await server.advance(by: .seconds(76)) }
      #expect(await server.connections { $0.isEmpty })
      #expect(client.receiveAll().end != .stillOpen)
    }
  }

  @Test("responses before a reset arrive")
  func resetAfterResponses() async throws {
    try await WireServer.run(cases: Self.cases, bigByteCount: Self.half * 2) { server in
      for _ in 0..<20 {
        let client = try server.client()
        client.send(Self.get() + Self.get() + Self.get("reset"))
        let (text, end) = client.receiveAll()
        #expect(text.components(separatedBy: "0123456789").count == 3)
        #expect(end == .reset)
      }
    }
  }

  @Test("a body cut short ends with the end of the connection")
  func closedInBody() async throws {
    try await WireServer.run(cases: Self.cases, bigByteCount: Self.half * 2) { server in
      let client = try server.client()
      client.send(Self.get("closed-in-body"))
      let (text, end) = client.receiveAll()
      #expect(text.components(separatedBy: "\r\n\r\n").last?.utf8.count == Self.half)
      #expect(end == .closed)
    }
  }
}

import Foundation
import Testing

@testable import UnderstudyFakeServer

/// Clients that take their time, or all of ours.
struct SlowClientTests {
  private static let bodyByteCount = 8 << 20
  private static let cases = #"""
    "ok": { "status": 200, "text": "0123456789" },
    "slow": { "like": "ok", "delay": { "fixed": "10s" } },
    "paced": { "like": "ok", "pace": { "chunks": 5, "over": "10s" } },
    "stalled": { "like": "ok", "stall": { "atByte": 3 } },
    "big": { "status": 200, "file": "big" }
    """#
  private static let request = "GET /api/api/x HTTP/1.1\r\nHost: x\r\n\r\n"

  private static func get(_ name: String) -> String {
    "GET /api/api/x HTTP/1.1\r\nHost: x\r\nPrefer: example=\(name)\r\n\r\n"
  }

  private func run(
    bigByteCount: Int = 0, _ test: (WireServer) async throws -> Void
  ) async throws {
    try await WireServer.run(
      cases: Self.cases, bigByteCount: bigByteCount, isTimeStopped: true
    ) {
      $0.limits.idleMax = .seconds(20)
    } test: { server in
      try await test(server)
    }
  }

  @Test("a head that comes byte by byte is served when it is complete")
  func byteByByte() async throws {
    try await run { server in
      let client = try server.client()
      for byte in Self.request.utf8 {
        #expect(await client.isSilent(on: server.upstream))
        client.send([byte])
        await server.settle()
      }
      #expect(client.receive("0123456789").hasPrefix("HTTP/1.1 200 OK\r\n"))
    }
  }

  @Test(
    "a request that is not complete in time gets a response that says so",
    arguments: [
      "G", "GET /api/api/x HTTP/1.1\r\nHost: x\r\n",
      "POST /api/api/x HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\n",
      "POST /api/api/x HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\n12345678",
      request + "GET /api",
    ])
  func tooSlow(start: String) async throws {
    try await run { server in
      let client = try server.client()
      client.send(start)
      #expect(await server.connections { $0.contains { $0.isRequestUnderWay } })
      await server.advance(by: .seconds(29))
      #expect(await server.connections { $0.contains { $0.phase == .reading } })
      await server.advance(by: .milliseconds(1_001))
      let (text, end) = client.receiveAll()
      #expect(text.contains("HTTP/1.1 408 Request Timeout\r\n"))
      #expect(text.contains("the request did not arrive in time"))
      #expect(end == .closed)
    }
  }

  @Test("a client without a request is disconnected, new or not", arguments: ["", request])
  func idle(start: String) async throws {
    try await run { server in
      let client = try server.client()
      #expect(await server.connections { $0.count == 1 })
      await server.advance(by: .seconds(5))
      client.send(start)
      if !start.isEmpty { #expect(client.receive("9").hasPrefix("HTTP/1.1 200 OK\r\n")) }
      await server.advance(by: .seconds(start.isEmpty ? 14 : 19))
      #expect(await client.isSilent(on: server.upstream))
      await server.advance(by: .milliseconds(1_001))
      #expect(client.receiveBytes().end == .closed)
    }
  }

  @Test("a request that arrived in pieces does not leave a longer time-out")
  func idleAfterPieces() async throws {
    try await run { server in
      let client = try server.client()
      client.send("G")
      #expect(await server.connections { $0.contains { $0.isRequestUnderWay } })
      client.send(String(Self.request.dropFirst()))
      #expect(client.receive("9").hasPrefix("HTTP/1.1 200 OK\r\n"))
      await server.advance(by: .milliseconds(20_001))
      #expect(client.receiveBytes().end == .closed)
    }
  }

  @Test("a delay begins with its request and ends at its millisecond")
  func delay() async throws {
    try await run { server in
      let client = try server.client()
      client.send(Self.get("slow"))
      #expect(await server.connections { $0.contains { $0.pending != nil } })
      await server.advance(by: .milliseconds(9_999))
      #expect(await client.isSilent(on: server.upstream))
      await server.advance(by: .milliseconds(1))
      #expect(client.receive("9").hasSuffix("\r\n\r\n0123456789"))
    }
  }

  @Test("a paced body comes piece by piece")
  func paced() async throws {
    try await run { server in
      let client = try server.client()
      client.send(Self.get("paced"))
      #expect(client.receive("\r\n\r\n").hasPrefix("HTTP/1.1 200 OK\r\n"))
      for piece in ["01", "23", "45", "67", "89"] {
        await server.advance(by: .milliseconds(1_999))
        #expect(await client.isSilent(on: server.upstream))
        await server.advance(by: .milliseconds(1))
        #expect(client.receive(piece) == piece)
      }
    }
  }

  @Test("a client that does not read uses one response's memory, and is disconnected in the end")
  func neverReads() async throws {
    try await run(bigByteCount: Self.bodyByteCount) { server in
      let client = try server.client()
      client.send(String(repeating: Self.get("big"), count: 100))
      #expect(await server.connections { $0.contains { !$0.output.isEmpty } })
      await server.settle()
      #expect(
        await server.connections {
          $0.allSatisfy { $0.output.count <= Self.bodyByteCount + 1_000 && $0.input.count < 65_536 }
        })
      // The kernel may have gone on to deliver for a moment, which counts as progress.
      for _ in 0..<3 { await server.advance(by: .milliseconds(20_001)) }
      #expect(await server.connections { $0.isEmpty })
    }
  }

  @Test("a client that reads slowly gets all of it, for as long as it takes")
  func readsSlowly() async throws {
    try await run(bigByteCount: Self.bodyByteCount) { server in
      let client = try WireClient(port: server.port, receiveBufferByteCount: 1_500_000)
      client.send(
        "GET /api/api/x HTTP/1.1\r\nHost: x\r\nConnection: close\r\nPrefer: example=big\r\n\r\n")
      var byteCount = 0
      var passed = Duration.zero
      while true {
        let (bytes, end) = client.receiveBytes()
        byteCount += bytes.count
        if end != nil { break }
        // Far longer in all than the idle time-out, but never without progress.
        if passed < .seconds(120), byteCount < Self.bodyByteCount / 2 {
          await server.advance(by: .seconds(2))
          passed += .seconds(2)
        }
      }
      #expect(passed > .seconds(60))
      #expect(byteCount > Self.bodyByteCount)
    }
  }

  @Test("a delayed response behind one that is read late is not forgotten")
  func delayedBehindBlocked() async throws {
    try await run(bigByteCount: Self.bodyByteCount) { server in
      let client = try server.client()
      client.send(Self.get("big") + Self.get("slow"))
      #expect(await server.connections { $0.contains { !$0.output.isEmpty } })
      await server.advance(by: .seconds(15))
      var byteCount = 0
      while byteCount < Self.bodyByteCount { byteCount += client.receiveBytes().bytes.count }
      #expect(
        await server.connections { $0.contains { $0.output.isEmpty && $0.pending != nil } })
      await server.advance(by: .seconds(10))
      #expect(client.receive("0123456789").hasSuffix("0123456789"))
    }
  }

  @Test(
    "a client that shuts its side still gets what it asked for", arguments: ["ok", "slow", "paced"])
  func halfClose(name: String) async throws {
    try await run { server in
      let client = try server.client()
      client.send(Self.get(name) + Self.get("slow") + Self.get("ok"))
      client.shutWriting()
      #expect(await server.connections { $0.contains { $0.pending != nil } })
      for _ in 0..<25 { await server.advance(by: .seconds(1)) }
      let (text, end) = client.receiveAll()
      #expect(text.components(separatedBy: "0123456789").count == 4)
      #expect(end == .closed)
    }
  }

  @Test(
    "a client that disconnects from a stall is released, with requests sent ahead or not",
    arguments: ["", request])
  func hangsUpOnStall(ahead: String) async throws {
    try await run { server in
      let client = try server.client()
      client.send(Self.get("stalled") + ahead)
      #expect(client.receive("012").hasSuffix("\r\n\r\n012"))
      client.send(ahead)
      client.shutWriting()
      #expect(await server.connections { $0.isEmpty })
      #expect(client.receiveAll().end != .stillOpen)
    }
  }

  @Test(
    "a client that vanishes is noticed, whatever it was sent",
    arguments: ["slow", "paced", "stalled", "big"])
  func vanishes(name: String) async throws {
    try await run(bigByteCount: Self.bodyByteCount) { server in
      for ahead in ["", Self.request] {
        let client = try server.client()
        client.send(Self.get(name) + ahead)
        #expect(
          await server.connections { $0.contains { $0.pending != nil || !$0.output.isEmpty } })
        client.send(ahead)
        client.vanish()
        #expect(await server.connections { $0.isEmpty })
      }
    }
  }

  @Test("a client that shuts its side during a delay does not keep the loop busy")
  func noSpin() async throws {
    try await run { server in
      let client = try server.client()
      client.send(Self.get("slow"))
      #expect(await server.connections { $0.contains { $0.pending != nil } })
      client.send(Self.request)
      client.shutWriting()
      #expect(await server.connections { $0.contains { $0.hasHungUp } })
      #expect(await server.connections { $0.allSatisfy { $0.watched == [] } })
    }
  }
}

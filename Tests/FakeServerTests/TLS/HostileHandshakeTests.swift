import Synchronization
import Testing
import UnderstudyCore
import UnderstudyTLS

@testable import UnderstudyFakeServer

/// Clients that begin TLS and do not go on as agreed.
struct HostileHandshakeTests {
  private static let cases = #""ok": { "status": 200, "text": "0123456789" }"#

  private func run(
    isTimeStopped: Bool = false, _ test: (WireServer, @Sendable () -> [String]) async throws -> Void
  ) async throws {
    let words = Mutex<[String]>([])
    let certificates = try ServerCertificates(TLSAuthority(for: [], at: .now))
    try await WireServer.run(cases: Self.cases, isTimeStopped: isTimeStopped) {
      $0.certificates = certificates
      $0.listener = { batch in
        words.withLock { words in
          for exchange in batch {
            if case .server(let reason, _) = exchange.source { words.append(reason) }
          }
        }
      }
    } test: { server in
      try await test(server) { words.withLock { $0 } }
    }
  }

  @Test(
    "a handshake that is nonsense ends with an alert, and a line that says so",
    arguments: [
      [22, 3, 1, 0, 5, 9, 9, 9, 9, 9], [22, 9, 9, 0, 1, 1],
      [22, 3, 1, 255, 255] + [UInt8](repeating: 1, count: 40_000),
    ])
  func nonsense(bytes: [UInt8]) async throws {
    try await run { server, words in
      let client = try server.client()
      client.send(bytes)
      client.shutWriting()
      let (received, end) = client.receiveAllBytes()
      #expect(received.first == 21 || received.isEmpty, "\(received)")
      #expect(end == .closed || end == .reset)
      await server.settle()
      let found = words()
      #expect(
        found.count == 1 && found.allSatisfy { $0.hasPrefix("a client failed to begin TLS: ") })
      let other = try server.client()
      other.send("GET /api/api/x HTTP/1.1\r\nHost: x\r\n\r\n")
      #expect(other.receive("0123456789").hasPrefix("HTTP/1.1 200 OK\r\n"))
    }
  }

  @Test("a handshake has the time of a request")
  func stalls() async throws {
    try await run(isTimeStopped: true) { server, words in
      let client = try server.client()
      client.send([22, 3, 1])
      #expect(await server.connections { $0.contains { $0.tls != nil } })
      await server.advance(by: .seconds(29))
      #expect(await server.connectionCount == 1)
      await server.advance(by: .seconds(1))
      #expect(client.receiveAllBytes().end == .closed)
      #expect(words() == ["a client failed to begin TLS: it took too long"])
    }
  }

  @Test("a first byte that is not TLS's is HTTP's", arguments: [21, 23, 128, 0] as [UInt8])
  func otherBytes(byte: UInt8) async throws {
    try await run { server, _ in
      let client = try server.client()
      client.send([byte, 3, 1, 13, 10, 13, 10])
      #expect(client.receiveAll().text.hasPrefix("HTTP/1.1 400 "))
    }
  }
}

import Synchronization
import Testing
import UnderstudyCore
import UnderstudyTestSupport

@testable import UnderstudyFakeServer

/// What a server says of handshakes that did not succeed.
struct HandshakeReportTests {
  private static let files = [
    "shop/upstream.json": #"{ "summary": "A shop", "baseURL": "https://shop.example" }"#,
    "shop/items.json": #"""
    { "request": { "method": "GET", "path": "/items" },
      "cases": {
        "ok": { "status": 200 },
        "expired": { "fault": "TLS_EXPIRED" },
        "aborted": { "fault": "TLS_HANDSHAKE_ABORTED" },
        "old-protocol": { "fault": "TLS_OLD_PROTOCOL" } } }
    """#,
  ]

  private func words(
    hosts: [String] = ["shop.example"], of test: (SecureServer) async throws -> Void
  ) async throws -> [String] {
    let words = Mutex<[String]>([])
    try await SecureServer.with(Self.files, hosts: hosts) {
      $0.listener = { batch in
        for exchange in batch {
          if case .server(let reason, _) = exchange.source { words.withLock { $0.append(reason) } }
        }
      }
    } _: { secure in
      try await test(secure)
      // What was said in a turn is passed on at its end.
      for _ in 0..<4 { _ = await secure.server.journal() }
    }
    return words.withLock { $0 }
  }

  @Test("a host that no upstream has")
  func unknownHost() async throws {
    let words = try await words { _ = try await $0.openssl("-servername evil.example") }
    #expect(
      words == [#"a client failed to begin TLS for "evil.example": no upstream has this host"#])
  }

  @Test("a host that the authority does not sign for")
  func unsignedHost() async throws {
    let words = try await words(hosts: []) { _ = try await $0.openssl("-servername shop.example") }
    #expect(
      words == [
        #"a client failed to begin TLS for "shop.example": "#
          + "the authority does not sign for this host"
      ])
  }

  @Test("a handshake that a case breaks, once", arguments: ["aborted", "old-protocol"])
  func broken(name: String) async throws {
    let words = try await words { secure in
      secure.server.use(name, for: "shop/items")
      _ = try await secure.openssl("-servername shop.example")
    }
    #expect(words == ["shop/items#\(name) breaks the handshake"])
  }

  @Test("a client that does not know the authority", arguments: ["-tls1_2", "-tls1_3"])
  func unknownAuthority(version: String) async throws {
    let words = try await words { secure in
      _ = try await Program.output(
        of: "openssl s_client -connect 127.0.0.1:\(secure.port) \(version) -verify_return_error"
          + " </dev/null 2>&1")
    }
    #expect(
      words == [
        "a client failed to begin TLS: the client refuses our authority (tlsv1 alert unknown ca)"
      ])
  }

  @Test("a client that is asked for another key meets one step of a script")
  func repeatedHello() async throws {
    let words = try await words { secure in
      secure.server.use(["expired", "aborted", "ok"], for: "shop/items")
      let client = try WireClient(port: secure.port)
      client.send(Self.hello(withKey: false))
      // The server asks for a key, and is given one.
      #expect(client.receiveBytes().bytes.first == 22)
      client.send(Self.hello(withKey: true))
      #expect(client.receiveBytes().bytes.first == 22)
      #expect(secure.server.brokenHandshakeCount(session: "") == 1)
    }
    #expect(words == ["shop/items#expired breaks the handshake"])
  }

  /// A ClientHello of TLS 1.3 (RFC 8446, section 4.1.2) to shop.example, by X25519.
  private static func hello(withKey: Bool) -> [UInt8] {
    func sized(_ bytes: [UInt8]) -> [UInt8] {
      [UInt8(bytes.count >> 8), UInt8(bytes.count & 255)] + bytes
    }
    func field(_ kind: UInt8, _ bytes: [UInt8]) -> [UInt8] { [0, kind] + sized(bytes) }
    let x25519: [UInt8] = [0, 29]
    let key = x25519 + sized([9] + [UInt8](repeating: 0, count: 31))
    let fields =
      field(0, sized([0] + sized(Array("shop.example".utf8)))) + field(10, sized(x25519))
      + field(13, sized([4, 3])) + field(43, [2, 3, 4]) + field(51, sized(withKey ? key : []))
    let message =
      [3, 3] + [UInt8](repeating: 7, count: 32) + [0] + sized([0x13, 1]) + [1, 0] + sized(fields)
    return [22, 3, 1] + sized([1, 0] + sized(message))
  }
}

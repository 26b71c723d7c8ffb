import Testing
import UnderstudyClient
import UnderstudyCore
import UnderstudyTestSupport

@testable import UnderstudyFakeServer

@Suite("A server with certificates")
struct SecureServingTests {
  private static let request = ["GET /shop/items HTTP/1.1", "Host: localhost"]
  private static let last = request + ["Connection: close", ""]

  @Test("responds to HTTPS and HTTP on one port")
  func respondsToBoth() async throws {
    try await SecureServer.with { secure in
      let response = try await secure.get("/shop/items")
      #expect(response.status == 200)
      #expect(response.body == Array("[1,2]".utf8))
      let plain = try WireClient(port: secure.port)
      plain.ask("GET /shop/items")
      let received = try plain.response()
      #expect(received.body == Array("[1,2]".utf8))
      let entries = await secure.server.journal()
      #expect(entries.map(\.record.isSecure) == [true, false])
    }
  }

  @Test(
    "shows one certificate for all names of this machine", arguments: ["127.0.0.1", "localhost"])
  func namesOfThisMachine(host: String) async throws {
    try await SecureServer.with { secure in
      let response = try await secure.get("/shop/items", host: host)
      #expect(response.status == 200)
    }
  }

  @Test(
    "speaks TLS 1.2 and 1.3, and HTTP/1.1 whatever else is offered",
    arguments: [
      ("-tls1_2", "New, TLSv1.2, Cipher is ECDHE-ECDSA-AES256-GCM-SHA384"),
      ("-tls1_3", "New, TLSv1.3, Cipher is TLS_AES_256_GCM_SHA384"),
    ])
  func versions(option: String, line: String) async throws {
    try await SecureServer.with { secure in
      let shown = try await secure.openssl(
        "\(option) -servername localhost -alpn h2,http/1.1 -ign_eof", Self.last)
      #expect(shown.contains(line), "\(shown)")
      #expect(shown.contains("ALPN protocol: http/1.1"), "\(shown)")
      #expect(shown.contains("Verify return code: 0 (ok)"), "\(shown)")
      #expect(shown.contains("[1,2]"), "\(shown)")
    }
  }

  @Test("refuses older versions", arguments: ["-tls1", "-tls1_1"])
  func olderVersions(option: String) async throws {
    try await SecureServer.with { secure in
      let shown = try await secure.openssl("\(option) -cipher ALL:@SECLEVEL=0", Self.last)
      #expect(shown.contains("alert protocol version"), "\(shown)")
      #expect(!shown.contains("HTTP/1.1 200"), "\(shown)")
    }
  }

  @Test("lets clients resume", arguments: ["-tls1_2", "-tls1_3"])
  func resumes(option: String) async throws {
    let folder = try TemporaryFolder()
    try await SecureServer.with { secure in
      let file = "\(folder.path)/session"
      let first = try await secure.openssl("\(option) -ign_eof -sess_out '\(file)'", Self.last)
      #expect(first.contains("New, TLSv1"), "\(first)")
      let second = try await secure.openssl("\(option) -ign_eof -sess_in '\(file)'", Self.last)
      #expect(second.contains("Reused, TLSv1"), "\(second)")
      #expect(second.contains("[1,2]"), "\(second)")
    }
  }

  @Test("lets nobody renegotiate")
  func refusesRenegotiation() async throws {
    try await SecureServer.with { secure in
      // A line of one R is a command to `s_client`.
      let shown = try await secure.openssl("-tls1_2", ["R"])
      #expect(shown.contains("RENEGOTIATING"), "\(shown)")
      #expect(shown.contains("no renegotiation"), "\(shown)")
    }
  }

  @Test(
    "announces the end of a connection",
    arguments: [last, request + ["", "GET / HTTP/1.1", "", ""], ["nonsense", ""]])
  func announcesTheEnd(lines: [String]) async throws {
    try await SecureServer.with { secure in
      let shown = try await secure.openssl("-ign_eof -msg", lines)
      #expect(shown.contains("<<< TLS 1.3, Alert [length 0002], warning close_notify"), "\(shown)")
    }
  }

  @Test("refuses a name that no upstream has")
  func unknownName() async throws {
    try await SecureServer.with { secure in
      let shown = try await secure.openssl("-servername other.example", Self.last)
      #expect(shown.contains("unrecognized name"), "\(shown)")
    }
  }

  @Test("shows a certificate for the host of an upstream")
  func upstreamHost() async throws {
    var files = SmallServer.files
    files["shop/upstream.json"] = #"""
      { "summary": "A shop", "baseURL": "https://shop.example/v1" }
      """#
    try await SecureServer.with(files, hosts: ["shop.example"]) { secure in
      let shown = try await secure.openssl(
        "-servername shop.example -verify_hostname shop.example -ign_eof",
        ["GET /v1/items HTTP/1.1", "Host: shop.example", "Connection: close", ""])
      #expect(shown.contains("Verify return code: 0 (ok)"), "\(shown)")
      #expect(shown.contains("[1,2]"), "\(shown)")
    }
  }

  @Test("gives clients of HTTPS links to HTTPS")
  func links() async throws {
    var files = SmallServer.files
    files["shop/link.json"] = #"""
      { "summary": "A link", "request": { "method": "GET", "path": "/link" },
        "cases": { "ok": { "status": 200, "template": ["body"], "text": "{server.baseURL}" } } }
      """#
    try await SecureServer.with(files) { secure in
      let address = "\(secure.server.address)"
      let response = try await secure.get("/shop/link", host: "127.0.0.1")
      #expect(String(decoding: response.body, as: UTF8.self) == "https://\(address)/shop")
      let plain = try WireClient(port: secure.port)
      plain.ask("GET /shop/link")
      let received = try plain.response()
      #expect(String(decoding: received.body, as: UTF8.self) == "http://\(address)/shop")
    }
  }
}

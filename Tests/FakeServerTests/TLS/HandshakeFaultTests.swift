import Testing
import UnderstudyClient
import UnderstudyContractModel
import UnderstudyCore
import UnderstudyTestSupport

@testable import UnderstudyFakeServer

/// Cases that break TLS, as our client meets them and `openssl` shows them.
struct HandshakeFaultTests {
  private static let files = [
    "shop/upstream.json": #"{ "summary": "A shop", "baseURL": "https://shop.example/v1" }"#,
    "shop/items.json": #"""
    { "summary": "What there is", "request": { "method": "GET", "path": "/items" },
      "cases": {
        "ok": { "status": 200, "body": [1, 2] },
        "cut": { "like": "ok", "framing": "close", "fault": "TLS_CLOSED_WITHOUT_NOTICE" },
        "expired": { "fault": "TLS_EXPIRED" },
        "not-yet-valid": { "fault": "TLS_NOT_YET_VALID" },
        "self-signed": { "fault": "TLS_SELF_SIGNED" },
        "wrong-host": { "fault": "TLS_WRONG_HOST" },
        "unknown-authority": { "fault": "TLS_UNKNOWN_AUTHORITY" },
        "aborted": { "fault": "TLS_HANDSHAKE_ABORTED" },
        "old-protocol": { "fault": "TLS_OLD_PROTOCOL" } },
      "scripts": { "mended": ["expired", "ok"] } }
    """#,
  ]

  private func with(
    ports: Bool = true, _ test: (SecureServer) async throws -> Void
  ) async throws {
    try await SecureServer.with(Self.files, hosts: ["shop.example"]) {
      $0.givesPorts = ports
    } _: {
      try await test($0)
    }
  }

  private func get(_ secure: SecureServer) async -> Result<ClientResponse, TransportError> {
    let url = secure.server.baseURL(of: "shop") ?? ""
    do throws(TransportError) {
      return .success(try await secure.transport.send(ClientRequest(url: "\(url)/items")))
    } catch {
      return .failure(error)
    }
  }

  @Test(
    "a client gives up in the handshake",
    arguments: [
      ("expired", TransportError.TLSFailure.expired, 60), ("not-yet-valid", .notYetValid, 60),
      ("self-signed", .selfSigned, 60), ("wrong-host", .wrongHost, 60),
      ("unknown-authority", .unknownIssuer, 60), ("aborted", .handshake, 35),
      ("old-protocol", .handshake, 35),
    ])
  func givesUp(name: String, failure: TransportError.TLSFailure, code: Int) async throws {
    try await with { secure in
      // A connection of before is not used, and neither is what it would resume by.
      let before = await get(secure)
      #expect(throws: Never.self) { try before.get() }
      secure.server.use(name, for: "shop/items")
      let result = await get(secure)
      let error = #expect(throws: TransportError.self) { try result.get() }
      #expect(error?.kind.name == "tls", "\(error as Any)")
      #expect(error?.curlCode == code, "\(error as Any)")
      let again = await get(secure)
      let second = #expect(throws: TransportError.self) { try again.get() }
      #expect(second?.kind == .tls(failure), "\(second as Any)")
      let entries = await secure.server.journal()
      #expect(entries.count == 1)
      secure.server.use(nil, for: "shop/items")
      let after = await get(secure)
      #expect(throws: Never.self) { try after.get() }
    }
  }

  @Test("a response without notice of its end is whole on a plain connection")
  func withoutNotice() async throws {
    try await with { secure in
      secure.server.use("cut", for: "shop/items")
      // Many clients take it for whole, among them libcurl before 8.14.
      let shown = try await secure.openssl(
        "-ign_eof -msg", ["GET /shop/v1/items HTTP/1.1", "Host: localhost", "", ""])
      #expect(shown.contains("[1,2]"), "\(shown)")
      #expect(!shown.contains("<<< TLS 1.3, Alert"), "\(shown)")
      #expect(shown.contains("unexpected eof while reading"), "\(shown)")
      let plain = try WireClient(port: secure.port)
      plain.ask("GET /shop/v1/items")
      #expect(plain.receive("[1,2]").hasSuffix("[1,2]"))
    }
  }

  @Test("a script breaks one handshake after the other")
  func script() async throws {
    try await with { secure in
      secure.server.use(["expired", "aborted", "ok"], for: "shop/items")
      let results = [await get(secure), await get(secure), await get(secure), await get(secure)]
      let codes = results.map { result in
        switch result {
        case .success(let response): response.status
        case .failure(let error): error.curlCode ?? 0
        }
      }
      #expect(codes == [60, 35, 200, 200])
    }
  }

  @Test("on a shared port, the name decides that a client asks for")
  func byName() async throws {
    try await with(ports: false) { secure in
      secure.server.use("expired", for: "shop/items")
      let named = try await secure.openssl("-servername shop.example -verify_return_error")
      #expect(named.contains("certificate has expired"), "\(named)")
      let other = try await secure.openssl("-servername localhost -verify_return_error")
      #expect(other.contains("Verify return code: 0 (ok)"), "\(other)")
    }
  }

  @Test("a client that checks nothing gets the response of the contract")
  func checksNothing() async throws {
    try await with(ports: false) { secure in
      secure.server.use("self-signed", for: "shop/items")
      let shown = try await secure.openssl(
        "-servername shop.example -ign_eof",
        ["GET /v1/items HTTP/1.1", "Host: shop.example", "Connection: close", ""])
      #expect(shown.contains("self-signed certificate"), "\(shown)")
      #expect(shown.contains("[1,2]"), "\(shown)")
    }
  }

  @Test("a port of a session breaks only its handshakes")
  func sessionPort() async throws {
    try await with(ports: false) { secure in
      let server = secure.server
      server.use("expired", for: "shop/items", session: "a")
      let upstream = try #require(server.core.layer.upstream(named: "shop"))
      for (session, code) in [("a", 60), ("b", 200)] {
        let port = try await server.openPort(session: session)
        let url = server.baseURL(of: upstream, at: port) + "/items"
        #expect(url.hasPrefix(port.url))
        var found: Int?
        do throws(TransportError) {
          found = try await secure.transport.send(ClientRequest(url: url)).status
        } catch {
          found = error.curlCode
        }
        await server.close(port)
        #expect(found == code)
      }
      #expect(server.brokenHandshakeCount(session: "a") == 1)
      #expect(server.brokenHandshakeCount(session: "b") == 0)
      #expect(await server.journal().map(\.session) == ["b"])
    }
  }
}

import Foundation
import Testing
import UnderstudyTestSupport

@testable import UnderstudyClient

/// Failures of encryption, by `openssl s_server`, and HTTP/2, by nginx.
@Suite struct EncryptionTests {
  @Test(
    "each fault of a certificate has a kind of its own",
    arguments: [
      ("expired", .expired), ("self-signed", .selfSigned), ("wrong-host", .wrongHost),
    ] as [(String, TransportError.TLSFailure)])
  func certificates(name: String, failure expected: TransportError.TLSFailure) async throws {
    let certificates = try await Certificates()
    let server = try await TLSServer(name, in: certificates)
    let error = await failure { () async throws(TransportError) in
      try await transport(trusting: certificates.authority)
        .send(ClientRequest(url: "https://127.0.0.1:\(server.port)/"))
    }
    #expect(error?.kind == .tls(expected), "\(error as Any)")
    #expect(error?.curlCode == 60)
  }

  @Test("a name of a trust file with a NUL is refused, at which libcurl would take it to end")
  func nul() async throws {
    let certificates = try await Certificates()
    let error = await failure { () async throws(TransportError) in
      try await transport(trusting: "\(certificates.authority)\0.old")
        .send(ClientRequest(url: "https://127.0.0.1:1/"))
    }
    #expect(error?.kind == .invalidRequest, "\(error as Any)")
    #expect(
      error?.message == "found a NUL in \"\(certificates.authority)…\", expected none")
  }

  @Test("an issuer that the system does not know is not trusted")
  func unknownIssuer() async throws {
    let certificates = try await Certificates()
    let server = try await TLSServer("good", in: certificates)
    let error = await failure { () async throws(TransportError) in
      try await CurlTransport.direct.send(ClientRequest(url: "https://127.0.0.1:\(server.port)/"))
    }
    #expect(error?.kind == .tls(.unknownIssuer), "\(error as Any)")
  }

  @Test(
    "a good certificate is accepted, by name and by address", arguments: ["localhost", "127.0.0.1"])
  func good(host: String) async throws {
    let certificates = try await Certificates()
    let server = try await TLSServer("good", in: certificates)
    let response = try await transport(trusting: certificates.authority)
      .send(ClientRequest(url: "https://\(host):\(server.port)/"))
    #expect(response.status == 200)
    #expect(response.timing.secured > .zero)
  }

  /// What a server says that knows nothing later than TLS 1.0.
  private static let oldHello: [UInt8] =
    [22, 3, 1, 0, 42, 2, 0, 0, 38, 3, 1] + Array(1...32) + [0, 0xC0, 0x13, 0]

  @Test(
    "a peer fails the handshake without TLS, with nothing, and with an old version",
    arguments: [Array("HTTP/1.1 400 Bad Request\r\n\r\n".utf8), [], oldHello])
  func plain(bytes: [UInt8]) async throws {
    let peer = try BytesPeer(bytes, awaitsHead: false)
    var url = peer.url
    url.replace("http:", with: "https:")
    let sent = ClientRequest(url: url)
    let error = await failure { () async throws(TransportError) in
      try await CurlTransport.direct.send(sent)
    }
    #expect(error?.kind == .tls(.handshake), "\(error as Any)")
    #expect(error?.curlCode == 35)
  }

  @Test("data in the middle of a connection that is not TLS does not count as a broken connection")
  func garbage() async throws {
    let certificates = try await Certificates()
    let server = try await TLSServer("good", in: certificates)
    let relay = try SpoilingRelay(to: server.port)
    let error = await failure { () async throws(TransportError) in
      try await transport(trusting: certificates.authority)
        .send(ClientRequest(url: "https://127.0.0.1:\(relay.port)/"))
    }
    #expect(error?.kind == .tls(.handshake), "\(error as Any)")
    #expect(error?.curlCode == 56)
  }

  @Test("a missing file of certificates is reported as missing")
  func trustFile() async throws {
    let certificates = try await Certificates()
    let server = try await TLSServer("good", in: certificates)
    let error = await failure { () async throws(TransportError) in
      try await transport(trusting: certificates.authority + ".missing")
        .send(ClientRequest(url: "https://127.0.0.1:\(server.port)/"))
    }
    #expect(error?.kind == .tls(.trustFile), "\(error as Any)")
  }

  @Test("speaks HTTP/2 to a host that does, and shares its connection")
  func http2() async throws {
    let certificates = try await Certificates()
    let server = try await NGINX(in: certificates)
    let transport = transport(trusting: certificates.authority)
    let url = "https://127.0.0.1:\(server.port)/"
    let first = try await transport.send(ClientRequest(url: url))
    #expect(first.version == .http2)
    #expect(first.text == "hello")
    #expect(first.headers["Content-Type"] == "text/plain")
    let connections = try await withThrowingTaskGroup(of: String.self) { group in
      for _ in 0..<20 {
        group.addTask {
          try await transport.send(ClientRequest(url: url)).headers["X-Connection"] ?? ""
        }
      }
      return try await group.reduce(into: Set()) { $0.insert($1) }
    }
    #expect(connections == [first.headers["X-Connection"] ?? ""])
    let post = try await transport.send(ClientRequest(.post, url: url))
    #expect(post.headers["X-Connection"] != first.headers["X-Connection"])
    await transport.close()
  }

  @Test("the response that opened a connection says when the certificate ends, if that is read")
  func certificateEnd() async throws {
    let certificates = try await Certificates()
    let server = try await NGINX(in: certificates)
    let other = try await TLSServer("good", in: certificates)
    let end = try await certificates.endUnixSeconds(of: "good")
    let request = ClientRequest(url: "https://127.0.0.1:\(server.port)/")
    let reading = transport(trusting: certificates.authority, readsCertificates: true)
    var ends: [Int?] = []
    for url in [request.url, request.url, "https://127.0.0.1:\(other.port)/", request.url] {
      ends.append(try await reading.send(ClientRequest(url: url)).certificateEnd?.unixSeconds)
    }
    #expect(ends == [end, nil, end, nil])
    await reading.close()
    let plain = transport(trusting: certificates.authority)
    #expect(try await plain.send(request).certificateEnd == nil)
    await plain.close()
  }

  private func transport(
    trusting file: String, readsCertificates: Bool = false
  ) -> CurlTransport {
    var configuration = CurlConfiguration()
    configuration.trustFile = file
    configuration.readsCertificates = readsCertificates
    configuration.ignoresProxies = true
    return CurlTransport(configuration)
  }
}

/// An nginx that speaks HTTP/2 over TLS, and says which of its connections it is.
private final class NGINX: Sendable {
  let port: UInt16
  private let id: pid_t

  init(in certificates: Certificates) async throws {
    let folder = certificates.folder
    // Another process may take the port before nginx does.
    for attempt in 1... {
      let port = try ListeningSocket(backlog: nil).port
      try Self.configuration(port).write(
        to: folder.appending(path: "nginx.conf"), atomically: true, encoding: .utf8)
      do {
        // It goes to the background once it listens.
        try await Program.run("nginx", ["-p", folder.path, "-c", "nginx.conf"], in: folder.path)
      } catch  where attempt < 5 {
        continue
      }
      let text = try String(contentsOf: folder.appending(path: "nginx.pid"), encoding: .utf8)
      id = try #require(pid_t(text.trimmingCharacters(in: .whitespacesAndNewlines)))
      self.port = port
      return
    }
    throw ProgramError("nginx finds no port")
  }

  deinit { kill(id, SIGKILL) }

  private static func configuration(_ port: UInt16) -> String {
    """
    master_process off; pid nginx.pid; error_log nginx.log;
    events {}
    http {
      access_log off;
      client_body_temp_path body; proxy_temp_path proxy; fastcgi_temp_path fastcgi;
      uwsgi_temp_path uwsgi; scgi_temp_path scgi;
      server {
        listen 127.0.0.1:\(port) ssl http2;
        ssl_certificate good.pem;
        ssl_certificate_key good.key;
        default_type text/plain;
        add_header X-Connection $connection;
        location / { return 200 hello; }
      }
    }
    """
  }
}

import Synchronization
import Testing
import UnderstudyContractModel
import UnderstudySystem
import UnderstudyTestSupport

@testable import UnderstudyFakeServer

/// A server as the proxy of clients that ask for the hosts of live APIs.
struct ProxyTests {
  static let files = [
    "shop/upstream.json": #"{ "summary": "A shop", "baseURL": "https://shop.example/v1" }"#,
    "shop/items.json": #"""
    { "summary": "What there is", "request": { "method": "GET", "path": "/items" },
      "cases": {
        "ok": { "status": 200, "body": [1, 2] },
        "linked": { "status": 200, "template": ["body"], "body": { "next": "{server.baseURL}/items?page=2" } },
        "expired": { "fault": "TLS_EXPIRED" } } }
    """#,
    "back/upstream.json": #"{ "summary": "Its back", "baseURL": "https://shop.example/v1/back" }"#,
    "back/items.json": #"""
    { "summary": "Behind", "request": { "method": "POST", "path": "/items" },
      "cases": { "ok": { "status": 201, "body": "behind" } } }
    """#,
  ]

  private func with(
    _ configure: @Sendable (inout ServerConfiguration) -> Void = { _ in },
    _ test: (SecureServer) async throws -> Void
  ) async throws {
    try await SecureServer.with(Self.files, hosts: ["shop.example"]) {
      $0.proxy = ForwardProxy()
      configure(&$0)
    } _: {
      try await test($0)
    }
  }

  @Test("a client of the live API gets what the contracts say, by HTTPS and by HTTP")
  func hosts() async throws {
    try await with { secure in
      try await secure.curl("https://shop.example/v1/items", shows: "[1,2] 200")
      try await secure.curl("http://shop.example/v1/items", shows: "[1,2] 200")
      // The longest base URL counts, as for requests with a Host.
      let posted = try await secure.curl("-d '{}' https://shop.example/v1/back/items")
      #expect(posted == "\"behind\" 201")
      let entries = await secure.server.journal()
      #expect(entries.map(\.contract) == ["shop/items", "shop/items", "back/items"])
      #expect(entries.map(\.path) == ["/shop/v1/items", "/shop/v1/items", "/back/v1/back/items"])
      #expect(entries.map(\.isSecure) == [true, false, true])
    }
  }

  @Test("many requests use one tunnel")
  func tunnel() async throws {
    try await with { secure in
      let url = "https://shop.example/v1/items"
      try await secure.curl("-v \(url) \(url) \(url)", shows: "[1,2] 200")
      #expect(await secure.server.journal().count == 3)
    }
  }

  @Test("the name in the proxy's URL is the session, which is not shown to contracts")
  func session() async throws {
    try await with { secure in
      secure.server.use("linked", for: "shop/items", session: "a b")
      let proxy = "-x http://a%20b:@127.0.0.1:\(secure.port)"
      for scheme in ["https", "http"] {
        let url = "\(scheme)://shop.example/v1/items"
        try await secure.curl(
          "\(proxy) \(url)", shows: #"{"next":"https://shop.example/v1/items?page=2"} 200"#)
        try await secure.curl(url, shows: "[1,2] 200")
      }
      let entries = await secure.server.journal(JournalQuery { $0.session = "a b" })
      #expect(entries.count == 2)
      #expect(!entries.contains { $0.request.headerValue("proxy-authorization") != nil })
    }
  }

  @Test("a case breaks the handshake behind the proxy, for its session alone")
  func fault() async throws {
    try await with { secure in
      secure.server.use("expired", for: "shop/items", session: "s")
      let url = "https://shop.example/v1/items"
      let broken = try await secure.curl("-x http://s:@127.0.0.1:\(secure.port) \(url)")
      #expect(broken.contains("certificate has expired"), "\(broken)")
      try await secure.curl(url, shows: "[1,2] 200")
    }
  }

  @Test("a host that no upstream declares is refused, and named")
  func undeclared() async throws {
    try await with { secure in
      let plain = try await secure.curl("http://shop.exampl/v1/items")
      #expect(
        plain.contains(#""detail":"\"shop.exampl\" is the host of no upstream: did you mean "#),
        "\(plain)")
      #expect(plain.hasSuffix(" 502"))
      let secured = try await secure.curl("https://169.254.169.254/latest")
      #expect(secured.contains("502"), "\(secured)")
      let entries = await secure.server.journal()
      #expect(entries.map(\.status) == [502, 502])
      #expect(entries.map(\.method) == ["GET", "CONNECT"])
    }
  }

  @Test("on a port of live APIs, the host of a request alone says whose it is")
  func port() async throws {
    try await with {
      $0.proxy = nil
    } _: { secure in
      let hosts = try Socket.listen(on: SocketAddress(host: "127.0.0.1", port: 0))
      let own = try Socket.listen(on: SocketAddress(host: "127.0.0.1", port: 0))
      await secure.server.listen(on: [(hosts.descriptor, .hosts), (own.descriptor, .own)])
      let there = "-x '' --connect-to ::127.0.0.1:\(hosts.port)"
      for scheme in ["https", "http"] {
        try await secure.curl("\(there) \(scheme)://shop.example/v1/items", shows: "[1,2] 200")
        try await secure.curl("\(there) \(scheme)://shop.example/__understudy/", shows: " 404")
      }
      let plain = try await secure.curl("\(there) http://www.test/v1/items")
      #expect(plain.contains(#""detail":"\"www.test\" is the host of no upstream""#))
      #expect(plain.hasSuffix(" 502"), "\(plain)")
      let refused = try await secure.curl("\(there) https://www.test/v1/items")
      #expect(refused.contains("unrecognized name"), "\(refused)")
      try await secure.curl(
        "-x '' http://127.0.0.1:\(own.port)/shop/v1/items", shows: "[1,2] 200")
    }
  }

  @Test("OPTIONS of the whole server is none of a path")
  func options() async throws {
    try await with { secure in
      let options = "-p -X OPTIONS --request-target '*' http://shop.example/"
      try await secure.curl(options, shows: " 204")
    }
  }

  @Test("a path that no base URL has is explained by the contracts of its host")
  func path() async throws {
    try await with { secure in
      let response = try await secure.curl("https://shop.example/shop/v1/items")
      #expect(response.hasSuffix(" 404"))
      #expect(response.contains(#""contract":"shop/items""#), "\(response)")
      try await secure.curl("https://shop.example/__understudy/", shows: " 404")
    }
  }

  @Test("its own address is not asked through it")
  func own() async throws {
    try await with { secure in
      let own = "127.0.0.1:\(secure.port)"
      try await secure.curl("http://\(own)/__understudy/health", shows: " 200")
      try await secure.curl("-p http://\(own)/shop/v1/items", shows: "[1,2] 200")
    }
  }

  @Test(
    "what a proxy cannot do is said",
    arguments: [
      (
        "CONNECT shop.example:443 HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\n\r\n{}", "400", "body"
      ),
      ("CONNECT shop.example HTTP/1.1\r\nHost: a\r\n\r\n", "400", "host and a port"),
      ("CONNECT / HTTP/1.1\r\nHost: a\r\n\r\n", "400", "host and a port"),
      ("CONNECT shop.example:443/x HTTP/1.1\r\nHost: a\r\n\r\n", "400", "host and a port"),
      ("\u{5}\u{1}\u{0}", "400", "SOCKS"), ("\u{4}\u{1}\u{0}", "400", "SOCKS"),
    ])
  func refused(request: String, status: String, words: String) async throws {
    try await with { secure in
      let client = try secure.server.client()
      _ = client.send(request)
      let text = client.receiveAll().text
      #expect(text.hasPrefix("HTTP/1.1 \(status) "), "\(text)")
      #expect(text.contains(words), "\(text)")
    }
  }

  @Test("no tunnel leads on, none begins within TLS, and nobody speaks before it is open")
  func nested() async throws {
    try await with { secure in
      let connect = "CONNECT shop.example:443 HTTP/1.0\r\n\r\n"
      let inside = try secure.server.client()
      inside.send(connect)
      #expect(inside.receive("\r\n\r\n") == "HTTP/1.1 200 Connection established\r\n\r\n")
      let response = try inside.exchange("GET /v1/items", host: "b.example")
      #expect(response.text == "[1,2]")
      inside.send("CONNECT shop.example:443 HTTP/1.1\r\nHost: a\r\n\r\n")
      #expect(try inside.response().status == 501)
      let eager = try secure.server.client()
      eager.send(connect + "GET /v1/items HTTP/1.1\r\n\r\n")
      #expect(eager.receiveAll().text.isEmpty)
      let encrypted = try await secure.openssl(
        "-ign_eof", ["CONNECT shop.example:443 HTTP/1.1", "Host: shop.example:443", "", ""])
      #expect(encrypted.contains("HTTP/1.1 501"), "\(encrypted)")
    }
  }

  @Test("a WebSocket gets a response that says what to do")
  func webSocket() async throws {
    try await with { secure in
      let lines = "-H 'Connection: Upgrade' -H 'Upgrade: websocket' -H 'Sec-WebSocket-Version: 13'"
      for scheme in ["https", "http"] {
        let shown = try await secure.curl("--http1.1 \(lines) \(scheme)://shop.example/v1/live")
        #expect(shown.hasSuffix(" 501"), "\(shown)")
        #expect(shown.contains(#""detail":"a WebSocket of \"shop.example:"#), "\(shown)")
        #expect(shown.contains("list its host in NO_PROXY"), "\(shown)")
        // A contract may refuse it, or know nothing of it (RFC 9110, section 7.8).
        let known = "--http1.1 \(lines) \(scheme)://shop.example/v1/items"
        try await secure.curl(known, shows: "[1,2] 200")
      }
    }
  }

  @Test("a client of HTTP/2 alone is told what to do, in its own words")
  func http2() async throws {
    let words = Mutex<[String]>([])
    try await with {
      $0.listener = { exchanges in
        for case .server(let reason, _) in exchanges.map(\.source) {
          words.withLock { $0.append(reason) }
        }
      }
    } _: { secure in
      let preface = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"
      let connect = "CONNECT shop.example:80 HTTP/1.1\r\nHost: shop.example:80\r\n\r\n"
      for start in ["", connect] {
        let client = try secure.server.client()
        if !start.isEmpty {
          client.send(start)
          _ = client.receive("\r\n\r\n")
        }
        client.send(preface)
        let bytes = client.receiveAllBytes().bytes
        #expect(
          bytes.prefix(18) == [
            0, 0, 0, 4, 0, 0, 0, 0, 0, 0, 0, UInt8(bytes.count - 18), 7, 0, 0, 0, 0, 0,
          ])
        #expect(bytes.dropFirst(18).prefix(8) == [0, 0, 0, 0, 0, 0, 0, 13])
        let text = String(decoding: bytes.dropFirst(26), as: UTF8.self)
        #expect(text.contains("let the client use that"), "\(text)")
      }
      let shown = try await secure.openssl("-servername localhost -alpn h2 -ign_eof")
      #expect(shown.contains("no application protocol"), "\(shown)")
      let other = try await secure.openssl(
        "-servername localhost -alpn acme -ign_eof", ProxyTests.last)
      #expect(other.contains("No ALPN negotiated"), "\(other)")
    }
    let refused = words.withLock { $0 }.filter { $0.contains("HTTP/2") }
    #expect(refused.count == 3, "\(refused)")
    #expect(
      refused.last
        == "a client failed to begin TLS for \"localhost\": it offers HTTP/2 alone, expected"
        + " HTTP/1.1: let it use that, as curl --http1.1 does")
  }

  private static let last = [
    "GET /shop/v1/items HTTP/1.1", "Host: localhost", "Connection: close", "",
  ]

  @Test("a server that is not a proxy says so")
  func noProxy() async throws {
    try await with({ $0.proxy = nil }) { secure in
      let client = try secure.server.client()
      client.ask("CONNECT shop.example:443")
      let response = try client.response()
      #expect(response.status == 501)
      #expect(response.text.contains("--proxy"))
    }
  }

  @Test("who reaches it from elsewhere needs the token")
  func token() async throws {
    @Sendable func configure(_ configuration: inout ServerConfiguration) {
      configuration.address = SocketAddress(host: "0.0.0.0", port: 0)
      configuration.adminToken = "0123456789abcdef"
    }
    try await with(configure) { secure in
      let url = "http://shop.example/v1/items"
      for user in ["", "-U :0123456789abcdeg"] {
        try await secure.curl("\(user) \(url)", shows: " 407")
      }
      try await secure.curl("-U :0123456789abcdef \(url)", shows: "[1,2] 200")
      let tunnel = "-U s:0123456789abcdef https://shop.example/v1/items"
      try await secure.curl(tunnel, shows: "[1,2] 200")
      #expect(await secure.server.journal(JournalQuery { $0.session = "s" }).count == 1)
    }
  }
}

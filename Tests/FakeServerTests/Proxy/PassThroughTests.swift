import Synchronization
import Testing
import UnderstudyContractModel
import UnderstudyCore
import UnderstudySystem
import UnderstudyTestSupport

@testable import UnderstudyFakeServer

/// Clients of a proxy that ask for hosts which no upstream declares.
struct PassThroughTests {
  private func with(
    _ passThrough: PassThrough = PassThrough(),
    _ configure: @Sendable (inout ServerConfiguration) -> Void = { _ in },
    _ test: (SecureServer) async throws -> Void
  ) async throws {
    try await SecureServer.with(ProxyTests.files, hosts: ["shop.example"]) {
      $0.proxy = ForwardProxy(passThrough: passThrough)
      configure(&$0)
    } _: {
      try await test($0)
    }
  }

  private static let echo: @Sendable (WireMessage) -> WireMessage = { asked in
    let lines = asked.headers.map { "\($0[0]): \($0[1])" }.sorted()
    return WireMessage(
      status: 203, [["Keep-Alive", "timeout=5"]],
      body: ([asked.firstLine] + lines + [asked.body.text]).joined(separator: "\n"))
  }

  @Test("a plain request is sent on as it came, without what was for the proxy")
  func plain() async throws {
    let upstream = try ScriptedUpstream(Self.echo)
    try await with { secure in
      let client = try secure.server.client()
      client.send(
        """
        POST \(upstream.url)/a?b=c HTTP/1.1\r
        Host: 127.0.0.1:\(upstream.port)\r
        User-Agent: x\r
        Proxy-Authorization: Basic czo=\r
        Proxy-Connection: keep-alive\r
        Connection: keep-alive, X-Hop\r
        X-Hop: 1\r
        Understudy-Token: t\r
        Transfer-Encoding: chunked\r
        \r
        2\r\n{}\r\n0\r\n\r\n
        """)
      let (text, end) = client.receiveAll()
      #expect(
        text == """
          HTTP/1.1 203 Status\r
          Content-Length: \(text.split(separator: "\r\n\r\n").last?.utf8.count ?? 0)\r
          Connection: close\r
          \r
          POST /a?b=c HTTP/1.1
          Connection: close
          Content-Length: 2
          Host: 127.0.0.1:\(upstream.port)
          User-Agent: x
          {}
          """)
      #expect(end == .closed)
      let entry = try #require(await secure.server.journal().first)
      #expect(entry.path == "\(upstream.url)/a")
      #expect(entry.query == "b=c")
      #expect(entry.session == "s")
      #expect(entry.status == 203)
      #expect(entry.outcome == .passedThrough)
      #expect(entry.reason == .undeclared)
      #expect(!entry.isUnmatched)
    }
  }

  @Test("what follows a plain request on its connection is for nobody")
  func pipelined() async throws {
    let asked = Mutex<[String]>([])
    let upstream = try ScriptedUpstream { message in
      asked.withLock { $0.append(message.firstLine) }
      return WireMessage(status: 200, body: "once")
    }
    try await with { secure in
      let client = try secure.server.client()
      let request = "GET \(upstream.url)/1 HTTP/1.1\r\nHost: 127.0.0.1:\(upstream.port)\r\n\r\n"
      client.send(
        request + "GET http://shop.example/v1/items HTTP/1.1\r\nHost: shop.example\r\n\r\n")
      let (text, end) = client.receiveAll()
      #expect(text.hasSuffix("\r\n\r\nonce"))
      #expect(end == .closed)
      #expect(asked.withLock { $0 } == ["GET /1 HTTP/1.1"])
    }
  }

  @Test("a tunnel carries bytes both ways as they are, and each side may end first")
  func tunnel() async throws {
    let far = try Socket.listen(on: SocketAddress(host: "127.0.0.1", port: 0))
    defer { Socket.close(far.descriptor) }
    try await with { secure in
      let client = try secure.server.client()
      client.send(
        """
        CONNECT 127.0.0.1:\(far.port) HTTP/1.1\r
        Host: 127.0.0.1:\(far.port)\r
        Proxy-Authorization: Basic cyBzOg==\r\n\r\n
        """)
      #expect(client.receive("\r\n\r\n") == "HTTP/1.1 200 Connection established\r\n\r\n")
      let server = try FarEnd(of: far.descriptor)
      client.send([0, 22, 255])
      #expect(server.receive(count: 3) == [0, 22, 255])
      server.send(Array("welcome".utf8))
      #expect(client.receive("welcome") == "welcome")
      client.shutWriting()
      #expect(server.receive(count: 1) == [])
      // More than any buffer on the way has room for.
      let much = [UInt8](repeating: 7, count: 3 << 20)
      let sender = try SystemThread { server.send(much) }
      let arrived = client.receiveAllBytes(count: much.count)
      #expect(arrived.count == much.count && arrived.allSatisfy { $0 == 7 })
      sender.join()
      server.shutWriting()
      #expect(client.receiveAll().end == .closed)
      let entry = try #require(await secure.server.journal().first)
      #expect(entry.method == "CONNECT")
      #expect(entry.path == "127.0.0.1:\(far.port)")
      #expect(entry.session == "s s")
      #expect(entry.status == 200)
      #expect(entry.outcome == .passedThrough)
    }
  }

  @Test("a reset on one side is one on the other")
  func reset() async throws {
    let far = try Socket.listen(on: SocketAddress(host: "127.0.0.1", port: 0))
    defer { Socket.close(far.descriptor) }
    try await with { secure in
      let client = try secure.server.client()
      client.ask("CONNECT 127.0.0.1:\(far.port)", host: "127.0.0.1:\(far.port)")
      #expect(client.receive("\r\n\r\n").contains(" 200 "))
      try FarEnd(of: far.descriptor).resetOnClose()
      #expect(client.receiveAll().end == .reset)
    }
  }

  @Test("the end of the server ends its tunnels")
  func end() async throws {
    let far = try Socket.listen(on: SocketAddress(host: "127.0.0.1", port: 0))
    defer { Socket.close(far.descriptor) }
    try await with { secure in
      let client = try secure.server.client()
      client.ask("CONNECT 127.0.0.1:\(far.port)", host: "127.0.0.1:\(far.port)")
      #expect(client.receive("\r\n\r\n").contains(" 200 "))
      let server = try FarEnd(of: far.descriptor)
      #expect(await secure.server.close() == 1)
      #expect(client.receiveAll().text.isEmpty)
      #expect(server.receive(count: 1) == [])
    }
  }

  @Test("an HTTPS client speaks to the host itself, whose certificate it meets")
  func encrypted() async throws {
    let certificates = try await Certificates()
    let upstream = try await TLSServer("good", in: certificates)
    try await with { secure in
      let shown = try await secure.curl("-o /dev/null https://localhost:\(upstream.port)/")
      #expect(shown.contains("certificate"), "\(shown)")
      let trusted = "--cacert \(certificates.authority) https://localhost:\(upstream.port)/"
      #expect(try await secure.curl("-o /dev/null \(trusted)") == " 200")
    }
  }

  @Test("the hosts of upstreams are never contacted, on whatever port")
  func declared() async throws {
    try await with { secure in
      try await secure.curl("http://shop.example/v1/items", shows: "[1,2] 200")
      for url in ["http://shop.example:81/", "http://SHOP.example.:8081/"] {
        let shown = try await secure.curl(url)
        #expect(shown.contains("is the host of no upstream"), "\(shown)")
        #expect(shown.hasSuffix(" 502"))
      }
    }
  }

  @Test(
    "link-local addresses stay closed, however they are written",
    arguments: [
      "169.254.169.254", "2852039166", "0xa9fea9fe", "0251.0376.0251.0376", "169.254.43518",
      "[::ffff:169.254.169.254]", "[fe80::1]", "[fd00:ec2::254]", "[64:ff9b::a9fe:a9fe]", "0.0.0.0",
      "0", "[::]",
    ])
  func linkLocal(host: String) async throws {
    for parent in [nil, PassThrough.Parent(host: "127.0.0.1", port: 9, authorization: nil)] {
      try await with(PassThrough { _ in parent }) { secure in
        let client = try secure.server.client()
        for line in ["GET http://\(host)/latest", "CONNECT \(host):80"] {
          let response = try client.exchange(line, host: line.hasPrefix("G") ? host : "\(host):80")
          #expect(response.status == 403, "\(response.text)")
          #expect(response.text.contains("nobody is led to"), "\(response.text)")
        }
        #expect(await secure.server.journal().map(\.outcome) == [.responded, .responded])
      }
    }
  }

  @Test("nothing leads back to the server, by whatever name")
  func loops() async throws {
    try await with { secure in
      let port = secure.port
      for host in ["127.0.0.2", "2130706433", "[::ffff:127.0.0.1]", "a.localhost"] {
        let client = try secure.server.client()
        let response = try client.exchange("CONNECT \(host):\(port)", host: "\(host):\(port)")
        // Not every system knows names below localhost.
        #expect([403, 502].contains(response.status), "\(response.text)")
        #expect(
          response.text.contains("is this server itself") || response.text.contains("no address"),
          "\(response.text)")
      }
    }
  }

  @Test("a proxy of the user that is this server is not asked")
  func ownParent() async throws {
    let port = Mutex<UInt16>(0)
    let passThrough = PassThrough { _ in
      PassThrough.Parent(host: "127.0.0.1", port: port.withLock { Int($0) }, authorization: nil)
    }
    try await with(passThrough) { secure in
      port.withLock { $0 = secure.port }
      let shown = try await secure.curl("http://other.example/")
      #expect(shown.contains("is this server itself"), "\(shown)")
    }
  }

  @Test("the user's own proxy is asked for what passes through, with its password")
  func parent() async throws {
    let upstream = try ScriptedUpstream(Self.echo)
    let parent = PassThrough.Parent(
      host: "127.0.0.1", port: Int(upstream.port), authorization: "Basic YTpi")
    try await with(PassThrough { _ in parent }) { secure in
      let plain = try await secure.curl("http://other.example:81/a")
      #expect(plain.hasPrefix("GET http://other.example:81/a HTTP/1.1\n"), "\(plain)")
      #expect(plain.contains("Proxy-Authorization: Basic YTpi"))
      #expect(plain.hasSuffix(" 203"))
      let client = try secure.server.client()
      client.ask("CONNECT other.example:443", host: "other.example:443")
      let text = client.receiveAll().text
      #expect(
        text.hasPrefix(
          "HTTP/1.1 200 Connection established\r\n\r\nCONNECT other.example:443 HTTP/1.1\n"),
        "\(text)")
    }
  }

  @Test("a proxy of the user that refuses is named")
  func refusingParent() async throws {
    let upstream = try ScriptedUpstream { _ in WireMessage(status: 407) }
    let parent = PassThrough.Parent(host: "localhost", port: Int(upstream.port), authorization: nil)
    try await with(PassThrough { _ in parent }) { secure in
      let client = try secure.server.client()
      let response = try client.exchange("CONNECT other.example:443", host: "other.example:443")
      #expect(response.status == 502)
      let words = "no connection to other.example:443 by the proxy localhost:\(upstream.port)"
      #expect(response.text.contains("\(words): it responded 407"), "\(response.text)")
    }
  }

  @Test("what cannot be reached is said")
  func unreachable() async throws {
    try await ListeningSocket.refusing { url in
      try await with { secure in
        let shown = try await secure.curl(url)
        #expect(shown.contains("no connection to 127.0.0.1"), "\(shown)")
        #expect(shown.contains("connection refused"), "\(shown)")
        #expect(shown.hasSuffix(" 502"))
        let nowhere = try await secure.curl("http://nowhere.invalid/")
        #expect(nowhere.contains("the name leads to no address"), "\(nowhere)")
      }
    }
    let noise = try BytesPeer(Array("220 mail.example\r\n\r\n".utf8))
    try await with { secure in
      let shown = try await secure.curl(noise.url)
      #expect(shown.contains("does not respond in HTTP"), "\(shown)")
    }
  }

  @Test("interim responses are left out, and a body without an end passes as it comes")
  func streamed() async throws {
    let text = "HTTP/1.1 103 Early\r\nLink: a\r\n\r\nHTTP/1.1 200 OK\r\nX: 1\r\n\r\nall"
    let upstream = try BytesPeer(Array(text.utf8))
    try await with { secure in
      let client = try secure.server.client()
      client.ask("GET \(upstream.url)", host: String(upstream.url.dropFirst(7).dropLast()))
      #expect(
        client.receiveAll().text == "HTTP/1.1 200 OK\r\nX: 1\r\nConnection: close\r\n\r\nall")
    }
  }

  @Test("from elsewhere it needs the token, and this machine is closed")
  func token() async throws {
    let upstream = try ScriptedUpstream(Self.echo)
    @Sendable func configure(_ configuration: inout ServerConfiguration) {
      configuration.address = SocketAddress(host: "0.0.0.0", port: 0)
      configuration.adminToken = "0123456789abcdef"
    }
    try await with(PassThrough(), configure) { secure in
      try await secure.curl(upstream.url, shows: " 407")
      let token = "0123456789abcdef"
      let shown = try await secure.curl(
        "-U :\(token) -H 'Authorization: Bearer \(token)' \(upstream.url)")
      #expect(shown.hasSuffix(" 203"))
      #expect(!shown.contains(token))
    }
    let client = PassedRequest.Client(isOnThisMachine: false, ownPorts: [])
    let address = try #require(IPAddress(anyForm: "127.0.0.1"))
    #expect(client.refusal(of: address, 80) == "127.0.0.1 is only for clients on this machine")
    #expect(client.refusal(of: address, 80, isParent: true) == nil)
  }

  @Test("without it, the session of a refused request is the one that the client named")
  func refusedSession() async throws {
    try await SecureServer.with(ProxyTests.files) {
      $0.proxy = ForwardProxy()
    } _: { secure in
      let proxy = "-x http://s:@127.0.0.1:\(secure.port)"
      try await secure.curl("\(proxy) http://other.example/a?b", shows: " 502")
      #expect(try await secure.curl("\(proxy) https://other.example/").contains("502"))
      let entries = await secure.server.journal(JournalQuery { $0.session = "s" })
      #expect(entries.map(\.path) == ["http://other.example/a", "other.example:443"])
      #expect(await secure.server.journal(JournalQuery { $0.session = "" }).isEmpty)
      let archive = try secure.server.admin("GET", "/journal.har", session: "s").text
      #expect(archive.contains(#""url":"http://other.example/a?b""#), "\(archive)")
      #expect(archive.contains(#""url":"https://other.example:443""#), "\(archive)")
    }
  }
}

extension [UInt8] {
  fileprivate var text: String { String(decoding: self, as: UTF8.self) }
}

extension WireClient {
  /// What comes until this much is there.
  fileprivate func receiveAllBytes(count: Int) -> [UInt8] {
    var bytes: [UInt8] = []
    while bytes.count < count {
      let (piece, end) = receiveBytes()
      bytes += piece
      if end != nil { break }
    }
    return bytes
  }
}

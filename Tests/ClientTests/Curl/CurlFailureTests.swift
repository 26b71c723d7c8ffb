import Foundation
import Testing
import UnderstudyTestSupport

@testable import UnderstudyClient

/// Every kind of failure but those of TLS, provoked on a socket.
@Suite(.timeLimit(.minutes(5))) struct CurlFailureTests {
  private static let cases = #"""
    "ok": { "status": 200, "body": [1, 2, 3] },
    "empty": { "fault": "EMPTY_RESPONSE" },
    "reset": { "fault": "CONNECTION_RESET_BY_PEER" },
    "reset-in-body": { "like": "ok", "fault": "CONNECTION_RESET_IN_BODY" },
    "closed-in-body": { "like": "ok", "fault": "CONNECTION_CLOSED_IN_BODY" },
    "closed-in-chunks":
      { "like": "ok", "framing": "chunked", "fault": "CONNECTION_CLOSED_IN_BODY" },
    "short": { "like": "ok", "malform": { "contentLength": 5 } },
    "chunk": { "like": "ok", "framing": "chunked", "fault": "MALFORMED_RESPONSE_CHUNK" },
    "random": { "fault": "RANDOM_DATA_THEN_CLOSE" },
    "status-line": { "fault": "MALFORMED_STATUS_LINE" },
    "header": { "like": "ok", "fault": "MALFORMED_HEADER" },
    "gzip-plain": { "like": "ok", "encoding": "gzip", "malform": { "gzip": "plain" } },
    "gzip-corrupt": { "like": "ok", "encoding": "gzip", "malform": { "gzip": "corrupt" } },
    "gzip-truncated": { "like": "ok", "encoding": "gzip", "malform": { "gzip": "truncated" } },
    "before-head": { "like": "ok", "stall": "beforeHead" },
    "after-head": { "like": "ok", "stall": "afterHead" },
    "in-body": { "like": "ok", "stall": { "atByte": 3 } }
    """#

  @Test(
    "each way a response fails has a kind of its own",
    arguments: [
      ("empty", .emptyReply, 52),
      ("reset", .reset, 56),
      ("reset-in-body", .reset, 56),
      ("closed-in-body", .truncated, 18),
      ("closed-in-chunks", .truncated, 18),
      ("short", .truncated, 18),
      ("chunk", .malformedResponse, 56),
      ("random", .malformedResponse, 1),
      ("status-line", .malformedResponse, 1),
      ("header", .malformedResponse, 8),
      ("gzip-plain", .badEncoding, 61),
      ("gzip-corrupt", .badEncoding, 61),
      ("before-head", .timedOut(.waiting), 28),
      ("after-head", .timedOut(.receiving), 28),
      ("in-body", .timedOut(.receiving), 28),
    ] as [(String, TransportError.Kind, Int)])
  func responses(caseName: String, kind: TransportError.Kind, code: Int) async throws {
    try await Fake.run(Self.cases) { fake in
      let request = fake.request(serving: caseName) { options in
        if case .timedOut = kind { options.totalTimeout = .seconds(2) }
      }
      let error = await failure { () async throws(TransportError) in
        try await fake.transport.send(request)
      }
      #expect(error?.kind == kind, "\(error as Any)")
      #expect(error?.curlCode == code, "\(error as Any)")
      #expect(error?.message.hasPrefix("GET \(fake.url): ") == true, "\(error as Any)")
    }
  }

  @Test("a body in an encoding that libcurl does not know is badly encoded")
  func unknownEncoding() async throws {
    let peer = try BytesPeer(headers: ["Content-Encoding: rot13"], body: [1])
    let error = await failure { () async throws(TransportError) in
      try await CurlTransport.direct.send(ClientRequest(url: peer.url))
    }
    #expect(error?.kind == .badEncoding)
  }

  @Test("compressed data that ends early counts as whole when its framing does")
  func truncatedGzip() async throws {
    try await Fake.run(Self.cases) { fake in
      let response = try await fake.transport.send(fake.request(serving: "gzip-truncated"))
      #expect(response.status == 200)
      #expect("[1,2,3]".hasPrefix(response.text) && response.text != "[1,2,3]", "\(response.text)")
      #expect(response.headers["Content-Encoding"] == "gzip")
    }
  }

  @Test(
    "a connection without a byte for too long has stalled", arguments: ["before-head", "in-body"])
  func stalls(caseName: String) async throws {
    try await Fake.run(Self.cases) { fake in
      let request = fake.request(serving: caseName) { $0.stallTimeout = .seconds(2) }
      let error = await failure { () async throws(TransportError) in
        try await fake.transport.send(request)
      }
      #expect(
        error
          == TransportError(
            .timedOut(caseName == "in-body" ? .receiving : .waiting),
            "GET \(fake.url): no byte for too long", curlCode: 28))
    }
  }

  @Test("time passes for a request that waits for a free connection too", arguments: [true, false])
  func queued(hasDeadline: Bool) async throws {
    try await Fake.run(Self.cases) {
      $0.connectionCountMax = 1
    } test: { fake in
      let hold = fake.server.hold("api/get")
      async let first = fake.transport.send(fake.request())
      let held = try #require(await hold.next())
      let request = fake.request { options in
        options.stallTimeout = nil
        options.totalTimeout = hasDeadline ? nil : .milliseconds(300)
        options.deadline = hasDeadline ? .now + .milliseconds(300) : nil
      }
      let error = await failure { () async throws(TransportError) in
        try await fake.transport.send(request)
      }
      #expect(
        error
          == TransportError(
            .timedOut(.resolving), "GET \(fake.url): not finished in time", curlCode: 28))
      await held.release()
      #expect(try await first.status == 200)
      await hold.end()
    }
  }

  @Test("a deadline ends what is under way")
  func deadlineInFlight() async throws {
    try await Fake.run(Self.cases) { fake in
      let request = fake.request(serving: "in-body") { $0.deadline = .now + .seconds(2) }
      let error = await failure { () async throws(TransportError) in
        try await fake.transport.send(request)
      }
      #expect(error?.kind == .timedOut(.receiving), "\(error as Any)")
      #expect(error?.curlCode == 28)
    }
  }

  @Test("a request whose deadline has passed is not sent")
  func deadline() async throws {
    try await Fake.run(Self.cases) { fake in
      let request = fake.request { $0.deadline = .now }
      let error = await failure { () async throws(TransportError) in
        try await fake.transport.send(request)
      }
      #expect(
        error
          == TransportError(
            .timedOut(.resolving), "GET \(fake.url): the deadline has passed", curlCode: 28))
      #expect(await fake.server.journal().count == 0)
    }
  }

  @Test("a body over the limit is too large, compressed or not", arguments: ["identity", "gzip"])
  func tooLarge(encoding: String) async throws {
    let coding = encoding == "gzip" ? #""encoding": "gzip","# : ""
    let text = String(repeating: "a", count: 1000)
    try await Fake.run(#""ok": { "status": 200, \#(coding) "text": "\#(text)" }"#) { fake in
      let whole = try await fake.transport.send(fake.request { $0.bodyBytesMax = 1000 })
      #expect(whole.text == text)
      let error = await failure { () async throws(TransportError) in
        try await fake.transport.send(fake.request { $0.bodyBytesMax = 999 })
      }
      #expect(
        error
          == TransportError(
            .tooLarge, "GET \(fake.url): the body has more than 999 bytes", curlCode: 23))
    }
  }

  @Test("a head over the limit is too large", arguments: [(1000, 300), (150_000, 1)])
  func largeHead(valueByteCount: Int, count: Int) async throws {
    let value = String(repeating: "a", count: valueByteCount)
    let peer = try BytesPeer(headers: (0..<count).map { "X-\($0): \(value)" }, body: [])
    let error = await failure { () async throws(TransportError) in
      try await CurlTransport.direct.send(ClientRequest(url: peer.url))
    }
    #expect(error?.kind == .tooLarge, "\(error as Any)")
  }

  @Test("nobody listens: cannot connect")
  func refused() async throws {
    let error = try await ListeningSocket.refusing { url in
      await failure { () async throws(TransportError) in
        try await CurlTransport.direct.send(ClientRequest(url: url))
      }
    }
    #expect(error?.kind == .cannotConnect)
    #expect(error?.curlCode == 7)
  }

  @Test("after an address that refused, nonsense from the next is not a reset")
  func secondAddress() async throws {
    let bytes = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n"
    let peer = try BytesPeer(Array(bytes.utf8))
    // Where it has two addresses, the other is tried first and refuses.
    let url = peer.url.replacing("127.0.0.1", with: "localhost")
    let error = await failure { () async throws(TransportError) in
      try await CurlTransport.direct.send(ClientRequest(url: url))
    }
    #expect(error?.kind == .malformedResponse, "\(error as Any)")
  }

  @Test("a name without an address: cannot resolve")
  func unresolvable() async throws {
    // Longer than a label may be, so that no name server is asked.
    let host = String(repeating: "a", count: 64) + ".invalid"
    let error = await failure { () async throws(TransportError) in
      try await CurlTransport.direct.send(ClientRequest(url: "http://\(host)/"))
    }
    #expect(error?.kind == .cannotResolve)
    #expect(error?.curlCode == 6)
  }

  @Test("nobody accepts the connection: timed out while connecting")
  func connecting() async throws {
    let socket = try ListeningSocket(backlog: 0)
    let clients = try socket.fill()
    defer { for client in clients { close(client) } }
    var request = ClientRequest(url: socket.url)
    request.options.connectTimeout = .milliseconds(500)
    let error = await failure { () async throws(TransportError) in
      try await CurlTransport.direct.send(request)
    }
    withExtendedLifetime(socket) {}
    #expect(error?.kind == .timedOut(.connecting))
    #expect(error?.curlCode == 28)
  }

  @Test("nobody responds to the greeting: timed out while securing")
  func securing() async throws {
    let socket = try ListeningSocket(backlog: 8)
    var request = ClientRequest(url: "https://127.0.0.1:\(socket.port)/")
    request.options.connectTimeout = .milliseconds(500)
    let error = await failure { () async throws(TransportError) in
      try await CurlTransport.direct.send(request)
    }
    withExtendedLifetime(socket) {}
    #expect(error?.kind == .timedOut(.securing), "\(error as Any)")
  }

  @Test(
    "a request that cannot be sent to any upstream is refused before it is sent",
    arguments: [
      (ClientRequest(url: "fake url"), "the URL does not begin with http:// or https://"),
      (ClientRequest(url: "file:///etc/passwd"), "the URL does not begin with http:// or https://"),
      (ClientRequest(url: "http:/a"), "the URL does not begin with http:// or https://"),
      (
        ClientRequest(url: "http://a/b c"),
        "the URL has characters that are not percent-encoded"
      ),
      (
        ClientRequest(url: "http://a/é"),
        "the URL has characters that are not percent-encoded"
      ),
      (ClientRequest("GET /x", url: "http://a/"), "the method is not a token"),
      (ClientRequest(.head, url: "http://a/", body: []), "a HEAD request cannot have a body"),
      (ClientRequest(url: "http://a/", headers: ["X:": "1"]), "a header name is not valid"),
      (
        ClientRequest(url: "http://a/", headers: ["X": "1\r\nY: 2"]),
        "the value of X has a line end or another control character"
      ),
      (
        ClientRequest(url: "http://a/", headers: ["content-length": "1"]),
        "content-length cannot be set by the caller"
      ),
    ] as [(ClientRequest, String)])
  func invalid(request: ClientRequest, complaint: String) async {
    let error = await failure { () async throws(TransportError) in
      try await CurlTransport.direct.send(request)
    }
    #expect(error == TransportError(.invalidRequest, "\(request.place): \(complaint)"))
  }

  @Test("what curl cannot read as a URL is refused too", arguments: ["http://", "http://a:b/"])
  func unreadable(url: String) async {
    let error = await failure { () async throws(TransportError) in
      try await CurlTransport.direct.send(ClientRequest(url: url))
    }
    #expect(error?.kind == .invalidRequest, "\(error as Any)")
  }
}

extension CurlTransport {
  /// For requests that need no fake; whatever the environment says of proxies.
  static let direct: CurlTransport = {
    var configuration = CurlConfiguration()
    configuration.ignoresProxies = true
    return CurlTransport(configuration)
  }()
}

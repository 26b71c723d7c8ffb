import Foundation
import Testing
import UnderstudyHTTP

@testable import UnderstudyFakeServer

@Suite struct ProtocolTests {
  private static let ok = #""ok": { "status": 200, "text": "0123456789" }"#

  /// What comes on a connection that the server closes.
  private func response(
    to request: String, cases: String = ok
  ) async throws -> (head: String, body: String) {
    var text = ""
    try await WireServer.run(cases: cases) { server in
      let client = try server.client()
      client.send(request)
      let (all, end) = client.receiveAll()
      #expect(end == .closed)
      text = all
    }
    let end = try #require(text.range(of: "\r\n\r\n"))
    return (String(text[..<end.lowerBound]), String(text[end.upperBound...]))
  }

  @Test(
    "a client of HTTP/1.0 is closed unless it asks for more",
    arguments: ["GET /api/api/x HTTP/1.0\r\n\r\n", "GET /api/api/x HTTP/1.0\r\nHost: x\r\n\r\n"])
  func http10(request: String) async throws {
    let (head, body) = try await response(to: request)
    #expect(head.hasPrefix("HTTP/1.1 200 OK\r\n"))
    #expect(head.hasSuffix("\r\nConnection: close"))
    #expect(body == "0123456789")
  }

  @Test("a client that has sent a request gets a response or a reset")
  func noSilence() async throws {
    try await WireServer.run(cases: Self.ok) { server in
      for _ in 0..<50 {
        let client = try server.client()
        client.send("GET /api/api/x HTTP/1.1\r\nHost: x\r\n\r\n")
        #expect(await !client.isSilent(on: server.upstream))
      }
    }
  }

  @Test("a client of HTTP/1.0 that asks for more gets more")
  func http10KeepAlive() async throws {
    try await WireServer.run(cases: Self.ok) { server in
      let client = try server.client()
      for _ in 0..<3 {
        client.send("GET /api/api/x HTTP/1.0\r\nConnection: keep-alive\r\n\r\n")
        #expect(client.receive("0123456789").contains("\r\nConnection: keep-alive\r\n"))
      }
      #expect(await client.isSilent(on: server.upstream))
    }
  }

  @Test("chunks a client of HTTP/1.0 does not know become a body up to the end")
  func http10Chunked() async throws {
    let (head, body) = try await response(
      to: "GET /api/api/x HTTP/1.0\r\n\r\n",
      cases: #""ok": { "status": 200, "text": "0123456789", "framing": "chunked" }"#)
    #expect(!head.contains("Transfer-Encoding"))
    #expect(!head.contains("Content-Length"))
    #expect(body == "0123456789")
  }

  @Test(
    "the target may be absolute, and percent-encoded",
    arguments: ["http://x/api/api/x", "/api/api/%78"])
  func targets(target: String) async throws {
    let (head, body) = try await response(
      to: "GET \(target) HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
    #expect(head.hasPrefix("HTTP/1.1 200 OK\r\n"), "\(target)")
    #expect(body == "0123456789")
  }

  @Test("OPTIONS * is served with the methods and keeps the connection", arguments: ["x", "api"])
  func asterisk(host: String) async throws {
    try await WireServer.run(cases: Self.ok) { server in
      let client = try server.client()
      client.send("OPTIONS * HTTP/1.1\r\nHost: \(host)\r\n\r\n")
      client.send("GET /api/api/x HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
      let (text, _) = client.receiveAll()
      #expect(text.hasPrefix("HTTP/1.1 204 No Content\r\n"))
      #expect(text.contains("\r\nAllow: GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS\r\n"))
      #expect(text.hasSuffix("\r\n\r\n0123456789"))
    }
  }

  @Test("chunked bodies with extensions and trailers are read to their end, in any pieces")
  func chunkedBody() async throws {
    let request =
      "GET /api/api/x HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n"
      + "5;a=b\r\nhello\r\n1\r\n!\r\n0\r\nSum: 1\r\n\r\n"
      + "GET /api/api/x HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n"
    try await WireServer.run(cases: Self.ok) { server in
      for size in [1, 2, 7, 64, request.utf8.count] {
        let client = try server.client()
        var rest = Array(request.utf8)[...]
        while !rest.isEmpty {
          client.send(Array(rest.prefix(size)))
          rest = rest.dropFirst(size)
          if size == 64 { await server.settle() }
        }
        let (text, end) = client.receiveAll()
        #expect(text.split(separator: "HTTP/1.1 200 OK").count == 2)
        #expect(end == .closed)
      }
    }
  }

  @Test("a client that expects 100 Continue gets it, then the response")
  func expectContinue() async throws {
    try await WireServer.run(cases: Self.ok) { server in
      let client = try server.client()
      client.send(
        "GET /api/api/x HTTP/1.1\r\nHost: x\r\nExpect: 100-continue\r\nContent-Length: 2\r\n\r\n")
      #expect(client.receive("\r\n\r\n") == "HTTP/1.1 100 Continue\r\n\r\n")
      await server.settle()
      #expect(await client.isSilent(on: server.upstream))
      client.send("hi")
      #expect(client.receive("0123456789").hasPrefix("HTTP/1.1 200 OK\r\n"))
    }
  }

  @Test(
    "a client that expects 100 Continue and sends at once, or has nothing to send, is just responded"
  )
  func expectWithoutWaiting() async throws {
    for rest in ["Content-Length: 2\r\n\r\nhi", "\r\n", "Content-Length: 0\r\n\r\n"] {
      let (head, body) = try await response(
        to: "GET /api/api/x HTTP/1.1\r\nHost: x\r\nConnection: close\r\nExpect: 100-continue\r\n"
          + rest)
      #expect(head.hasPrefix("HTTP/1.1 200 OK\r\n"))
      #expect(body == "0123456789")
    }
  }

  @Test("a client that announces too large a body is refused at once")
  func expectTooMuch() async throws {
    let (head, _) = try await response(
      to: "GET /api/api/x HTTP/1.1\r\nHost: x\r\nExpect: 100-continue\r\n"
        + "Content-Length: 99999999999\r\n\r\n")
    #expect(head.hasPrefix("HTTP/1.1 413 Content Too Large\r\n"))
  }
}

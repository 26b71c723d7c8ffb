import Testing
import UnderstudyTestSupport

@testable import UnderstudyClient

/// Responds to that mean harm, on real sockets.
@Suite(.timeLimit(.minutes(5))) struct HostileResponseTests {
  // In a process of its own, for it was the process that died.
  @Test("a response that begins with a folded line touches nothing of the one before")
  func folded() async {
    await #expect(processExitsWith: .success) {
      let line = String(repeating: "y", count: 900)
      let head = "HTTP/1.1 200 OK\r\n f: \(line)\r\nX-0: v\r\nContent-Length: 2\r\n\r\nok"
      let peer = try BytesPeer(Array(head.utf8))
      let sound = try BytesPeer(headers: ["X-0: v"], body: Array("ok".utf8))
      for _ in 1...50 {
        let response = try await CurlTransport.direct.send(ClientRequest(url: sound.url))
        #expect(response.text == "ok")
        let error = await failure { () async throws(TransportError) in
          try await CurlTransport.direct.send(ClientRequest(url: peer.url))
        }
        #expect(
          error?.message
            == "GET \(peer.url): its head begins with a folded line (RFC 9112, section 5.2)")
      }
    }
  }

  @Test(
    "a header that some parsers read as two is malformed",
    arguments: [
      "X-A: a\rSet-Cookie: evil=1", "X-A\rB: a", "X-A: \ra", "X-A: a\r b", "X-A: a\u{0}b",
      "X-A: a\r\n b\rSet-Cookie: c=1",
    ])
  func carriageReturn(line: String) async throws {
    let peer = try BytesPeer(headers: [line], body: [])
    let error = await failure { () async throws(TransportError) in
      try await CurlTransport.direct.send(ClientRequest(url: peer.url))
    }
    #expect(error?.kind == .malformedResponse)
    var words = ["a header has a carriage return or NUL in it (RFC 9110, section 5.5)"]
    // Some versions of curl read names before they pass a line on.
    if line.hasPrefix("X-A\r") {
      words.append("a line of the head is not a header (RFC 9112, section 5)")
    }
    if !line.contains("\u{0}") {
      #expect(words.map { "GET \(peer.url): \($0)" }.contains(error?.message))
    }
  }

  @Test(
    "a body whose length is disputed is malformed",
    arguments: [
      ["Content-Length: 2", "Content-Length: 3"], ["Content-Length: 2, 3"], ["Content-Length: 2x"],
      ["content-length: 2,"], ["Content-Length: 2", "CONTENT-LENGTH: two"], ["Content-Length: -2"],
      ["Content-Length: 9223372036854775808"], ["Content-Length: 1e1"], ["Content-Length: 0x2"],
      ["Content-Length:"],
    ])
  func disputedLength(lines: [String]) async throws {
    let head = (["HTTP/1.1 200 OK"] + lines).map { "\($0)\r\n" }.joined()
    let peer = try BytesPeer(Array("\(head)\r\nok".utf8))
    let error = await failure { () async throws(TransportError) in
      try await CurlTransport.direct.send(ClientRequest(url: peer.url))
    }
    #expect(error?.kind == .malformedResponse)
  }

  @Test(
    "a length may be repeated",
    arguments: [["Content-Length: 2, 2"], ["Content-Length: 2", "Content-Length:\t2 "]])
  func repeatedLength(lines: [String]) async throws {
    let head = (["HTTP/1.1 200 OK"] + lines).map { "\($0)\r\n" }.joined()
    let peer = try BytesPeer(Array("\(head)\r\nok".utf8))
    let response = try await CurlTransport.direct.send(ClientRequest(url: peer.url))
    #expect(response.text == "ok")
  }

  @Test("a carriage return at the end of a line is white space")
  func ending() async throws {
    let peer = try BytesPeer(headers: ["X-A: a\r", "X-B:\r"], body: [])
    let response = try await CurlTransport.direct.send(ClientRequest(url: peer.url))
    #expect(response.headers["X-A"] == "a")
    #expect(response.headers["X-B"] == "")
  }

  @Test("an event of a closed socket is ignored, even when its number is reused")
  func staleEvent() {
    var sockets = WatchedSockets()
    let first = sockets.begin(7)
    let other = sockets.begin(3)
    #expect(sockets.descriptor(of: first) == 7)
    sockets.end(7)
    #expect(sockets.descriptor(of: first) == nil)
    let second = sockets.begin(7)
    #expect(sockets.descriptor(of: first) == nil)
    #expect(sockets.descriptor(of: second) == 7)
    #expect(sockets.mark(of: 7) == second)
    #expect(sockets.descriptor(of: other) == 3)
    #expect(sockets.descriptor(of: .max) == nil)
  }
}

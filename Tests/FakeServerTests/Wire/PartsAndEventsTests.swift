import Testing
import UnderstudyContractModel

@testable import UnderstudyFakeServer

/// Event streams, parts of bodies and tags over real connections, byte for byte.
@Suite struct PartsAndEventsTests {
  private static let cases = #"""
    "plain": { "status": 200, "text": "0123456789", "ranges": true, "etag": true },
    "big": { "status": 200, "file": "big", "ranges": true, "etag": true },
    "events": { "status": 200, "events": [
      { "id": "1", "data": "one" }, { "id": "2", "data": { "n": 2 }, "after": "200ms" },
      { "id": "3", "data": "three", "after": "1s" } ] },
    "quiet": { "like": "events", "stall": { "atEvent": 2 } },
    "reset": { "like": "events", "fault": { "name": "CONNECTION_RESET_IN_BODY", "atEvent": 1 } }
    """#

  private static func request(_ name: String, _ lines: String = "", method: String = "GET")
    -> String
  {
    "\(method) /api/api/x HTTP/1.1\r\nHost: x\r\nPrefer: example=\(name)\r\n\(lines)\r\n"
  }

  private static func head(_ status: String, _ name: String, _ lines: String...) -> String {
    "HTTP/1.1 \(status)\r\n" + lines.map { "\($0)\r\n" }.joined()
      + "Understudy-Contract: api/endpoint\r\nUnderstudy-Case: \(name)\r\nDate: \(Stage.httpDate)\r\n\r\n"
  }

  @Test("a part, the whole, nothing and too much, one after another on one connection")
  func conditions() async throws {
    let tag = ResponseConditions.tag(of: Array("0123456789".utf8))
    let plain = ["Accept-Ranges: bytes", "ETag: \(tag)"]
    try await WireServer.run(cases: Self.cases, isTimeStopped: true) { server in
      let client = try server.client()
      // Without a preference, on the short path.
      client.send("GET /api/api/x HTTP/1.1\r\nHost: x\r\n\r\n")
      #expect(
        client.receive("9")
          == Self.head("200 OK", "plain", plain[0], plain[1], "Content-Length: 10") + "0123456789")
      client.send("GET /api/api/x HTTP/1.1\r\nHost: x\r\nRANGE: bytes=3-5\r\n\r\n")
      #expect(
        client.receive("\r\n\r\n345")
          == Self.head(
            "206 Partial Content", "plain", plain[0], plain[1], "Content-Range: bytes 3-5/10",
            "Content-Length: 3") + "345")
      client.send(Self.request("plain", "Range: bytes=10-\r\n"))
      #expect(
        client.receive("\r\n\r\n")
          == Self.head(
            "416 Range Not Satisfiable", "plain", plain[0], plain[1], "Content-Range: bytes */10",
            "Content-Length: 0"))
      for method in ["GET", "HEAD"] {
        client.send(
          Self.request(
            "plain", "If-None-Match: \"x\"\r\nIf-None-Match: W/\(tag)\r\n", method: method))
        #expect(
          client.receive("\r\n\r\n")
            == Self.head("304 Not Modified", "plain", plain[0], plain[1]))
      }
      client.send(Self.request("plain", "Range: bytes=3-5\r\n", method: "HEAD"))
      #expect(
        client.receive("\r\n\r\n")
          == Self.head("200 OK", "plain", plain[0], plain[1], "Content-Length: 10"))
      // Two lines of Range are not one range.
      client.send(Self.request("plain", "Range: bytes=3-5\r\nRange: bytes=7-8\r\n"))
      #expect(client.receive("9").hasSuffix("\r\n\r\n0123456789"))
      let journal = await server.upstream.journal()
      #expect(journal.map(\.status) == [200, 206, 416, 304, 304, 200, 200])
      #expect(journal.allSatisfy { $0.caseName == "plain" && $0.outcome == .responded })
    }
  }

  @Test("a part of a large file is sent without the rest")
  func large() async throws {
    try await WireServer.run(cases: Self.cases, bigByteCount: 3 << 20) { server in
      let client = try server.client()
      client.send(Self.request("big", "Range: bytes=1048576-2097151\r\nConnection: close\r\n"))
      let (text, end) = client.receiveAll()
      #expect(text.hasPrefix("HTTP/1.1 206 Partial Content\r\n"))
      #expect(text.contains("\r\nContent-Range: bytes 1048576-2097151/3145728\r\n"))
      #expect(text.components(separatedBy: "\r\n\r\n").last?.utf8.count == 1 << 20)
      #expect(end == .closed)
      let again = try server.client()
      let tag = text.firstMatch(of: /ETag: (.*)\r\n/).map { String($0.1) } ?? ""
      again.send(Self.request("big", "If-None-Match: \(tag)\r\n"))
      #expect(again.receive("\r\n\r\n").hasPrefix("HTTP/1.1 304 Not Modified\r\n"))
      #expect(await server.upstream.journal().map(\.status) == [206, 304])
    }
  }

  private static let streamHead = [
    "Content-Type: text/event-stream", "Transfer-Encoding: chunked",
  ]

  @Test("events come when they are due, scaled as all times, and the connection goes on")
  func events() async throws {
    try await WireServer.run(cases: Self.cases, isTimeStopped: true) {
      $0.timeScale = 0.5
    } test: {
      server in
      let client = try server.client()
      client.send(Self.request("events"))
      #expect(
        client.receive("one\n\n\r\n")
          == Self.head("200 OK", "events", Self.streamHead[0], Self.streamHead[1])
          + "11\r\nid: 1\ndata: one\n\n\r\n")
      await server.advance(by: .milliseconds(99))
      #expect(client.receiveWaiting().bytes.isEmpty)
      await server.advance(by: .milliseconds(2))
      #expect(client.receive("\n\n\r\n") == "15\r\nid: 2\ndata: {\"n\":2}\n\n\r\n")
      await server.advance(by: .milliseconds(501))
      #expect(client.receive("0\r\n\r\n") == "13\r\nid: 3\ndata: three\n\n\r\n0\r\n\r\n")
      client.send(Self.request("events", method: "HEAD"))
      #expect(
        client.receive("\r\n\r\n")
          == Self.head("200 OK", "events", Self.streamHead[0], Self.streamHead[1]))
      #expect(await server.upstream.journal().map(\.outcome) == [.responded, .responded])
    }
  }

  @Test("a stream breaks or falls silent after its events, and is resumed")
  func broken() async throws {
    try await WireServer.run(cases: Self.cases, isTimeStopped: true) { server in
      let client = try server.client()
      client.send(Self.request("reset"))
      #expect(client.receive("one\n\n\r\n").hasSuffix("\r\n\r\n11\r\nid: 1\ndata: one\n\n\r\n"))
      for _ in 0..<3 { await server.advance(by: .seconds(5)) }
      #expect(client.receiveAll().end == .reset)
      let second = try server.client()
      second.send(Self.request("quiet", "Last-Event-ID: 1\r\n"))
      #expect(second.receive("\r\n\r\n").hasPrefix("HTTP/1.1 200 OK\r\n"))
      await server.advance(by: .milliseconds(201))
      #expect(second.receive("\n\n\r\n") == "15\r\nid: 2\ndata: {\"n\":2}\n\n\r\n")
      await server.advance(by: .seconds(1))
      #expect(second.receive("\n\n\r\n") == "13\r\nid: 3\ndata: three\n\n\r\n")
      await server.advance(by: .seconds(60))
      #expect(second.receiveWaiting() == ([], nil))
      let outcomes = await server.upstream.journal().map(\.outcome)
      #expect(outcomes == [.reset, .stalled])
    }
  }
}

import Testing
import UnderstudyContractModel
import UnderstudyHTTP

@testable import UnderstudyFakeServer

@Suite struct ResponseHeadTests {
  private static let plain =
    #""status": 200, "headers": { "B": "2", "A": ["1", "0"] }, "text": "hi""#
  private static let date = "Date: \(Stage.httpDate)"

  @Test("a head has status, the case's headers in order, length, names, date and what was added")
  func order() throws {
    var stage = try Stage(Self.plain)
    stage.context.namesCase = true
    stage.context.addedLines = Array("\r\nVary: Origin".utf8)
    stage.context.wish = .close
    #expect(
      stage.wire()
        == head(
          "HTTP/1.1 200 OK", "B: 2", "A: 1", "A: 0", "Content-Length: 2",
          "Understudy-Contract: api/endpoint", "Understudy-Case: only", Self.date,
          "Connection: close", "Vary: Origin") + "hi")
  }

  @Test(
    "there is a reason for every status the server sends by itself", arguments: Refusal.allCases)
  func refusals(refusal: Refusal) {
    #expect(!ReasonPhrase.text(of: refusal.status).isEmpty)
  }

  @Test("names of contract and case are left out on request")
  func withoutNames() throws {
    #expect(
      try Stage(Self.plain).wire()
        == head("HTTP/1.1 200 OK", "B: 2", "A: 1", "A: 0", "Content-Length: 2", Self.date) + "hi")
  }

  @Test(
    "a status has its registered reason, or an empty one",
    arguments: [
      (200, "OK"), (418, ""), (422, "Unprocessable Content"),
      (511, "Network Authentication Required"),
      (299, ""), (599, ""),
    ])
  func reason(status: Int, text: String) throws {
    let wire = try Stage(#""status": \#(status), "text": "x""#).wire()
    #expect(wire.hasPrefix("HTTP/1.1 \(status) \(text)\r\nContent-Length: 1\r\n"))
  }

  typealias Wish = ServingContext.ConnectionWish
  typealias Version = Response.Version

  struct Meeting: CustomStringConvertible {
    let response: String
    let client: Version
    let wish: Wish
    let lines: [String]
    let end: WireScript.End

    init(
      _ response: String, _ client: Version, _ wish: Wish, _ lines: [String], _ end: WireScript.End
    ) {
      (self.response, self.client, self.wish, self.lines, self.end) = (
        response, client, wish, lines, end
      )
    }

    var description: String { "\(response) to \(client), \(wish)" }
  }

  static let meetings: [Meeting] = [
    Meeting("1.1 length", .http11, .unsaid, ["Content-Length: 2"], .keepOpen),
    Meeting("1.1 length", .http11, .keepAlive, ["Content-Length: 2"], .keepOpen),
    Meeting("1.1 length", .http11, .close, ["Content-Length: 2", "Connection: close"], .close),
    Meeting("1.1 length", .http10, .unsaid, ["Content-Length: 2", "Connection: close"], .close),
    Meeting(
      "1.1 length", .http10, .keepAlive, ["Content-Length: 2", "Connection: keep-alive"], .keepOpen),
    Meeting("1.1 chunked", .http11, .unsaid, ["Transfer-Encoding: chunked"], .keepOpen),
    Meeting("1.1 chunked", .http10, .unsaid, ["Connection: close"], .close),
    Meeting("1.1 chunked", .http10, .keepAlive, ["Connection: close"], .close),
    Meeting("1.1 close", .http11, .keepAlive, ["Connection: close"], .close),
    Meeting("1.0 length", .http11, .unsaid, ["Content-Length: 2", "Connection: close"], .close),
    Meeting(
      "1.0 length", .http11, .keepAlive, ["Content-Length: 2", "Connection: keep-alive"], .keepOpen),
    Meeting(
      "1.0 length", .http10, .keepAlive, ["Content-Length: 2", "Connection: keep-alive"], .keepOpen),
    Meeting("1.0 close", .http10, .keepAlive, ["Connection: close"], .close),
  ]

  @Test("framing and connection follow from both sides' versions and wishes", arguments: meetings)
  func framing(meeting: Meeting) throws {
    let words = meeting.response.split(separator: " ")
    var stage = try Stage(
      #""status": 200, "text": "hi", "version": "\#(words[0])", "framing": "\#(words[1])""#)
    stage.context.clientVersion = meeting.client
    stage.context.wish = meeting.wish
    let isChunked = meeting.lines == ["Transfer-Encoding: chunked"]
    let lines = stage.wire().split(separator: "\r\n").map(String.init)
    #expect(lines.first == "HTTP/\(words[0]) 200 OK")
    #expect(lines.filter { $0.contains(": ") && $0 != Self.date } == meeting.lines)
    #expect(stage.bodyText() == (isChunked ? "2\r\nhi\r\n0\r\n\r\n" : "hi"))
    #expect(stage.script().end == meeting.end)
  }

  @Test(
    "HEAD gets the head of GET and no body",
    arguments: [
      #""text": "hi""#, #""text": "hi", "framing": "chunked""#,
      #""text": "hi", "framing": "close""#,
      #""text": "hi {uuid}", "template": ["body"]"#, #""text": "hi", "encoding": "gzip""#,
      #""text": "hi", "pace": { "bytesPerSecond": 1 }"#,
      #""text": "hi", "malform": { "contentLength": 5 }"#,
      #""text": "hi", "fault": "MALFORMED_RESPONSE_CHUNK""#,
      #""text": "hi", "fault": "CONNECTION_CLOSED_IN_BODY""#,
    ])
  func headOnly(response: String) throws {
    var stage = try Stage(#""status": 200, "# + response)
    let get = stage.wire()
    stage.context.isHead = true
    let end = try #require(get.firstRange(of: "\r\n\r\n")).upperBound
    #expect(stage.wire() == get[..<end])
    #expect(end < get.endIndex)
  }

  @Test(
    "a response that ends with its head has no body and no header about one",
    arguments: [
      (204, "No Content", true), (304, "Not Modified", true),
    ],
    [
      "", #", "framing": "chunked""#, #", "encoding": "gzip""#,
      #", "malform": { "gzip": "corrupt" }"#,
    ])
  func bodiless(status: (Int, String, Bool), more: String) throws {
    let (number, reason, keeps) = status
    let stage = try Stage(#""status": \#(number), "text": "not to be sent""# + more)
    let lines = keeps ? [] : ["Connection: close"]
    #expect(
      stage.wire()
        == (["HTTP/1.1 \(number) \(reason)", Self.date] + lines).joined(separator: "\r\n")
        + "\r\n\r\n")
    #expect(stage.script().end == (keeps ? .keepOpen : .close))
  }

  @Test("an empty body is declared as such")
  func empty() throws {
    #expect(
      try Stage(#""status": 404"#).wire()
        == head("HTTP/1.1 404 Not Found", "Content-Length: 0", Self.date))
  }

  @Test(
    "a static response appends what the script sends", arguments: ["length", "chunked", "close"])
  func staticResponse(framing: String) throws {
    var stage = try Stage(#""status": 200, "text": "hi", "framing": "\#(framing)""#)
    for isHead in [false, true] {
      for wish in [Wish.close, .keepAlive, .unsaid] {
        for version in [Version.http10, .http11] {
          for namesCase in [false, true] {
            stage.context = ServingContext(
              isHead: isHead, clientVersion: version, wish: wish, namesCase: namesCase,
              addedLines: Array("\r\nX: y".utf8), now: Stage.now)
            guard let response = stage.servable.staticResponse(for: stage.context) else {
              #expect(framing == "chunked" && version == .http10)
              continue
            }
            var output = ByteBuffer()
            defer { output.removeAll() }
            output.append("before")
            let keepsConnection = response.append(to: &output, for: stage.context)
            #expect(Array(output.bytes) == Array("before".utf8) + stage.bytes())
            #expect(keepsConnection == (stage.script().end == .keepOpen))
          }
        }
      }
    }
  }

  @Test(
    "what depends on the request or on time is not static",
    arguments: [
      #""text": "{uuid}", "template": ["body"]"#,
      #""text": "x", "headers": { "A": "{uuid}" }, "template": ["headers"]"#,
      #""text": "x", "pace": { "bytesPerSecond": 1 }"#, #""text": "x", "stall": "afterHead""#,
      #""text": "x", "fault": "MALFORMED_HEADER""#,
    ])
  func notStatic(response: String) throws {
    let stage = try Stage(#""status": 200, "# + response)
    #expect(stage.servable.staticResponse(for: stage.context) == nil)
  }

  @Test(
    "a delay, or a template without expressions, leaves a response static",
    arguments: [
      #""text": "x", "delay": { "fixed": "2s" }"#,
      #""text": "{x}", "template": ["body", "headers"]"#,
    ])
  func stillStatic(response: String) throws {
    let stage = try Stage(#""status": 200, "# + response)
    #expect(stage.servable.staticResponse(for: stage.context) != nil)
  }
}

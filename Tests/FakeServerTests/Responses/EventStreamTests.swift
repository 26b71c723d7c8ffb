import Testing
import UnderstudyContractModel

@testable import UnderstudyFakeServer

@Suite struct EventStreamTests {
  private static let events = #"""
    "status": 200, "events": [
      { "id": "1", "event": "price", "retry": "3s", "data": { "eur": 12, "at": [1, 2] } },
      { "id": "2", "data": "two\r\nlines\n", "after": "200ms" },
      { "data": "last", "after": "1s" }
    ]
    """#
  private static let head =
    "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n"
    + "Date: \(Stage.httpDate)\r\n\r\n"
  private static let first =
    chunk("event: price\nid: 1\nretry: 3000\ndata: {\"eur\":12,\"at\":[1,2]}\n\n")
  private static let second = chunk("id: 2\ndata: two\ndata: lines\ndata: \n\n")
  private static let third = chunk("data: last\n\n")
  private static let end = "0\r\n\r\n"

  private static func chunk(_ text: String) -> String {
    "\(String(text.utf8.count, radix: 16))\r\n\(text)\r\n"
  }

  private static func stage(_ more: String = "") throws -> Stage { try Stage(events + more) }

  @Test("each event is a chunk, sent after its time; then the stream ends")
  func whole() throws {
    #expect(
      try Self.stage().transcript() == [
        Self.head, Self.first, "pause 0.2 seconds", Self.second, "pause 1.0 seconds",
        Self.third + Self.end, "keepOpen",
      ])
    #expect(
      try Stage(#""status": 200, "events": []"#).transcript() == [Self.head, Self.end, "keepOpen"])
  }

  @Test(
    "stalls and breaks after a number of events",
    arguments: [
      (#""stall": { "atEvent": 0 }"#, ["stall", "keepOpen"]),
      (#""stall": { "atEvent": 1 }"#, [first, "stall", "keepOpen"]),
      (
        #""stall": { "atEvent": 3 }"#,
        [first, "pause 0.2 seconds", second, "pause 1.0 seconds", third, "stall", "keepOpen"]
      ),
      (#""stall": "afterHead""#, ["stall", "keepOpen"]),
      (
        #""fault": { "name": "CONNECTION_RESET_IN_BODY", "atEvent": 2 }"#,
        [first, "pause 0.2 seconds", second, "reset"]
      ),
      (#""fault": { "name": "CONNECTION_CLOSED_IN_BODY", "atEvent": 0 }"#, ["close"]),
      (
        #""fault": { "name": "CONNECTION_CLOSED_IN_BODY" }"#,
        [first, "pause 0.2 seconds", second, "pause 1.0 seconds", third, "close"]
      ),
      (
        #""fault": "CONNECTION_RESET_IN_BODY""#,
        [first, "pause 0.2 seconds", second, "pause 1.0 seconds", third, "reset"]
      ),
      (#""fault": "MALFORMED_RESPONSE_CHUNK""#, ["no such thing\r\n", "close"]),
    ])
  func broken(ending: String, steps: [String]) throws {
    #expect(try Self.stage(", \(ending)").transcript() == [Self.head] + steps)
  }

  @Test("the end of the connection may end the stream, for old clients it does")
  func untilClose() throws {
    let parts = ["event: price\nid: 1\nretry: 3000\ndata: {\"eur\":12,\"at\":[1,2]}\n\n"]
    for response in [#", "framing": "close""#, #", "version": "1.0""#] {
      let transcript = try Self.stage(response).transcript()
      #expect(transcript[0].hasSuffix("Connection: close\r\n\r\n"))
      #expect(!transcript[0].contains("Transfer-Encoding"))
      #expect(Array(transcript[1..<3]) == parts + ["pause 0.2 seconds"])
      #expect(transcript.last == "close")
    }
    var old = try Self.stage()
    old.context.clientVersion = .http10
    #expect(old.transcript()[1] == parts[0])
    #expect(old.transcript().last == "close")
  }

  @Test(
    "a client resumes after the last event it got",
    arguments: [
      ("1", ["pause 0.2 seconds", second, "pause 1.0 seconds", third + end]),
      ("2", ["pause 1.0 seconds", third + end]),
      (
        "7",
        [first, "pause 0.2 seconds", second, "pause 1.0 seconds", third + end]
      ),
      (
        "",
        [first, "pause 0.2 seconds", second, "pause 1.0 seconds", third + end]
      ),
    ])
  func resumed(id: String, steps: [String]) throws {
    var stage = try Self.stage()
    stage.request.headers["Last-Event-ID"] = id
    #expect(stage.transcript() == [Self.head] + steps + ["keepOpen"])
  }

  @Test("events before a break count from where the client resumed")
  func resumedFault() throws {
    var stage = try Self.stage(#", "fault": { "name": "CONNECTION_RESET_IN_BODY", "atEvent": 1 }"#)
    stage.request.headers["Last-Event-ID"] = "1"
    #expect(stage.transcript() == [Self.head, "pause 0.2 seconds", Self.second, "reset"])
    stage.request.headers["Last-Event-ID"] = "2"
    #expect(stage.transcript() == [Self.head, "pause 1.0 seconds", Self.third, "reset"])
  }

  @Test("HEAD gets the head and nothing else")
  func headOnly() throws {
    var stage = try Self.stage()
    stage.context.isHead = true
    #expect(stage.transcript() == [Self.head, "keepOpen"])
  }

  @Test("templates fill data, type and id, and no value leaves its field")
  func templates() throws {
    var stage = try Stage(
      #"""
      "status": 200, "template": ["body"], "events": [
        { "id": "{query.a}", "event": "{query.a}", "data": "<{query.a}>\n{counter}" },
        { "id": "n{counter}", "data": { "a": "{query.a}", "n": "{counter as json}", "t": "{now /d}" } }
      ]
      """#)
    stage.request.query["a"] = "x\r\nid: 9\ndata: \"y\"\r\rz"
    let text = stage.transcript()
    #expect(
      text[1]
        == Self.chunk(
          "event: xid: 9data: \"y\"z\nid: xid: 9data: \"y\"z\n"
            + "data: <x\ndata: id: 9\ndata: data: \"y\"\ndata: \ndata: z>\ndata: 1\n\n"))
    #expect(
      text[2]
        == Self.chunk(
          #"id: n1"# + "\n"
            + #"data: {"a":"x\r\nid: 9\ndata: \"y\"\r\rz","n":1,"t":"1994-11-06T00:00:00Z"}"#
            + "\n\n"
        ) + Self.end)
    stage.request.headers["Last-Event-ID"] = "n1"
    #expect(stage.transcript().dropFirst() == [Self.end, "keepOpen"])
  }

  @Test("a mutated stream is sent at once, one of another type as it is")
  func mutated() throws {
    #expect(
      try Self.stage(#", "malform": { "truncateAt": 9 }"#).transcript()
        == [Self.head, Self.chunk("event: pr") + Self.end, "keepOpen"])
    let other = try Self.stage(#", "malform": { "contentType": "text/plain" }"#).transcript()
    #expect(other[0].contains("\r\nContent-Type: text/plain\r\n"))
    #expect(other[1...2] == [Self.first, "pause 0.2 seconds"])
  }

  @Test("a type of the case's own replaces that of event streams")
  func contentType() throws {
    let stage = try Stage(
      #""status": 200, "headers": { "content-type": "text/event-stream; charset=utf-8" }, "events": []"#
    )
    #expect(
      stage.wire().hasPrefix(
        "HTTP/1.1 200 OK\r\ncontent-type: text/event-stream; charset=utf-8\r\nTransfer-Encoding:"))
  }
}

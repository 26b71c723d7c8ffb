import Testing

@testable import UnderstudyFakeServer

/// Cases by the dates in a request, which are compared with the server's clock.
@Suite struct DateCaseTests {
  private static let cases = #"""
    "other": { "status": 200, "text": "other" },
    "soon": {
      "status": 200, "text": "soon",
      "when": { "request": { "query.from": { "after": "now", "before": "now +3d" } } }
    },
    "today": {
      "status": 200, "text": "today",
      "when": { "request": { "query.from": { "at": "now/d", "steps": "/d" } } }
    },
    "old": {
      "status": 304,
      "when": { "request": { "header.If-Modified-Since": { "after": "now -1d/d" } } }
    },
    "booked": {
      "status": 201, "text": "booked",
      "when": { "request": { "body": { "schema": { "required": ["day"], "properties": {
        "day": { "x-date": { "after": "now", "format": "dd.MM.yyyy" } } } } } } }
    },
    "form": {
      "status": 202, "text": "form",
      "when": { "request": { "body": { "form": {
        "until": { "before": "2026-01-31", "format": "unix" } } } } }
    }
    """#

  @Test("queries, headers, bodies and forms")
  func dates() async throws {
    // The clock stands at Sun, 06 Nov 1994 08:49:37 GMT.
    try await WireServer.run(cases: Self.cases, isTimeStopped: true) { (server) async throws in
      func served(_ query: String, _ headers: String = "", body: String = "") throws -> String {
        let client = try server.client()
        let sent = client.send(
          """
          GET /api/api/x?\(query) HTTP/1.1\r\nHost: a\r\nContent-Length: \(body.utf8.count)\r\n\
          \(headers)Connection: close\r\n\r\n\(body)
          """)
        #expect(sent)
        let text = client.receiveAll().text
        return text.hasPrefix("HTTP/1.1 304")
          ? "old" : String(text.split(separator: "\r\n").last ?? "")
      }
      #expect(try served("from=1994-11-06T08:49:38Z") == "soon")
      #expect(try served("from=1994-11-09T08:49:36%2B00:00") == "soon")
      #expect(try served("from=1994-11-06T00:00:01Z") == "today")
      #expect(try served("from=1994-11-05T23:59:59Z") == "other")
      #expect(try served("from=1994-11-09T08:49:37Z") == "other")
      #expect(try served("from=soon") == "other")
      let since = { (date: String) in "If-Modified-Since: \(date)\r\n" }
      #expect(try served("", since("Sat, 05 Nov 1994 00:00:01 GMT")) == "old")
      #expect(try served("", since("Sat, 05 Nov 1994 00:00:00 GMT")) == "other")
      #expect(try served("", body: #"{"day":"07.11.1994"}"#) == "booked")
      #expect(try served("", body: #"{"day":"06.11.1994"}"#) == "other")
      #expect(try served("", body: "until=784111777") == "form")
      #expect(try served("", body: "until=1994-11-06") == "other")
    }
  }
}

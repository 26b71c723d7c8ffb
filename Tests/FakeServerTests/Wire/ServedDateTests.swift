import Testing

@Suite struct ServedDateTests {
  @Test("all dates of a response are of one moment, in its head, its text and its JSON")
  func dates() async throws {
    let cases = #"""
      "ok": { "status": 200, "template": ["headers", "body"],
        "headers": { "Expires": "{now.http +1h}", "X-Day": "{now /d in +02:00 EEE d MMM yyyy}" },
        "body": { "at": "{now}", "day": "{now -3d/d yyyy-MM-dd'T'HH:mm}",
          "seconds": "{now.unix +1m as json}", "milliseconds": "{now.unixMilliseconds as json}" } },
      "text": { "status": 200, "text": "{now +1M in -08:00}|{now yyyy''MM}", "template": ["body"] }
      """#
    try await WireServer.run(cases: cases, isTimeStopped: true) { server in
      let client = try server.client()
      client.send("GET /api/api/x HTTP/1.1\r\nHost: a\r\n\r\n")
      #expect(
        client.receive("000}") == """
          HTTP/1.1 200 OK\r
          Expires: Sun, 06 Nov 1994 09:49:37 GMT\r
          X-Day: Sun 6 Nov 1994\r
          Content-Length: 102\r
          Understudy-Contract: api/endpoint\r
          Understudy-Case: ok\r
          Date: Sun, 06 Nov 1994 08:49:37 GMT\r
          \r
          {"at":"1994-11-06T08:49:37Z","day":"1994-11-03T00:00","seconds":784111837,\
          "milliseconds":784111777000}
          """)
      client.send("GET /api/api/x HTTP/1.1\r\nHost: a\r\nPrefer: example=text\r\n\r\n")
      #expect(client.receive("'11").hasSuffix("\r\n\r\n1994-12-06T00:49:37-08:00|1994'11"))
    }
  }
}

import Testing

@testable import UnderstudyFakeServer

@Suite struct ResponseConditionTests {
  private static let body = #""status": 200, "text": "0123456789", "ranges": true, "etag": true"#
  private static let tag = ResponseConditions.tag(of: Array("0123456789".utf8))

  private static func served(_ response: String = body, asking headers: [String: String]) throws
    -> Stage
  {
    var stage = try Stage(response)
    stage.request.headers = headers
    return stage
  }

  private static func whole(_ framing: String = "Content-Length: 10") -> String {
    head(
      "HTTP/1.1 200 OK", "Accept-Ranges: bytes", "ETag: \(tag)", framing,
      "Date: \(Stage.httpDate)")
  }

  @Test("a tag is strong, and the same in every run")
  func tags() {
    #expect(Self.tag == #""a-50c0aafd8b4330b2""#)
    #expect(Self.tag != ResponseConditions.tag(of: Array("0123456798".utf8)))
    #expect(ResponseConditions.tag(of: []) == #""0-cbf29ce484222325""#)
  }

  @Test("without conditions the whole response says what may be asked")
  func whole() throws {
    #expect(try Self.served(asking: [:]).wire() == Self.whole() + "0123456789")
  }

  @Test(
    "one range of bytes gets just that",
    arguments: [
      ("bytes=0-0", "0-0", "0"), ("bytes=2-4", "2-4", "234"), ("bytes=7-", "7-9", "789"),
      ("bytes=-3", "7-9", "789"), ("bytes=0-", "0-9", "0123456789"),
      ("bytes=-99", "0-9", "0123456789"), ("bytes=8-99999999999999999999999", "8-9", "89"),
      ("Bytes= 9-9", "9-9", "9"),
    ])
  func part(range: String, place: String, bytes: String) throws {
    #expect(
      try Self.served(asking: ["Range": range]).wire()
        == head(
          "HTTP/1.1 206 Partial Content", "Accept-Ranges: bytes", "ETag: \(Self.tag)",
          "Content-Range: bytes \(place)/10", "Content-Length: \(bytes.utf8.count)",
          "Date: \(Stage.httpDate)") + bytes)
  }

  @Test(
    "a range beyond the end gets 416 and the length",
    arguments: ["bytes=10-", "bytes=10-20", "bytes=-0", "bytes=99999999999999999999999-"])
  func unsatisfiable(range: String) throws {
    #expect(
      try Self.served(asking: ["Range": range]).wire()
        == head(
          "HTTP/1.1 416 Range Not Satisfiable", "Accept-Ranges: bytes", "ETag: \(Self.tag)",
          "Content-Range: bytes */10", "Content-Length: 0", "Date: \(Stage.httpDate)"))
  }

  @Test(
    "what is no single range gets the whole response",
    arguments: [
      "", "bytes", "bytes=", "bytes=-", "bytes=4-2", "bytes=0-1,3-4", "bytes=a-b", "bytes=1",
      "bytes=1-2-3", "items=0-1", "bytes=+1-2", "bytes=0x1-2", "bytes=1 -2", "0-1",
    ])
  func ignored(range: String) throws {
    #expect(try Self.served(asking: ["Range": range]).wire() == Self.whole() + "0123456789")
  }

  @Test("a part is only sent of the response that the client knows")
  func ifRange() throws {
    let response = Self.body + #", "headers": { "Last-Modified": "Sun, 06 Nov 1994 08:49:37 GMT" }"#
    for (validator, isPart) in [
      (Self.tag, true), ("W/\(Self.tag)", false), ("\"other\"", false), ("", false),
      ("Sun, 06 Nov 1994 08:49:37 GMT", true), ("Sun, 06 Nov 1994 08:49:38 GMT", false),
    ] {
      let stage = try Self.served(response, asking: ["Range": "bytes=0-1", "If-Range": validator])
      #expect(stage.bodyText() == (isPart ? "01" : "0123456789"), "\(validator)")
    }
    let weak = Self.body + #", "headers": { "ETag": "W/\"a\"" }"#
    let stage = try Self.served(weak, asking: ["Range": "bytes=0-1", "If-Range": "W/\"a\""])
    #expect(stage.bodyText() == "0123456789")
  }

  @Test(
    "a client that has the response gets 304",
    arguments: [
      ("*", true), (" * ", true), ("TAG", true), ("W/TAG", true), ("\"x\", TAG", true),
      ("\"x\",W/\"y\" ,\tTAG", true), ("\"x\"", false), ("", false), ("x, TAG", false),
      ("\"unclosed", false), ("**", false), ("\"*\"", false),
    ])
  func notModified(list: String, isKnown: Bool) throws {
    let response = Self.body + #", "headers": { "Content-Type": "text/plain", "Vary": "Accept" }"#
    for isHead in [false, true] {
      var stage = try Self.served(
        response,
        asking: ["If-None-Match": list.replacing("TAG", with: Self.tag), "Range": "bytes=0-1"])
      stage.context.isHead = isHead
      let wire = stage.wire()
      guard isKnown else {
        #expect(wire.hasPrefix(isHead ? "HTTP/1.1 200 OK\r\n" : "HTTP/1.1 206 Partial Content\r\n"))
        continue
      }
      #expect(
        wire
          == head(
            "HTTP/1.1 304 Not Modified", "Vary: Accept", "Accept-Ranges: bytes",
            "ETag: \(Self.tag)", "Date: \(Stage.httpDate)"))
    }
  }

  @Test("a case's own tag is used, templates included")
  func ownTag() throws {
    let own =
      #""status": 200, "text": "x", "etag": true, "headers": { "ETag": "W/\"{query.v}\"" }, "#
      + #""template": ["headers"]"#
    var stage = try Self.served(own, asking: ["If-None-Match": #""7""#])
    stage.request.query["v"] = "7"
    #expect(stage.wire().hasPrefix("HTTP/1.1 304 Not Modified\r\nETag: W/\"7\"\r\nDate:"))
    stage.request.query["v"] = "8"
    #expect(stage.wire().hasPrefix("HTTP/1.1 200 OK\r\nETag: W/\"8\"\r\nContent-Length: 1\r\n"))
  }

  @Test("the tag of a body with templates is that of the filled body")
  func filled() throws {
    var stage = try Self.served(
      #""status": 200, "text": "<{query.a}>", "template": ["body"], "etag": true, "ranges": true"#,
      asking: ["If-None-Match": ResponseConditions.tag(of: Array("<7>".utf8))])
    stage.request.query["a"] = "7"
    #expect(stage.wire().hasPrefix("HTTP/1.1 304 Not Modified\r\n"))
    stage.request.query["a"] = "8"
    #expect(stage.wire().contains("ETag: \(ResponseConditions.tag(of: Array("<8>".utf8)))\r\n"))
    stage.request.headers = ["Range": "bytes=1-1"]
    #expect(stage.bodyText() == "8")
  }

  @Test("the tag of a compressed body is of the compressed bytes, and of each framing the same")
  func encoded() throws {
    let bytes = ContentCoding.gzip.encode(Array("x".utf8))
    let stage = try Self.served(
      #""status": 200, "text": "x", "encoding": "gzip", "etag": true"#, asking: [:])
    #expect(stage.wire().contains("\r\nETag: \(ResponseConditions.tag(of: bytes))\r\n"))
    let chunked = try Self.served(
      Self.body + #", "framing": "chunked""#, asking: ["Range": "bytes=2-4"])
    #expect(chunked.bodyText() == "3\r\n234\r\n0\r\n\r\n")
  }
}

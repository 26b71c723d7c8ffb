import Testing

@testable import UnderstudyFakeServer

@Suite struct ResponseMalformationTests {
  private static let body = #"{"id":7,"name":"Rex"}"#
  private static let good = #"""
    "status": 200, "headers": { "A": "1", "content-type": "application/json", "Z": "26" },
    "body": { "id": 7, "name": "Rex" },
    """#

  struct Mutation: CustomStringConvertible {
    let malform: String
    var type = "content-type: application/json"
    let lines: [String]
    let body: [UInt8]
    var end = WireScript.End.keepOpen

    init(
      _ malform: String, type: String = "content-type: application/json", _ lines: [String],
      _ body: some Sequence<UInt8>, _ end: WireScript.End = .keepOpen
    ) {
      (self.malform, self.type, self.lines, self.end) = (malform, type, lines, end)
      self.body = Array(body)
    }

    var description: String { malform }
  }

  static let mutations: [Mutation] = [
    Mutation(#""truncateAt": 17"#, ["Content-Length: 17"], #"{"id":7,"name":"R"#.utf8),
    Mutation(#""truncateAt": 0"#, ["Content-Length: 0"], []),
    Mutation(
      #""insert": { "at": 1, "text": "," }"#, ["Content-Length: 22"],
      #"{,"id":7,"name":"Rex"}"#.utf8),
    Mutation(
      #""invalidUTF8At": 17"#, ["Content-Length: 22"],
      Array(#"{"id":7,"name":"R"#.utf8) + [0xFF] + Array(#"ex"}"#.utf8)),
    Mutation(
      #""set": { "/id": "7", "/age": 3 }"#, ["Content-Length: 31"],
      #"{"id":"7","name":"Rex","age":3}"#.utf8),
    Mutation(#""remove": ["/name"]"#, ["Content-Length: 8"], #"{"id":7}"#.utf8),
    Mutation(
      #""html": "<p>Böse</p>""#, type: "Content-Type: text/html", ["Content-Length: 12"],
      "<p>Böse</p>".utf8),
    Mutation(#""empty": true"#, ["Content-Length: 0"], []),
    Mutation(
      #""contentType": "text/plain""#, type: "Content-Type: text/plain", ["Content-Length: 21"],
      body.utf8),
    Mutation(
      #""gzip": "plain""#, ["Content-Encoding: gzip", "Content-Length: 21"], body.utf8),
    Mutation(
      #""contentLength": 5"#, ["Content-Length: 26", "Connection: close"], body.utf8, .close),
    Mutation(
      #""contentLength": -5"#, ["Content-Length: 16", "Connection: close"], body.utf8, .close),
  ]

  @Test(
    "a malformation is on the wire exactly as declared, and nothing else is", arguments: mutations)
  func bytes(mutation: Mutation) throws {
    let stage = try Stage(Self.good + #""malform": { \#(mutation.malform) }"#)
    var lines = ["HTTP/1.1 200 OK", "A: 1", mutation.type, "Z: 26"] + mutation.lines
    let dateIndex = lines.firstIndex(of: "Connection: close") ?? lines.endIndex
    lines.insert("Date: \(Stage.httpDate)", at: dateIndex)
    let expected = Array((lines.joined(separator: "\r\n") + "\r\n\r\n").utf8) + mutation.body
    #expect(stage.bytes() == expected, "got \(stage.wire())")
    #expect(stage.script().end == mutation.end)
  }

  @Test("a type is added to a response that had none, in place of all it had")
  func types() throws {
    let without = try Stage(#""status": 200, "text": "x", "malform": { "html": "<p>" }"#).wire()
    #expect(
      without
        == head(
          "HTTP/1.1 200 OK", "Content-Type: text/html", "Content-Length: 3",
          "Date: \(Stage.httpDate)") + "<p>")
    let many = try Stage(
      #"""
      "status": 200, "headers": { "Content-Type": ["a/b", "c/d"] }, "text": "x",
      "malform": { "contentType": "e/f" }
      """#
    ).wire()
    #expect(
      many
        == head(
          "HTTP/1.1 200 OK", "Content-Type: e/f", "Content-Length: 1", "Date: \(Stage.httpDate)")
        + "x")
  }

  @Test("an empty body has a length of 0 whatever its framing and encoding")
  func empty() throws {
    let stage = try Stage(
      Self.good + #""framing": "chunked", "encoding": "gzip", "malform": { "empty": true }"#)
    #expect(
      stage.wire()
        == head(
          "HTTP/1.1 200 OK", "A: 1", "content-type: application/json", "Z: 26", "Content-Length: 0",
          "Date: \(Stage.httpDate)"))
  }

  @Test("a body is mutated before it is compressed")
  func order() throws {
    let stage = try Stage(Self.good + #""encoding": "gzip", "malform": { "truncateAt": 3 }"#)
    #expect(stage.body() == ContentCoding.gzip.encode(Array(#"{"i"#.utf8)))
  }
}

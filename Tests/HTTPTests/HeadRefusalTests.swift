import Testing
import UnderstudyHTTP

/// A head that is not taken, with the whole of the response.
struct RefusedHead: Sendable, CustomTestStringConvertible {
  let text: String
  let response: String

  init(_ text: String, _ response: String) {
    self.text = text
    self.response = response
  }

  /// A field after the Host field.
  static func field(_ line: String, _ response: String) -> RefusedHead {
    RefusedHead("POST / HTTP/1.1\r\nHost: a\r\n\(line)\r\n\r\n", response)
  }

  var testDescription: String { String(text.debugDescription.prefix(60)) }

  private static let line = """
    400 expected a request line like "GET /path HTTP/1.1", with one space between its parts
    """
  private static let form = """
    400 expected a request target that begins with "/", an http:// URL, or "*" with OPTIONS
    """
  private static let connect =
    "400 expected a host and a port after CONNECT, such as api.example.com:443"
  private static let target = """
    400 the request target has a character that must be percent-encoded
    """
  private static let version = """
    400 expected the version HTTP/1.1 or HTTP/1.0 at the end of the request line
    """
  private static let method = "400 the method has a character that is not allowed in it"
  private static let host = """
    400 expected a host name or address with an optional port as the host
    """
  private static let name = """
    400 the name of a field is empty or has a character not allowed in it
    """
  private static let fold = """
    400 a line begins with whitespace: folding values over lines is obsolete
    """
  private static let bareLineFeed = "400 a line feed without a carriage return in the head"
  private static let bareReturn = "400 a carriage return without a line feed in the head"
  private static let length = "400 Content-Length is not a number of 1 to 18 digits"
  private static let tab =
    "400 found a tab around the value of Content-Length or Transfer-Encoding, expected only spaces"
  private static let coding = "400 Transfer-Encoding is not a list of transfer codings"

  static let requestLines = [
    RefusedHead(
      "\r\n\r\nGET / HTTP/1.1\r\n", "400 more than one empty line before the request line"),
    RefusedHead("\nGET / HTTP/1.1\r\n", bareLineFeed),
    RefusedHead("\r\r\nGET / HTTP/1.1\r\n", bareReturn),
    RefusedHead(
      "\u{16}\u{3}\u{1}\u{2}\0\u{1}\0\u{1}\u{FC}\u{3}\u{3}",
      "400 found the beginning of a TLS handshake, expected plain HTTP: use http://"),
    RefusedHead(" GET / HTTP/1.1\r\n", line),
    RefusedHead("GET\r\n", line),
    RefusedHead("GET \r\n", line),
    RefusedHead("GET /\r\n\r\n", line),
    RefusedHead("GET / \r\n\r\n", line),
    RefusedHead("GET  / HTTP/1.1\r\n", line),
    RefusedHead("GET /  HTTP/1.1\r\n", line),
    RefusedHead("GET /a b HTTP/1.1\r\n", line),
    RefusedHead("GET / http/1.1\r\n", line),
    RefusedHead("G@T / HTTP/1.1\r\n", method),
    RefusedHead("GET\t/ HTTP/1.1\r\n", method),
    RefusedHead("GÉT / HTTP/1.1\r\n", method),
    RefusedHead("GET\0 / HTTP/1.1\r\n", method),
    RefusedHead(
      "\(String(repeating: "A", count: 33)) / HTTP/1.1\r\n",
      "501 the method is longer than any known method"),
    RefusedHead("CONNECT a HTTP/1.1\r\n", connect),
    RefusedHead("CONNECT a: HTTP/1.1\r\n", connect),
    RefusedHead("CONNECT / HTTP/1.1\r\n", connect),
    RefusedHead("CONNECT http://a:443 HTTP/1.1\r\n", connect),
    RefusedHead("CONNECT a:443?b HTTP/1.1\r\n", connect),
    RefusedHead("GET /\t HTTP/1.1\r\n", target),
    RefusedHead("GET /\0 HTTP/1.1\r\n", target),
    RefusedHead("GET /\u{7F} HTTP/1.1\r\n", target),
    RefusedHead("GET /é HTTP/1.1\r\n", target),
    RefusedHead("GET /?é HTTP/1.1\r\n", target),
    RefusedHead("GET /\nHTTP/1.1\r\n", line),
    RefusedHead(
      "GET /a#b HTTP/1.1\r\n", "400 the request target has a fragment: \"#\" must be sent as %23"),
    RefusedHead("GET a HTTP/1.1\r\n", form),
    RefusedHead("GET * HTTP/1.1\r\n", form),
    RefusedHead("OPTIONS ** HTTP/1.1\r\n", form),
    RefusedHead("OPTIONS *?a HTTP/1.1\r\n", form),
    RefusedHead("GET ?a HTTP/1.1\r\n", form),
    RefusedHead("GET ftp://a/ HTTP/1.1\r\n", form),
    RefusedHead("GET http:/a HTTP/1.1\r\n", form),
    RefusedHead("GET http:///a HTTP/1.1\r\n", host),
    RefusedHead("GET http://?a HTTP/1.1\r\n", host),
    RefusedHead("GET http://u:p@a/ HTTP/1.1\r\n", host),
    RefusedHead(
      "GET http://a/ HTTP/1.1\r\nHost: b\r\n",
      "400 the Host field and the request target name different hosts"),
    RefusedHead("GET / HTTP/1\r\n\r\n", version),
    RefusedHead("GET / HTTP/1.10\r\n", version),
    RefusedHead("GET / HTTP/1.1 \r\n", version),
    RefusedHead("GET / HTTP/a.1\r\n", version),
    RefusedHead("GET / HTTP/1.1\n\r\n", bareLineFeed),
    RefusedHead("GET / HTTP/1.1\r\r\n", bareReturn),
    RefusedHead("GET / HTTP/1.2\r\n", "505 only HTTP/1.1 and HTTP/1.0 are supported"),
    RefusedHead("GET / HTTP/0.9\r\n", "505 only HTTP/1.1 and HTTP/1.0 are supported"),
    RefusedHead("GET / HTTP/2.0\r\n", "505 only HTTP/1.1 and HTTP/1.0 are supported"),
    RefusedHead(
      "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
      "505 found the beginning of HTTP/2, expected HTTP/1.1: let the client use that, as curl --http1.1 does"
    ),
  ]

  static let fields = [
    field("X: a\nY: b", bareLineFeed),
    field("X: \n", bareLineFeed),
    field("X\n: a", bareLineFeed),
    field("X: a\rb", bareReturn),
    field("\rX: a", bareReturn),
    field("X: a\0b", "400 a control character in the value of a field"),
    field("X: a\t\u{1B}b", "400 a control character in the value of a field"),
    field("X: \u{7F}", "400 a control character in the value of a field"),
    field("X: a\r\n b: c", fold),
    field("X: a\r\n\tb", fold),
    field("X : a", "400 whitespace between the name of a field and its colon"),
    field("X\t: a", "400 whitespace between the name of a field and its colon"),
    field("X", "400 a line without a colon among the fields"),
    field(": a", name),
    field("X\0: a", name),
    field("X(a): b", name),
    field("Xé: a", name),
    field("X/1-a: b", name),
    field("Host: a", "400 there is more than one Host field"),
    field("host: b", "400 there is more than one Host field"),
    RefusedHead("GET / HTTP/1.1\r\nX: a\r\n\r\n", "400 the Host field is missing"),
    field("Content-Length:", length),
    field("Content-Length: +5", length),
    field("Content-Length: -5", length),
    field("Content-Length: 5, 5", length),
    field("Content-Length: 5 5", length),
    field("Content-Length: 0x5", length),
    field("Content-Length: 5.0", length),
    field("Content-Length:\t5", tab),
    field("Content-Length: 5\t", tab),
    field("Content-Length:\t", tab),
    field("Content-Length: 9999999999999999999", length),
    field(
      "Content-Length: 5\r\nContent-Length: 5", "400 there is more than one Content-Length field"),
    field(
      "Content-Length: 5\r\ncontent-length: 6", "400 there is more than one Content-Length field"),
    field("Transfer-Encoding:", coding),
    field("Transfer-Encoding:\tchunked", tab),
    field("Transfer-Encoding: chunked \t", tab),
    field("Transfer-Encoding: ,chunked", coding),
    field("Transfer-Encoding: chunked,", coding),
    field("Transfer-Encoding: chunked;q=1", coding),
    field("Transfer-Encoding: \"chunked\"", coding),
    field("Transfer-Encoding: gzip", "501 the only transfer coding supported is chunked"),
    field("Transfer-Encoding: gzip, chunked", "501 the only transfer coding supported is chunked"),
    field(
      "Transfer-Encoding: chunked, gzip", "400 the transfer coding chunked is not the last one"),
    field(
      "Transfer-Encoding: chunked, chunked",
      "400 the transfer coding chunked is given more than once"),
    RefusedHead(
      "POST / HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n",
      "400 Transfer-Encoding in an HTTP/1.0 request"),
    field("Expect: 200-ok", "417 the only expectation supported is 100-continue"),
    field("Expect:", "417 the only expectation supported is 100-continue"),
  ]

  static let hosts = [
    "", "a b", "a,b/", "a/", "a@b", "a:b", "a:80:80", "a:123456", ":80", "[::1", "[]", "[::1]80",
    "[::g]", "%4", "%zz", "é", "a\"b", "a\\b", "http://a", "::1",
  ].map { RefusedHead("GET / HTTP/1.1\r\nHost: \($0)\r\n\r\n", host) }

  static let all = requestLines + fields + hosts
}

@Suite struct HeadRefusalTests {
  @Test("refuses an invalid head, with status and reason", arguments: RefusedHead.all)
  func refuses(head: RefusedHead) {
    #expect(parse(head.text).description == head.response)
    #expect(parse(head.text + "\r\n\r\n").description == head.response)
  }

  @Test("refuses for the same reason however the bytes are cut", arguments: RefusedHead.all)
  func pieces(head: RefusedHead) {
    let bytes = Array((head.text + "\r\n\r\n").utf8)
    var reader = HeadReader()
    for end in 1..<bytes.count {
      let parsed = reader.read(bytes, piecesEndingAt: [end, bytes.count])
      #expect(parsed.description == head.response, "cut after \(end) bytes")
    }
    let parsed = reader.read(bytes, piecesEndingAt: Array(1...bytes.count))
    #expect(parsed.description == head.response)
  }

  @Test("refuses a head, a target and fields beyond the limits")
  func limits() {
    var limits = MessageLimits()
    limits.headBytesMax = 64
    limits.targetBytesMax = 20
    limits.fieldsMax = 2
    func response(_ text: String) -> String { parse(text, limits: limits).description }
    func headed(_ rest: String) -> String { "GET / HTTP/1.1\r\nHost: a\r\n\(rest)" }

    let tooLong = "414 the request target is too long"
    #expect(response("GET /\(String(repeating: "a", count: 20))") == tooLong)
    #expect(
      response("GET /\(String(repeating: "a", count: 20)) HTTP/1.1\r\nHost: a\r\n\r\n") == tooLong)
    #expect(response("GET /?\(String(repeating: "?", count: 19))") == tooLong)
    #expect(response("GET /\(String(repeating: "a", count: 19))") == "incomplete")

    let tooLarge = "431 the head of the request is too large"
    let exact = headed("X: \(String(repeating: "b", count: 32))\r\n\r\n")
    #expect(exact.utf8.count == 64)
    #expect(parse(exact, limits: limits).isComplete)
    #expect(response(headed("X: \(String(repeating: "b", count: 33))\r\n\r\n")) == tooLarge)
    #expect(response(headed(String(repeating: "b", count: 39))) == tooLarge)
    #expect(response(headed(String(repeating: "b", count: 38))) == "incomplete")
    #expect(response(String(repeating: "b", count: 64)) == tooLarge)

    #expect(response(headed("X:\r\nY:\r\n")) == "431 the request has too many header fields")
    #expect(parse(headed("X:\r\n\r\n"), limits: limits).isComplete)
  }

  @Test("finds a head too large as soon as it is, although none of its lines ends")
  func limitsInPieces() {
    var limits = MessageLimits()
    limits.headBytesMax = 64
    limits.targetBytesMax = 20
    var reader = HeadReader(limits: limits)
    for (text, response) in [
      ("GET /", "414 the request target is too long"),
      ("GET / HTTP/1.1\r\n", "431 the head of the request is too large"),
    ] {
      let bytes = Array((text + String(repeating: "a", count: 64)).utf8.prefix(64))
      let parsed = reader.read(bytes, piecesEndingAt: Array(1...64))
      #expect(parsed.description == response)
      #expect(reader.read(bytes, piecesEndingAt: Array(1..<64)) == .incomplete)
    }
  }

  @Test("knows a status and a sentence for every refusal", arguments: Refusal.allCases)
  func sentence(refusal: Refusal) {
    #expect((400...505).contains(refusal.status))
    #expect(refusal.description.count > 20 && !refusal.description.hasSuffix("."))
  }
}

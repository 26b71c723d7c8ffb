import Testing
import UnderstudyHTTP
import UnderstudyTestSupport

/// A head as it is sent, with what is to be found in it.
struct ValidHead: Sendable, CustomTestStringConvertible {
  let text: String
  let expected: String

  init(_ text: String, _ expected: String) {
    self.text = text
    self.expected = expected
  }

  var testDescription: String { String(text.prefix { !$0.isNewline }) }

  static let all = [
    ValidHead(
      "GET / HTTP/1.1\r\nHost: a\r\n\r\n",
      "GET origin path=/ host=a authority=a 1.1 none | keeps | Host=a"),
    ValidHead(
      "GET /a/b%20c?q=1&r=?/ HTTP/1.1\r\nHost: example.org:8080\r\nAccept: */*\r\n\r\n",
      "GET origin path=/a/b%20c query=q=1&r=?/ host=example.org authority=example.org:8080 1.1 none"
        + " | keeps | Host=example.org:8080 | Accept=*/*"),
    ValidHead(
      "\r\nHEAD /? HTTP/1.1\r\nhost:[::1]:80\r\n\r\n",
      "HEAD origin path=/ query= host=[::1] authority=[::1]:80 1.1 none | keeps | host=[::1]:80"),
    ValidHead(
      "POST /x HTTP/1.1\r\nHost: a_b~c%41:\r\nContent-Length: 0042\r\n\r\n",
      "POST origin path=/x host=a_b~c%41 authority=a_b~c%41: 1.1 length(42) | keeps"
        + " | Host=a_b~c%41: | Content-Length=0042"),
    ValidHead(
      "PUT /x HTTP/1.1\r\nHOST: a\r\ntransfer-encoding:  Chunked \r\nExpect: 100-Continue\r\n\r\n",
      "PUT origin path=/x host=a authority=a 1.1 chunked | keeps | waits | HOST=a"
        + " | transfer-encoding=Chunked | Expect=100-Continue"),
    ValidHead(
      "OPTIONS * HTTP/1.1\r\nHost: a\r\nConnection: Upgrade, CLOSE\r\n\r\n",
      "OPTIONS asterisk path=* host=a authority=a 1.1 none | closes | Host=a"
        + " | Connection=Upgrade, CLOSE"),
    ValidHead(
      "GET http://Example.org/p?q HTTP/1.1\r\nHost: example.ORG\r\n\r\n",
      "GET absolute path=/p query=q host=Example.org authority=Example.org 1.1 none | keeps"
        + " | Host=example.ORG"),
    ValidHead(
      "GET HTTPS://a:1?q HTTP/1.0\r\n\r\n",
      "GET absolute path= query=q host=a authority=a:1 1.0 none | closes"),
    ValidHead(
      "CONNECT a.example:443 HTTP/1.0\r\nProxy-Connection: b\r\n\r\n",
      "CONNECT authority path= host=a.example authority=a.example:443 1.0 none | closes"
        + " | Proxy-Connection=b"),
    ValidHead(
      "GET / HTTP/1.0\r\n\r\n", "GET origin path=/ host= authority= 1.0 none | closes"),
    ValidHead(
      "GET / HTTP/1.0\r\nConnection: keep-alive\r\nExpect: anything\r\n\r\n",
      "GET origin path=/ host= authority= 1.0 none | keeps | Connection=keep-alive"
        + " | Expect=anything"),
    ValidHead(
      "GET / HTTP/1.0\r\nConnection: keep-alive\r\nConnection: close\r\n\r\n",
      "GET origin path=/ host= authority= 1.0 none | closes | Connection=keep-alive"
        + " | Connection=close"),
    ValidHead(
      "M-SEARCH!#$%&'*+.^_`|~1a /{}|\"<>[]^`\\ HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n",
      "M-SEARCH!#$%&'*+.^_`|~1a origin path=/{}|\"<>[]^`\\ host=127.0.0.1 authority=127.0.0.1 1.1"
        + " none | keeps | Host=127.0.0.1"),
    ValidHead(
      "GET / HTTP/1.1\r\nHost: a\r\nX:\r\nY: \t \r\nZ:\tb\tc \t\r\n"
        + "X-Long-Name-0123456789_ABC: \u{E9}\u{FF}\u{1F3AD} \"q\"\r\n\r\n",
      "GET origin path=/ host=a authority=a 1.1 none | keeps | Host=a | X= | Y= | Z=b\tc"
        + " | X-Long-Name-0123456789_ABC=\u{E9}\u{FF}\u{1F3AD} \"q\""),
    ValidHead(
      "DELETE /x HTTP/1.1\r\nCookie: a=b\r\nHosts: c\r\nHost: a\r\nContent-Type: t\r\n"
        + "Connections: close\r\nExpects: x\r\nTransfer-Encodings: x\r\nContent-Lengths: x\r\n\r\n",
      "DELETE origin path=/x host=a authority=a 1.1 none | keeps | Cookie=a=b | Hosts=c | Host=a"
        + " | Content-Type=t | Connections=close | Expects=x | Transfer-Encodings=x"
        + " | Content-Lengths=x"),
  ]
}

@Suite struct HeadParsingTests {
  @Test("finds every part of a head", arguments: ValidHead.all)
  func parts(head: ValidHead) {
    let parsed = parse(head.text + "GARBAGE\n\n\0")
    #expect(parsed.description == head.expected)
    guard case .complete(let found) = parsed else { return }
    #expect(found.byteCount == head.text.utf8.count)
  }

  @Test("waits for more after every prefix, and then finds the same", arguments: ValidHead.all)
  func prefixes(head: ValidHead) {
    let bytes = Array(head.text.utf8)
    let whole = parse(head.text)
    var reader = HeadReader()
    for end in 0..<bytes.count {
      let responses = [reader.read(bytes, piecesEndingAt: [end, bytes.count])]
      #expect(responses == [whole], "cut after \(end) bytes")
      #expect(reader.read(bytes, piecesEndingAt: [end]) == .incomplete, "\(end) bytes alone")
    }
  }

  @Test("finds the same byte by byte and in random pieces", arguments: ValidHead.all)
  func pieces(head: ValidHead) {
    let bytes = Array(head.text.utf8)
    let whole = parse(head.text)
    var reader = HeadReader()
    #expect(reader.read(bytes, piecesEndingAt: Array(1...bytes.count)) == whole)
    var random = Dice(seed: 1)
    for _ in 0..<20 {
      let cuts = (1...bytes.count).filter { _ in Int.random(in: 0..<8, using: &random) == 0 }
      #expect(reader.read(bytes, piecesEndingAt: cuts + [bytes.count]) == whole, "\(cuts)")
    }
  }

  @Test("finds a field by its name, the first of several")
  func value() {
    let text = "GET / HTTP/1.1\r\nHost: a\r\nPREFER: code=404\r\nPrefer: code=500\r\n\r\n"
    Array(text.utf8).withUnsafeBytes { bytes in
      var head = RequestHead()
      var scanned = 0
      let response = head.parse(bytes, scanned: &scanned)
      #expect(response == .complete(byteCount: bytes.count))
      let value = head.value(of: "prefer", in: bytes)
      let missing = head.value(of: "pre", in: bytes)
      #expect(value.map { String(decoding: bytes[$0.offsets], as: UTF8.self) } == "code=404")
      #expect(missing == nil)
    }
  }

  @Test("forgets the previous request: nothing of it reaches the next")
  func reuse() {
    let first = """
      OPTIONS http://a/b?c HTTP/1.0\r\nHost: a\r\nConnection: close\r\nContent-Length: 1\r\n\r\n
      """
    let others =
      ValidHead.all.map(\.text) + ["POST / HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\n"]
    var reader = HeadReader()
    for text in others {
      _ = reader.read(Array(first.utf8))
      _ = reader.read(Array(others[4].utf8))
      #expect(reader.read(Array(text.utf8), piecesEndingAt: [text.utf8.count]) == parse(text))
    }
  }
}

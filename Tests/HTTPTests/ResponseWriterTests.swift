import Foundation
import HTTP
import Testing

/// What is written, or why nothing is.
private func written(
  capacity: Int = 512, _ write: (inout ResponseWriter) throws(ResponseError) -> Void
) -> String {
  var bytes = [UInt8](repeating: 0, count: capacity)
  return bytes.withUnsafeMutableBytes { buffer in
    var writer = ResponseWriter(into: buffer)
    do throws(ResponseError) {
      try write(&writer)
      return String(decoding: buffer[..<writer.count], as: UTF8.self)
    } catch {
      return "\(error)"
    }
  }
}

@Suite struct ResponseWriterTests {
  @Test("writes a whole response")
  func whole() {
    let text = written { writer throws(ResponseError) in
      try writer.begin(status: 200)
      try writer.date(HTTPDate(seconds: 784_111_777))
      try writer.field("Content-Type", "text/plain; charset=utf-8")
      try writer.field("X-Empty", "")
      let framing = try writer.endHead(.length(5), keepsAlive: true)
      #expect(framing == .length(5))
      var body = "hello"
      _ = body.withUTF8 { body in Result { try writer.append(UnsafeRawBufferPointer(body)) } }
    }
    #expect(
      text == """
        HTTP/1.1 200 OK\r
        Date: Sun, 06 Nov 1994 08:49:37 GMT\r
        Content-Type: text/plain; charset=utf-8\r
        X-Empty: \r
        Content-Length: 5\r
        \r
        hello
        """)
  }

  @Test("writes chunks")
  func chunks() {
    let text = written { writer throws(ResponseError) in
      for count in [1, 15, 16, 255, 256, 4_096, Int.max] {
        try writer.beginChunk(byteCount: count)
        try writer.endChunk()
      }
      try writer.endChunks()
    }
    let sizes = ["1", "f", "10", "ff", "100", "1000", "7fffffffffffffff"]
    #expect(text == sizes.map { "\($0)\r\n\r\n" }.joined() + "0\r\n\r\n")
  }

  struct Ending: Sendable {
    let framing: ResponseFraming
    let keepsAlive: Bool
    let minorVersion: UInt8
    let expected: String
    let used: ResponseFraming
  }

  @Test(
    "says how the body ends and whether the connection goes on",
    arguments: [
      Ending(framing: .none, keepsAlive: true, minorVersion: 1, expected: "", used: .none),
      Ending(
        framing: .length(0), keepsAlive: false, minorVersion: 1,
        expected: "Content-Length: 0\r\nConnection: close\r\n", used: .length(0)),
      Ending(
        framing: .length(.max), keepsAlive: true, minorVersion: 0,
        expected: "Content-Length: 9223372036854775807\r\nConnection: keep-alive\r\n",
        used: .length(.max)),
      Ending(
        framing: .chunked, keepsAlive: true, minorVersion: 1,
        expected: "Transfer-Encoding: chunked\r\n", used: .chunked),
      Ending(
        framing: .chunked, keepsAlive: true, minorVersion: 0, expected: "Connection: close\r\n",
        used: .close),
      Ending(
        framing: .close, keepsAlive: true, minorVersion: 1, expected: "Connection: close\r\n",
        used: .close),
    ])
  func ending(_ ending: Ending) {
    let text = written { writer throws(ResponseError) in
      let used = try writer.endHead(
        ending.framing, keepsAlive: ending.keepsAlive, minorVersion: ending.minorVersion)
      #expect(used == ending.used)
    }
    #expect(text == ending.expected + "\r\n")
  }

  @Test("begins with the version, the status and its reason")
  func statusLine() {
    func line(_ status: Int, _ reason: String? = nil, minorVersion: UInt8 = 1) -> String {
      written { writer throws(ResponseError) in
        try writer.begin(status: status, reason: reason, minorVersion: minorVersion)
      }
    }
    #expect(line(404) == "HTTP/1.1 404 Not Found\r\n")
    #expect(line(299) == "HTTP/1.1 299 \r\n")
    #expect(line(503, "Über load", minorVersion: 0) == "HTTP/1.0 503 Über load\r\n")
    #expect(line(99) == "found the status 99, expected one from 100 to 999")
    #expect(line(1_000) == "found the status 1000, expected one from 100 to 999")
    #expect(
      line(200, "OK\r\nX: y")
        == "the reason \"OK\\r\\nX: y\" has a character that would end its line")
  }

  @Test("knows a reason for every status it sends by itself", arguments: Refusal.allCases)
  func reasons(refusal: Refusal) {
    let line = written { writer throws(ResponseError) in
      try writer.begin(status: refusal.status)
    }
    #expect(line.utf8.count > "HTTP/1.1 400 \r\n".utf8.count)
  }

  @Test(
    "refuses values that would become fields",
    arguments: ["a\r\nX: y", "a\nb", "a\rb", "\0", "\u{7F}"])
  func injectedValues(value: String) {
    let text = written { writer throws(ResponseError) in try writer.field("X", value) }
    #expect(text == "the value of X has a character that is not allowed in a field")
  }

  @Test("refuses names that are none", arguments: ["", "a b", "a:", "a\r\nX", "é", "a\0"])
  func injectedNames(name: String) {
    let text = written { writer throws(ResponseError) in try writer.field(name, "") }
    #expect(
      text == "\(name.debugDescription) has a character that is not allowed in the name of a field")
  }

  @Test("never writes behind the end of its buffer")
  func full() {
    func write(_ writer: inout ResponseWriter) throws(ResponseError) {
      try writer.begin(status: 200)
      try writer.date(HTTPDate(seconds: 0))
      try writer.field("A", "b")
      _ = try writer.endHead(.length(123), keepsAlive: false)
      try writer.beginChunk(byteCount: 300)
      try writer.endChunk()
      try writer.endChunks()
    }
    let whole = written(write).utf8.count
    for capacity in 0..<whole {
      #expect(
        written(capacity: capacity, write) == "the response does not fit into its buffer",
        "\(capacity) bytes")
    }
    #expect(written(capacity: whole, write).utf8.count == whole)
  }
}

@Suite struct HTTPDateTests {
  private func text(_ date: HTTPDate) -> String {
    written { writer throws(ResponseError) in try writer.date(date) }
  }

  @Test(
    "spells a second as RFC 9110 does",
    arguments: [
      (0, "Thu, 01 Jan 1970 00:00:00 GMT"), (-5, "Thu, 01 Jan 1970 00:00:00 GMT"),
      (951_782_399, "Mon, 28 Feb 2000 23:59:59 GMT"),
      (951_782_400, "Tue, 29 Feb 2000 00:00:00 GMT"),
      (4_107_542_399, "Sun, 28 Feb 2100 23:59:59 GMT"),
      (4_107_542_400, "Mon, 01 Mar 2100 00:00:00 GMT"),
      (253_402_300_799, "Fri, 31 Dec 9999 23:59:59 GMT"), (.max, "Fri, 31 Dec 9999 23:59:59 GMT"),
    ])
  func spelling(seconds: Int, expected: String) {
    #expect(text(HTTPDate(seconds: seconds)) == "Date: \(expected)\r\n")
  }

  @Test("agrees with Foundation on every twentieth day of five centuries")
  func calendar() {
    let formatter = DateFormatter()
    formatter.locale = Locale(identifier: "en_US_POSIX")
    formatter.timeZone = TimeZone(secondsFromGMT: 0)
    formatter.dateFormat = "EEE, dd MMM yyyy HH:mm:ss 'GMT'"
    for seconds in stride(from: 0, to: 500 * 31_556_952, by: 20 * 86_400 + 3_607) {
      let date = Date(timeIntervalSince1970: TimeInterval(seconds))
      #expect(text(HTTPDate(seconds: seconds)) == "Date: \(formatter.string(from: date))\r\n")
    }
  }

  @Test("moves on to another second")
  func update() {
    var date = HTTPDate(seconds: 0)
    date.update(to: 0)
    #expect(text(date) == "Date: Thu, 01 Jan 1970 00:00:00 GMT\r\n")
    date.update(to: 61)
    #expect(text(date) == "Date: Thu, 01 Jan 1970 00:01:01 GMT\r\n")
    #expect(date.seconds == 61)
  }
}

import Testing
import UnderstudyHTTP

private func received(_ text: String, isHead: Bool = false, isClosed: Bool = false) -> String {
  do throws(ResponseError) {
    let bytes = Array(text.utf8)
    guard let response = try ReceivedResponse.parse(bytes, isHead: isHead, isClosed: isClosed)
    else {
      return "not yet"
    }
    let fields = response.fields.map { " \($0.name)=\($0.value)" }.joined()
    let body = String(decoding: response.body, as: UTF8.self).debugDescription
    return "1.\(response.minorVersion) \(response.status) \(response.reason)\(fields) \(body)"
      + (response.isTruncated ? " truncated" : "") + " of \(response.byteCount) bytes"
  } catch {
    return "\(error)"
  }
}

@Suite struct ReceivedResponseTests {
  private static let ok = "HTTP/1.1 200 OK\r\n"

  @Test("reads a body of a length")
  func length() {
    let head = Self.ok + "Content-Length: 5\r\nX: \t y z \r\n\r\n"
    #expect(received(head + "hello!") == "1.1 200 OK Content-Length=5 X=y z \"hello\" of 54 bytes")
    #expect(received(head + "hel") == "not yet")
    #expect(
      received(head + "hel", isClosed: true)
        == "1.1 200 OK Content-Length=5 X=y z \"hel\" truncated of 52 bytes")
  }

  @Test("reads a body in chunks")
  func chunks() {
    let head = Self.ok + "Transfer-Encoding: Chunked\r\n\r\n"
    #expect(
      received(head + "2\r\nhi\r\n0\r\n\r\n")
        == "1.1 200 OK Transfer-Encoding=Chunked \"hi\" of 59 bytes")
    #expect(received(head + "2\r\nhi\r\n") == "not yet")
    #expect(
      received(head + "2\r\nhi\r\n", isClosed: true)
        == "1.1 200 OK Transfer-Encoding=Chunked \"hi\" truncated of 54 bytes")
    #expect(
      received(head + "2\r\nhii")
        == "at offset 53: the data of a chunk is not followed by CRLF")
  }

  @Test("reads a body that ends with the connection")
  func close() {
    #expect(received("HTTP/1.0 200 OK\r\n\r\nhello") == "not yet")
    #expect(
      received("HTTP/1.0 200 OK\r\n\r\nhello", isClosed: true) == "1.0 200 OK \"hello\" of 24 bytes"
    )
  }

  @Test("reads no body where there is none")
  func none() {
    let head = "HTTP/1.1 100 Continue\r\n\r\n"
    #expect(received(head + Self.ok) == "1.1 100 Continue \"\" of 25 bytes")
    #expect(received("HTTP/1.1 204 \r\n\r\n") == "1.1 204  \"\" of 17 bytes")
    #expect(
      received(Self.ok + "Content-Length: 5\r\n\r\n", isHead: true)
        == "1.1 200 OK Content-Length=5 \"\" of 38 bytes")
  }

  @Test(
    "refuses an invalid response",
    arguments: [
      ("HTTP/1.1 200\r\n\r\n", "at offset 0: malformed status line \"HTTP/1.1 200\""),
      ("HTTP/2.0 200 OK\r\n\r\n", "at offset 0: malformed status line \"HTTP/2.0 200 OK\""),
      ("HTTP/1.1 20 OK\r\n\r\n", "at offset 0: malformed status line \"HTTP/1.1 20 OK\""),
      ("HTTP/1.1 099 OK\r\n\r\n", "at offset 0: malformed status line \"HTTP/1.1 099 OK\""),
      ("HTTP/1.1 +20 OK\r\n\r\n", "at offset 0: malformed status line \"HTTP/1.1 +20 OK\""),
      ("\r\n\r\n", "at offset 0: malformed status line \"\""),
      (ok + "X\r\n\r\n", "at offset 17: malformed field \"X\""),
      (ok + "X : y\r\n\r\n", "at offset 17: malformed field \"X : y\""),
      (ok + "X: y\nZ: a\r\n\r\n", "at offset 17: malformed field \"X: y\\nZ: a\""),
      (
        ok + "Content-Length: 5\r\nContent-Length: 5\r\n\r\n",
        "at offset 0: both Transfer-Encoding [] and Content-Length [\"5\", \"5\"]"
      ),
      (
        ok + "Content-Length: +5\r\n\r\n",
        "at offset 0: both Transfer-Encoding [] and Content-Length [\"+5\"]"
      ),
      (
        ok + "Transfer-Encoding: gzip\r\n\r\n",
        "at offset 0: both Transfer-Encoding [\"gzip\"] and Content-Length []"
      ),
    ])
  func refuses(text: String, expected: String) {
    #expect(received(text) == expected)
  }

  @Test("waits for the end of a head, unless nothing more can come")
  func cutShort() {
    #expect(received(Self.ok) == "not yet")
    #expect(received(Self.ok, isClosed: true) == "at offset 17: no end of the head")
  }
}

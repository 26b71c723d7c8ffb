import Testing
import UnderstudyHTTP

/// Requests whose end two servers in a row have been seen to find at different places.
@Suite struct SmugglingTests {
  @Test(
    "refuses what another server may read differently",
    arguments: [
      "Content-Length: 6\r\nTransfer-Encoding: chunked",
      "Transfer-Encoding: chunked\r\nContent-Length: 6",
      "Transfer-Encoding: chunked\r\nTransfer-Encoding: identity",
      "Transfer-Encoding: identity\r\nTransfer-Encoding: chunked",
      "Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked",
      "Transfer-Encoding: chunked\r\nTransfer-encoding: cow",
      "Transfer-Encoding : chunked",
      "Transfer-Encoding\t: chunked",
      "Transfer-Encoding: xchunked",
      "Transfer-Encoding: chunkedx",
      "Transfer-Encoding: chunked\u{B}",
      "Transfer-Encoding: \u{B}chunked",
      "Transfer-Encoding:\tchunked",
      "Transfer-Encoding: \tchunked",
      "Transfer-Encoding: chunked\t",
      "Transfer-Encoding:\u{A0}chunked",
      "Transfer-Encoding:\r\n chunked",
      "Transfer-Encoding:\n chunked",
      "Transfer-Encoding:\r\n\tchunked",
      " Transfer-Encoding: chunked",
      "X: y\r\n Transfer-Encoding: chunked",
      "X: y\nTransfer-Encoding: chunked",
      "X: y\rTransfer-Encoding: chunked",
      "X: y\0\r\nTransfer-Encoding: chunked\r\nContent-Length: 1",
      "Transfer-Encoding: chunked, identity",
      "Transfer-Encoding: identity, chunked",
      "Transfer-Encoding: chunked,",
      "Transfer-Encoding: chunked ; a=b",
      "Transfer-Encoding: \"chunked\"",
      "Transfer-Encoding: 'chunked'",
      "Transfer-Encoding: [chunked]",
      "Transfer-Encoding: chu\u{212A}ed",
      "Transfer\u{0}-Encoding: chunked",
      "Transfer-Encoding\u{0}: chunked",
      "Content-Length: 6\r\nContent-Length: 5",
      "Content-Length: 6\r\nContent-Length: 6",
      "Content-Length: 6, 6",
      "Content-Length: 6\r\n 7",
      "Content-Length : 6",
      "Content-Length: 06a",
      "Content-Length: 0x6",
      "Content-Length: 1e1",
      "Content-Length: 6\u{B}",
      "Content-Length: \u{661}",
      "Content-Length: 18446744073709551617",
    ])
  func refuses(line: String) {
    let text = "POST / HTTP/1.1\r\nHost: a\r\n\(line)\r\n\r\n0\r\n\r\nX"
    guard case .malformed(let refusal) = parse(text) else {
      Issue.record("taken: \(line.debugDescription)")
      return
    }
    #expect([400, 501].contains(refusal.status))
  }
}

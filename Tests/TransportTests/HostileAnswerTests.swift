import TestSupport
import Testing

@testable import Transport

/// Answers that mean harm, on real sockets.
@Suite(.timeLimit(.minutes(5))) struct HostileAnswerTests {
  // In a process of its own, for it was the process that died.
  @Test("an answer that begins with a folded line touches nothing of the one before")
  func folded() async {
    await #expect(processExitsWith: .success) {
      let line = String(repeating: "y", count: 900)
      let head = "HTTP/1.1 200 OK\r\n f: \(line)\r\nX-0: v\r\nContent-Length: 2\r\n\r\nok"
      let peer = try BytesPeer(Array(head.utf8))
      let sound = try BytesPeer(headers: ["X-0: v"], body: Array("ok".utf8))
      for _ in 1...50 {
        let response = try await CurlTransport.direct.send(HTTPRequest(url: sound.url))
        #expect(response.text == "ok")
        do throws(TransportError) {
          _ = try await CurlTransport.direct.send(HTTPRequest(url: peer.url))
        } catch {
          // Some versions of curl take it, others do not.
          #expect(error.kind == .malformedResponse)
        }
      }
    }
  }
}

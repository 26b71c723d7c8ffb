import Testing
import UnderstudyContractModel
import UnderstudyCore

@testable import UnderstudyDrafting

/// Which headers of a request a response may depend on.
@Suite struct RequestHeadersTests {
  /// What every client, browser or gateway adds by itself.
  private static let unheeded = """
    Connection Keep-Alive Proxy-Connection TE Trailer Transfer-Encoding Upgrade Content-Length Host \
    User-Agent Accept-Encoding Expect Date Origin Referer DNT Upgrade-Insecure-Requests Priority \
    Pragma Cache-Control Traceparent Tracestate Baggage X-Request-ID X-Correlation-ID Forwarded Via \
    X-Real-IP Prefer Idempotency-Key X-Idempotency-Key Sec-Fetch-Mode Proxy-Authorization \
    X-Forwarded-For X-B3-TraceId Understudy-Session
    """

  @Test("what clients and gateways add by themselves is left, and all else is kept in order")
  func heeded() {
    let names = Self.unheeded.split(separator: " ").map(String.init)
    for name in names {
      let fields = [name, name.lowercased(), "x-b", "X-A"].map { HeaderField(name: $0, value: "1") }
      #expect(RequestHeaders.heeded(fields).map(\.name) == ["X-A", "X-B"], "\(name)")
      let near = HeaderField(name: "A\(name)", value: "1")
      #expect(RequestHeaders.heeded([near]).count == 1, "\(near.name)")
    }
  }

  @Test(
    "a value that says nothing is left",
    arguments: [
      ("Accept", "*/*", false), ("Accept", "text/*", true), ("Accept-Language", "*", false),
      ("Accept-Language", "de", true), ("Content-Type", "Multipart/form-data; boundary=x", false),
      ("Content-Type", "application/json", true), ("X-A", "*", true), ("X-A", "*/*", true),
    ])
  func values(name: String, value: String, isHeeded: Bool) {
    let heeded = RequestHeaders.heeded([HeaderField(name: name, value: value)])
    #expect(heeded.map(\.value) == (isHeeded ? [value] : []))
  }

  @Test("conditional headers are tried first, then credentials, then what a client accepts")
  func ranks() {
    let keys = [
      "headers.X-A", "headers.Accept-Language", "headers.Authorization", "headers.If-None-Match",
      "headers.Accept", "headers.Range",
    ]
    #expect(keys.map(RequestHeaders.rank) == [3, 2, 1, 0, 2, 0])
  }
}

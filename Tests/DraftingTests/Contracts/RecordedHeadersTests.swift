import Testing
import UnderstudyContractModel
import UnderstudyCore
import UnderstudySecrets

@testable import UnderstudyDrafting

/// Which headers of a live response a contract gets, and with which values.
@Suite struct RecordedHeadersTests {
  private static func recorded(
    _ responses: [[(String, String)]], at baseURL: String = "https://api.example.com/v1"
  ) -> RecordedHeaders {
    RecordedHeaders(
      of: responses.map { fields in
        LiveResponse(
          status: 200, headers: fields.map { HeaderField(name: $0.0, value: $0.1) }, body: [],
          latency: .zero)
      }, baseURL: WebURL(base: baseURL), mask: SecretMask())
  }

  @Test(
    "the base URL is replaced where a URL begins with it, and nowhere else",
    arguments: [
      ("", true), ("/a", true), ("?a", true), ("#a", true), (">", true), ("\"", true),
      (", b", true),
      (" b", true), (";a", true), (".evil.example/a", false), ("-2", false), ("0", false),
      ("a", false), (":8443/a", false), ("@evil.example", false), ("%2Fa", false), ("é", false),
    ])
  func addresses(following: String, isWhole: Bool) {
    for base in ["https://api.example.com", "https://api.example.com/v1"] {
      for name in ["Location", "Link", "Content-Location"] {
        let url = "\(base)\(following)"
        let shown = isWhole ? "{server.baseURL}\(following)" : url
        let found = Self.recorded([[(name, "\(url) \(url)")]], at: base)
        #expect(found.fields.map(\.values) == [["\(shown) \(shown)"]], "\(name): \(url)")
        // The first of the two ends before a space, unless more follows.
        #expect(found.hasTemplates == isWhole)
      }
      let other = Self.recorded([[("X-Docs", "\(base)/a")]], at: base)
      #expect(other.fields.map(\.values) == [["\(base)/a"]])
      #expect(!other.hasTemplates)
    }
  }

  @Test("of several responses only what is the same in all stays")
  func volatile() {
    let found = Self.recorded([
      [("etag", "1"), ("X-A", "1"), ("X-B", "1"), ("X-C", "1"), ("X-C", "2")],
      [("ETag", "1"), ("X-A", "2"), ("X-C", "1"), ("X-C", "2"), ("X-D", "1")],
    ])
    #expect(found.fields.map(\.name) == ["Etag", "X-C"])
    #expect(found.fields.map(\.values) == [["1"], ["1", "2"]])
    #expect(found.volatileNames == ["X-A", "X-B", "X-D"])
    #expect(found.secretNames == [])
  }

  @Test(
    "headers of the connection and of the network are left",
    arguments: [
      "Date", "Content-Length", "Transfer-Encoding", "Connection", "Expect-CT",
      "Strict-Transport-Security", "Proxy-Status", "X-Cache-Hits", "X-Azure-Ref", "X-Goog-Hash",
      "X-NF-Request-ID", "X-Envoy-Upstream", "Understudy-Case",
    ])
  func left(name: String) {
    let found = Self.recorded([[(name, "1"), ("X-A", "1")]])
    #expect(found.fields.map(\.name) == ["X-A"])
    #expect(found.volatileNames == [])
  }

  @Test(
    "a cookie keeps its name and attributes, not its value",
    arguments: [
      ("a=1234; Path=/; HttpOnly", "a=[redacted]; Path=/; HttpOnly"),
      ("a=; Max-Age=0", "a=; Max-Age=0"),
      ("a", "a"), ("a=b=c", "a=[redacted]"),
    ])
  func cookies(sent: String, kept: String) {
    #expect(Self.recorded([[("Set-Cookie", sent)]]).fields.map(\.values) == [[kept]])
  }

  @Test(
    "an id that was made for one response changes, even when only one was seen",
    arguments: [
      ("0123456789abcdef", true), ("01234567-89ab-cdef-0123-456789abcdef", true),
      ("0123456789abcde", false), ("abcdefabcdefabcdef", false), ("0123456789abcdefg", false),
    ])
  func ids(value: String, isVolatile: Bool) {
    let found = Self.recorded([[("X-Trace", value)]])
    #expect(found.volatileNames == (isVolatile ? ["X-Trace"] : []))
  }
}

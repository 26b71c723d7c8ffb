import Testing
import UnderstudyContractModel
import UnderstudyCore
import UnderstudySecrets

@testable import UnderstudyDrafting

/// The form in which a contract has the body of a live response.
@Suite struct RecordedBodyTests {
  private static func kind(_ status: Int, _ type: String, _ body: [UInt8]) -> String {
    let response = LiveResponse(
      status: status, headers: [HeaderField(name: "Content-Type", value: type)], body: body,
      latency: .zero)
    return switch RecordedBody(of: response, mask: SecretMask()) {
    case .none: "none"
    case .json: "json"
    case .text: "text"
    case .events: "events"
    case .base64: "base64"
    case .file(_, let suffix, let isJSON): "file \(suffix) \(isJSON)"
    }
  }

  @Test(
    "a body is written as what it is",
    arguments: [
      (200, "application/json", "", "none"), (204, "application/json", "{}", "none"),
      (304, "application/json", "{}", "none"), (205, "application/json", "{}", "json"),
      (404, "application/problem+json", "{}", "json"), (200, "application/json", "1", "json"),
      (200, "text/plain", "1", "text"), (200, "text/plain", "[1]", "json"),
      (200, "text/plain", "{\"a\":1}", "json"), (200, "application/json", "{", "text"),
      (200, "text/event-stream", "data: 1\n\n", "events"), (200, "text/html", "<p>", "text"),
    ])
  func kinds(status: Int, type: String, body: String, expected: String) {
    #expect(Self.kind(status, type, Array(body.utf8)) == expected)
  }

  /// One byte more, and a body has a file of its own.
  @Test("a large body is a file")
  func sizes() {
    let json = { count in Array("\"\(String(repeating: "a", count: count - 2))\"".utf8) }
    #expect(Self.kind(200, "application/json", json(256 << 10)) == "json")
    #expect(Self.kind(200, "application/json", json(256 << 10 + 1)) == "file json true")
    let bytes = { count in [UInt8](repeating: 0xFF, count: count) }
    #expect(Self.kind(200, "application/octet-stream", bytes(512)) == "base64")
    #expect(Self.kind(200, "application/octet-stream", bytes(513)) == "file bin false")
    let text = { count in [UInt8](repeating: 0x61, count: count) }
    #expect(Self.kind(200, "text/plain", text(16 << 10)) == "text")
    #expect(Self.kind(200, "text/plain", text(16 << 10 + 1)) == "file txt false")
  }

  @Test(
    "a file of bytes ends as its type does",
    arguments: [
      ("application/octet-stream", "bin"), ("image/jpeg", "jpg"), ("image/png", "png"),
      ("image/svg+xml; charset=utf-8", "svg"), ("IMAGE/PNG", "png"), ("font/woff2;x=y", "woff2"),
      ("application/vnd.ms-excel", "vnd-ms-excel"), ("image", "bin"), ("", "bin"), ("a/+x", "bin"),
      ("a/abcdefghijklmnopqrstuvwxyz", "abcdefghijklmnop"), ("text/plain", "txt"),
      ("text/javascript", "js"), ("a/b/c", "b"),
    ])
  func suffixes(type: String, suffix: String) {
    let bytes = [UInt8](repeating: 0xFF, count: 513)
    #expect(Self.kind(200, type, bytes) == "file \(suffix) false")
    let text = [UInt8](repeating: 0x61, count: 16 << 10 + 1)
    #expect(
      Self.kind(200, type, text)
        == "file \(suffix == "bin" && !type.hasSuffix("stream") ? "txt" : suffix) false")
  }

  @Test(
    "lines of JSON are a text, even a single one",
    arguments: [
      "application/x-ndjson", "application/jsonl", "application/json-lines", "application/json-seq",
      "application/x-json-stream", "application/stream+json", "APPLICATION/X-NDJSON",
    ])
  func lines(type: String) {
    #expect(Self.kind(200, type, Array("{\"a\":1}".utf8)) == "text")
  }

  @Test("a large stream of events is a file")
  func events() {
    let line = "data: \(String(repeating: "a", count: 1 << 10 - 8))\n\n"
    #expect(line.utf8.count == 1 << 10)
    let stream = Array(String(repeating: line, count: 256).utf8)
    #expect(Self.kind(200, "text/event-stream", stream) == "events")
    let more = Array(": \n".utf8)
    #expect(Self.kind(200, "text/event-stream", more + stream) == "file event-stream false")
  }
}

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
    #expect(Self.kind(200, "application/octet-stream", bytes(513)).hasPrefix("file "))
    let text = { count in [UInt8](repeating: 0x61, count: count) }
    #expect(Self.kind(200, "text/plain", text(16 << 10)) == "text")
    #expect(Self.kind(200, "text/plain", text(16 << 10 + 1)).hasPrefix("file "))
  }
}

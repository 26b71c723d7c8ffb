import Testing
import UnderstudyCore

@testable import UnderstudyFakeServer

/// Conditions and templates read what a compressed request body stands for.
@Suite struct CompressedBodyTests {
  private static let files = [
    "shop/upstream.json": #"{ "summary": "A shop" }"#,
    "shop/add.json": #"""
    { "request": { "method": "POST", "path": "/things", "body": { "contains": { "a": 1 } } },
      "cases": { "ok": { "status": 201, "template": ["body"], "text": "<{body}>" } } }
    """#,
  ]

  @Test(
    "by its content coding",
    arguments: [
      ("gzip", "H4sIAAAAAAACA6tWSlSyAgDzf7BqBQAAAB+LCAAAAAAAAgMzrAUAzBgwqQIAAAA=", true),
      ("identity , deflate", "eJyrVkpUsjKsBQAIKgIJ", true),
      ("gzip", "eJyrVkpUsjKsBQAIKgIJ", false), ("br", "eJyrVkpUsjKsBQAIKgIJ", false),
    ])
  func coded(coding: String, data: String, isRead: Bool) async throws {
    let body = try #require(Base64.decode(data))
    try await SmallServer.with(Self.files) { (server) async throws in
      let client = try server.client()
      let head =
        "POST /shop/things HTTP/1.1\r\nHost: localhost\r\nContent-Encoding: \(coding)\r\n"
        + "Content-Length: \(body.count)\r\n\r\n"
      client.send(Array(head.utf8) + body)
      let response = try client.response()
      #expect(response.status == (isRead ? 201 : 404))
      #expect(!isRead || response.text == #"<{"a":1}>"#)
    }
  }
}

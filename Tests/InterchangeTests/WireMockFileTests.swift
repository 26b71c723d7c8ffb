import Testing

/// Bodies that stubs have in files.
@Suite struct WireMockFileTests {
  @Test("a file of JSON is a body up to 64 KiB, and a file beyond", arguments: [65_536, 65_537])
  func inline(byteCount: Int) async throws {
    let text = "[\"\(String(repeating: "x", count: byteCount - 5))\" ]"
    #expect(text.utf8.count == byteCount)
    let stub = #"{ "request": { "url": "/data" }, "response": { "bodyFileName": "b.json" } }"#
    try await WireMockStage.with(stub, files: ["b.json": text]) { (stage) async throws in
      // A body is sent without the space.
      let expected = byteCount > 65_536 ? text : text.replacing(" ", with: "")
      #expect(try await stage.response("GET /data") == "200 \(expected)")
    }
  }
}

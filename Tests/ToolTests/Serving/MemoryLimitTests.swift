import Testing

@testable import UnderstudyTool

/// A server that gets less memory than its options allow bodies to have.
@Suite struct MemoryLimitTests {
  @Test(
    "a body for which there is no memory gets 503, and the server goes on",
    arguments: [
      // More than there is.
      ("x", 400_000_000),
      // There is room for it, but not for what is made of it: a list of millions of numbers.
      ("1,", 60_000_000),
    ])
  func refused(piece: String, byteCount: Int) async throws {
    try await offPool {
      let samples = try SampleContracts(only: [
        "Contracts/api/upstream.json": #"{ "summary": "Uploads" }"#,
        "Contracts/api/upload.json": #"""
        { "request": { "method": "POST", "path": "/up" },
          "cases": { "ok": { "status": 200 },
            "one": { "status": 201,
              "when": { "request": { "body": { "equals": { "a": 1 } } } } } } }
        """#,
      ])
      let server = try RunningServer(
        ["--limit", "body=900M"], in: samples.folder, memoryKilobytesMax: 600_000)
      let pieces = Array(String(repeating: piece, count: 1 << 16).utf8)
      let exchange = try HTTPExchange(port: server.port)
      let response = exchange.send("POST /api/up", pieces, upTo: byteCount)
      #expect(response.hasPrefix("HTTP/1.1 503 Service Unavailable\r\n"), "\(response)")
      #expect(response.contains("this machine gives the server no memory for the body"))
      let small = try server.send("POST /api/up", body: #"{"a":1}"#)
      #expect(small.hasPrefix("HTTP/1.1 201 Created\r\n"), "\(small)")
      server.interrupt()
      #expect(server.end().code == 0)
    }
  }
}

import Foundation
import Testing
import UnderstudyContractModel
import UnderstudyCore
import UnderstudyFakeServer
import UnderstudyJSON

@testable import UnderstudyTool

/// `understudy export` on a running server.
@Suite struct ExportCommandTests {
  private static let files = [
    "shop/upstream.json": #"{ "summary": "A shop" }"#,
    "shop/items.json": #"""
    { "summary": "What there is", "request": { "method": "GET", "path": "/items" },
      "cases": { "ok": { "status": 200, "body": [1] }, "gone": { "status": 410 } } }
    """#,
  ]

  private func withServer(_ test: (_ url: String) async throws -> Void) async throws {
    let server = try await FakeServer.start(ContractLibrary(reading: Self.files))
    for path in ["/shop/items", "/shop/none"] {
      _ = try HTTPExchange(port: server.address.port).run("GET \(path)")
    }
    try await test("http://\(server.address)")
    await server.close()
  }

  @Test("writes the request log as a HAR, which can be imported")
  func write() async throws {
    try await withServer { url in
      let samples = try SampleContracts(only: ["note": ""])
      let path = samples.folder.appendingPathComponent("journal.har").path
      let run = CommandLineRun(words: ["export", "har", "-o", path, "--url", url])
      #expect(run.output == "wrote 2 requests to \(path)\n")
      #expect(run.errors == "")
      #expect(run.code == .pass)
      let folder = samples.folder.appendingPathComponent("Contracts").path
      let imported = CommandLineRun(words: ["import", path, "--contracts", folder, "--dry-run"])
      #expect(
        TextDiff.unified(
          """
          localhost/shop-items  GET /shop/items
            ok  200
          left out, because the file does not have its body:
            \(path):42:7: GET http://localhost/shop/none
          would write \(folder)/localhost/upstream.json
          would write \(folder)/localhost/shop-items.json
          dry run: nothing was written

          """, imported.output) == "")
    }
  }

  @Test("prints what a filter selects")
  func filter() async throws {
    try await withServer { url in
      let run = CommandLineRun(
        "export har --filter contract=shop/items --url \(url)")
      let log = try JSONDocument(parsing: Array(run.output.utf8)).root["log"]
      #expect(log?["entries"]?.count == 1)
      #expect(log?["entries"]?[0]?["_case"]?.string == "ok")
      let wrong = CommandLineRun("export har --filter contrat=shop/items --url \(url)")
      #expect(
        wrong.errors == """
          understudy: error: unknown parameter "contrat"
            fix: did you mean "contract"?

          """)
      #expect(wrong.code == .couldNotRun)
    }
  }
}

import Foundation
import Testing
import UnderstudyContractModel
import UnderstudyCore
import UnderstudyFakeServer
import UnderstudyFindings

@testable import UnderstudyTool

@Suite struct DriftPageTests {
  @Test("the page has links to captured responses that are there, and what would be updated")
  func page() async throws {
    let contracts = try ShippedContracts()
    let changed = ContractDraft("joke/random-joke", "GET", "/random_joke")
      .case(
        "ok", status: 200, headers: ["Content-Type": "application/json; charset=utf-8"],
        body: #"{ "type": "general", "setup": null, "punchline": "So.", "id": 3 }"#)
    let server = try await FakeServer.start(try ContractLibrary(drafts: [changed]))
    let url = try #require(server.baseURL(of: "joke"))
    let words = ["drift", "joke/random-joke#ok", "--base-url", "joke=\(url)", "--confirm", "0s"]
    let earlier = HistoryRecord(
      at: Moment(unixSeconds: 1_000_000_000),
      Check.Identity("joke/random-joke", "ok", consumer: nil), .pass)
    try String(decoding: earlier.line + [UInt8(ascii: "\n")], as: UTF8.self).write(
      to: contracts.folder.appendingPathComponent("runs.jsonl"), atomically: true, encoding: .utf8)
    let path = "reports/page.html"
    let run = try await contracts.run(
      words + ["--history", "runs.jsonl", "--report", "html=\(path)"])
    #expect(run.code == 1, "\(run.errors)")
    await server.close()
    let page = try contracts.read(path)
    #expect(page.contains("Last good run: <b>2001-09-09 01:46 UTC</b>."))
    #expect(page.contains("--- a/Contracts/joke/random-joke.json\n"))
    #expect(page.contains("is in the <a href=\"#patch\">patch</a>"))
    let links = page.matches(of: /href="([^"#:]+)"/).map { String($0.output.1) }
    #expect(!links.isEmpty)
    for link in links {
      let file =
        contracts.folder.appendingPathComponent("reports").path
        + "/" + (link.removingPercentEncoding ?? "")
      #expect(FileManager.default.fileExists(atPath: file), "\(link)")
    }
  }
}

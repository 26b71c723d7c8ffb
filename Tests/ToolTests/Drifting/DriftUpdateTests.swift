import Foundation
import Testing
import UnderstudyContractModel
import UnderstudyCore
import UnderstudyFakeServer
import UnderstudyTestSupport

@testable import UnderstudyTool

/// What `understudy drift` does to contracts, and to what is remembered of them.
@Suite struct DriftUpdateTests {
  private static let file = "Contracts/joke/random-joke.json"

  static let changed = ContractDraft("joke/random-joke", "GET", "/random_joke")
    .case(
      "ok", status: 200, headers: ["Content-Type": "application/json; charset=utf-8"],
      body: #"{ "type": "general", "setup": "Why?", "punchline": "So.", "id": 3, "rank": 7 }"#)

  /// What stands for a live API that has changed, and the words that lead to it.
  private static func live() async throws -> (FakeServer, words: [String]) {
    let server = try await FakeServer.start(try ContractLibrary(drafts: [changed]))
    let url = try #require(server.baseURL(of: "joke"))
    return (server, words(askingAt: url))
  }

  private static func words(askingAt url: String) -> [String] {
    ["drift", "joke/random-joke#ok", "--base-url", "joke=\(url)", "--confirm", "0s"]
  }

  private static let expectation = """
    joke/random-joke#ok, jokes.random now expects number 3 at /id instead of number 236, and 2 more

    """

  @Test("makes a case the response, and finds nothing afterwards")
  func update() async throws {
    let contracts = try ShippedContracts()
    let (server, words) = try await Self.live()
    let old = try contracts.read(Self.file)
    let shown = try await contracts.run(words + ["--update", "--dry-run"])
    #expect(try contracts.read(Self.file) == old)
    #expect(shown.code == 0)
    #expect(shown.errors == Self.expectation + "2 checks: 2 passed\n")

    let run = try await contracts.run(words + ["--update"])
    let new = try contracts.read(Self.file)
    #expect(run.errors == "updated \(Self.file)\n" + Self.expectation)
    #expect(shown.output == TextDiff.patch(of: Self.file, old, new))
    let added = new.split(separator: "\n").filter { !old.split(separator: "\n").contains($0) }
    #expect(added.contains { $0.contains(#""rank": 7"#) })

    let again = try await contracts.run(words)
    #expect(!again.output.contains("note"))
    #expect(again.code == 0)
    let lint = try await contracts.run(["lint"])
    #expect(lint.code == 0)
    let nothing = try await contracts.run(words + ["--update"])
    #expect(nothing.errors == "nothing to update\n")
    #expect(try contracts.read(Self.file) == new)
    await server.close()
  }

  @Test("says what it leaves as it is, and why")
  func leftOver() async throws {
    let contracts = try ShippedContracts()
    let server = try await FakeServer.start(
      try ContractLibrary(drafts: [
        ContractDraft("joke/random-joke", "GET", "/random_joke").case("gone", status: 410, text: "")
      ]))
    let url = try #require(server.baseURL(of: "joke"))
    let run = try await contracts.run([
      "drift", "joke/random-joke#ok", "--base-url", "joke=\(url)", "--confirm", "0s", "--update",
    ])
    await server.close()
    #expect(
      run.errors.hasPrefix(
        """
        nothing to update
        left joke/random-joke#ok: status: found status 410, expected 200
          since
        """))
    #expect(run.code == 1)
  }

  @Test("records only live APIs, unless a history is named")
  func history() async throws {
    let contracts = try ShippedContracts()
    let (server, words) = try await Self.live()
    _ = try await contracts.run(words)
    #expect((try? contracts.read(".understudy/drift/history.jsonl")) == nil)
    let named = ["--history", "runs.jsonl"]
    let run = try await contracts.run(words + named + ["--report", "html=page.html"])
    #expect(run.errors == "")
    await server.close()
    // Two checks, and the requests.
    #expect(try contracts.read("runs.jsonl").split(separator: "\n").count == 3)
    #expect(try contracts.read("page.html").contains("random-joke"))
    let shown = try await contracts.run(["history", "joke/random-joke#ok"] + named)
    #expect(shown.output.contains("joke/random-joke#ok  passing"))
    #expect(shown.code == 0)
  }

  @Test("makes a finding of an outage that lasts")
  func outage() async throws {
    let contracts = try ShippedContracts()
    try await ListeningSocket.refusing { url in
      let words = Self.words(askingAt: url)
      let run = try await contracts.run(
        words + ["--history", "runs.jsonl", "--outage-runs", "1"])
      #expect(
        run.output.contains("no response from joke could be checked on 1 run in a row"))
      #expect(run.code == 1)
      let patient = try await contracts.run(words + ["--history", "other.jsonl"])
      #expect(patient.code == 3)
    }
  }

  @Test("a history that cannot be written does not cost the run")
  func unwritable() async throws {
    let contracts = try ShippedContracts()
    let (server, words) = try await Self.live()
    let file = "Contracts/consumers.json/runs.jsonl"
    let run = try await contracts.run(words + ["--history", file, "--report", "html=page.html"])
    await server.close()
    #expect(try contracts.read("page.html").contains("random-joke"))
    #expect(
      run.errors == """
        understudy: error: cannot write \(file): not a directory
          fix: make the file writable, or name another file

        """)
    #expect(run.output.contains("2 checks: 2 passed"))
    #expect(run.code == 0)
  }

  @Test("sends no requests if the history cannot be read")
  func unreadable() async throws {
    let contracts = try ShippedContracts()
    let run = try await contracts.run(["drift", "--history", "Contracts"])
    #expect(run.errors == "understudy: error: Contracts is not a file\n  fix: name a file\n")
    #expect(run.output == "")
    #expect(run.code == 2)
    #expect((try? contracts.read(".understudy/drift/lock")) == nil)
  }

  @Test("reports invalid lines of the history, and uses the others")
  func brokenLine() async throws {
    let contracts = try ShippedContracts()
    let past = #"{"at":86400,"contract":"joke/random-joke","case":"ok","result":"fail"}"#
    try "[]\n\(past)\n".write(
      to: contracts.folder.appendingPathComponent("runs.jsonl"), atomically: true,
      encoding: .utf8)
    let run = try await ListeningSocket.refusing { url in
      try await contracts.run(
        Self.words(askingAt: url) + ["--history", "runs.jsonl", "--report", "issue=issue.md"])
    }
    #expect(
      run.errors == """
        understudy: warning: runs.jsonl:1: ignored, since it is not a record: \
        no time under "at"

        """)
    let issue = try contracts.read("issue.md")
    #expect(issue.contains("**ok** unreachable, drifting since 1970-01-02: "))
    #expect(run.code == 3)
  }
}

import ContractModel
import FakeServer
import Foundation
import TestSupport
import Testing

@testable import CommandLineTool

/// What becomes of the values that services are expected to make of an example that is updated.
@Suite struct DriftExpectationTests {
  private static let file = "Contracts/joke/random-joke.json"
  private static let contract = """
    {
      "summary": "A joke at random",
      "request": { "method": "GET", "path": "/random_joke" },
      "cases": {
        "ok": {
          "status": 200,
          "headers": { "Content-Type": "application/json; charset=utf-8" },
          "body": { "type": "general", "setup": "Why?", "punchline": "So.", "id": 3 },
          "schema": { "properties": { "type": { "const": "general" } } },
          "live": {},
          "expect": {
            "jokes.random": {
              "value": { "id": 3, "type": "general", "setup": "Why?", "punchline": "So." }
            }
          }
        },
        "slow": {
          "like": "ok", "delay": { "fixed": "10s" }, "expect": { "jokes.random": { "like": "ok" } }
        }
      }
    }
    """

  /// The shipped contracts with this one, a server that has changed, and the words that lead to it.
  private static func stage(
    _ text: String, live body: String
  ) async throws -> (ShippedContracts, FakeUpstream, words: [String]) {
    let contracts = try ShippedContracts()
    try Data(text.utf8).write(to: contracts.folder.appending(path: file))
    let server = try await FakeUpstream.start(
      try ContractLibrary(drafts: [
        ContractDraft("joke/random-joke", "GET", "/random_joke").case(
          "ok", status: 200, headers: ["Content-Type": "application/json; charset=utf-8"],
          body: body)
      ]))
    let url = try #require(server.baseURL(of: "joke"))
    let words = ["drift", "joke/random-joke", "--base-url", "joke=\(url)", "--confirm", "0s"]
    return (contracts, server, words + ["--update"])
  }

  @Test("brings them along, and every other byte stays, be it written or applied as a patch")
  func brought() async throws {
    let old = Self.contract.replacing("\n", with: "\r\n")
    let (contracts, server, words) = try await Self.stage(
      old, live: #"{ "type": "pun", "setup": "Who?", "punchline": "She.", "id": 9 }"#)
    let shown = try await contracts.run(words + ["--dry-run"])
    #expect(shown.errors == "2 checks: 2 passed\n")
    try Data(shown.output.utf8).write(to: contracts.folder.appending(path: "p.diff"))
    let new = old.replacing(#""general""#, with: #""pun""#)
    for command in ["git apply p.diff", "patch -p1 -i p.diff", "patch --binary -p1 -i p.diff"] {
      let folder = contracts.folder
      let code = try await offPool {
        try ProcessRun("/bin/sh", ["-c", command + " >&2"], directory: folder).code
      }
      #expect(code == 0)
      #expect(try contracts.read(Self.file) == new, "\(command)")
      try Data(old.utf8).write(to: contracts.folder.appending(path: Self.file))
    }
    let run = try await contracts.run(words)
    #expect(run.errors == "updated \(Self.file)\n")
    #expect(try contracts.read(Self.file) == new)
    #expect(try await contracts.run(words).errors == "found nothing to update\n")
    await server.close()
    let test = try await contracts.run(["test", "joke/random-joke", "--time-scale", "0"])
    #expect(test.output.contains("2 checks: 2 passed"))
  }

  @Test("says what no longer holds, and leaves what did not hold before")
  func broken() async throws {
    let text = Self.contract.replacing(
      #""cases": {"#,
      with: """
        "cases": {
            "wrong": { "like": "ok", "expect": { "jokes.random": { "error": "invalidData" } } },
        """)
    let (contracts, server, words) = try await Self.stage(
      text.replacing(#"{ "properties": { "type": { "const": "general" } } }"#, with: "{}"),
      live: #"{ "type": null, "setup": "Why?", "punchline": "So.", "id": 3 }"#)
    let run = try await contracts.run(words)
    await server.close()
    let finding = """
        OUTCOME: found the error invalidData (1:9: /type: found null, expected a string), \
      expected a value
      """
    #expect(
      run.errors == """
        updated \(Self.file)
        see to joke/random-joke#ok, jokes.random: it held until this update
        \(finding)
        see to joke/random-joke#slow, jokes.random: it held until this update
        \(finding)

        """)
    #expect(run.code == 1)
  }
}

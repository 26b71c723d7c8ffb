import Foundation
import Testing
import UnderstudyContractModel
import UnderstudyCore
import UnderstudyFakeServer

@testable import UnderstudyTool

/// `understudy drift` as users get it, in a process of its own, against a server of the test.
@Suite struct DriftCommandTests {
  private static let joke = "joke/random-joke#ok"

  private static let unchanged = ContractDraft("joke/random-joke", "GET", "/random_joke")
    .case(
      "ok", status: 200, headers: ["Content-Type": "application/json; charset=utf-8"],
      body: #"{ "type": "general", "setup": "Why?", "punchline": "So.", "id": 3 }"#)

  /// What stands for the live API, and the words that lead to it.
  private static func live(
    _ contract: ContractDraft
  ) async throws -> (FakeServer, words: [String]) {
    let server = try await FakeServer.start(try ContractLibrary(drafts: [contract]))
    let url = try #require(server.baseURL(of: "joke"))
    return (server, ["drift", joke, "--base-url", "joke=\(url)", "--confirm", "0s"])
  }

  @Test("passes when nothing has changed, keeps the responses, and checks them again")
  func unchanged() async throws {
    let contracts = try ShippedContracts()
    let (server, words) = try await Self.live(Self.unchanged)
    let run = try await contracts.run(words)
    #expect(run.errors == "")
    #expect(run.code == 0)
    await server.close()
    let runs = contracts.folder.appendingPathComponent(".understudy/drift/captures")
    let names = try FileManager.default.contentsOfDirectory(atPath: runs.path)
    #expect(names.count == 1)
    let again = try await contracts.run([
      "drift", Self.joke, "--replay", ".understudy/drift/captures/\(names.first ?? "")",
    ])
    #expect(TextDiff.unified(run.timelessOutput, again.timelessOutput) == "")
    #expect(again.code == 0)
  }

  @Test("says what was not sent again, and keeps it for the next run all the same")
  func held() async throws {
    let contracts = try ShippedContracts()
    let server = try await FakeServer.start(
      ContractLibrary(reading: [
        "joke/upstream.json": #"{ "summary": "Jokes" }"#,
        "joke/random-joke.json": #"""
        { "summary": "A joke", "request": { "method": "GET", "path": "/random_joke" },
          "cases": {
            "ok": { "status": 200, "headers": {
                "Content-Type": "application/json; charset=utf-8", "ETag": "\"1\"" },
              "body": { "type": "general", "setup": "Why?", "punchline": "So.", "id": 3 } },
            "same": { "status": 304,
              "when": { "request": { "header.If-None-Match": "\"1\"" } } } } }
        """#,
      ]))
    let url = try #require(server.baseURL(of: "joke"))
    for errors in ["", "1 of 2 responses not sent again: unchanged since an earlier run (ETag)\n"] {
      for _ in errors.isEmpty ? 0..<1 : 0..<2 {
        let run = try await contracts.run([
          "drift", Self.joke, "--base-url", "joke=\(url)", "--confirm", "0s",
        ])
        #expect(run.errors == errors)
        #expect(run.code == 0)
      }
    }
    #expect(await server.journal().map(\.status) == [200, 200, 304, 200, 304, 200])
    await server.close()
  }

  @Test("fails when the live API has changed, unless that is accepted")
  func changed() async throws {
    let contracts = try ShippedContracts()
    let (server, words) = try await Self.live(
      ContractDraft("joke/random-joke", "GET", "/random_joke").case("gone", status: 410, text: ""))
    let run = try await contracts.run(words)
    #expect(
      run.output.hasPrefix(
        "broken consumers\n  jokes.random by joke/random-joke#ok: status\n\nfailed "))
    #expect(run.output.contains("error: found status 410, expected 200"))
    #expect(run.output.contains("found the error unexpectedStatus 410, expected a value"))
    #expect(run.code == 1)
    let types = [
      "status", "consumer-broken", "header-added", "header-removed", "header-changed",
      "body-unreadable", "schema-violated", "schema-type-changed", "schema-field-removed",
    ]
    let entries = types.map {
      #"{"contract":"joke/random-joke","type":"\#($0)","reason":"moved","until":"2999-01-01"}"#
    }
    try "[\(entries.joined(separator: ","))]".write(
      to: contracts.folder.appendingPathComponent("Contracts/accepted.json"), atomically: true,
      encoding: .utf8)
    let accepted = try await contracts.run(words + ["--accepted", "Contracts/accepted.json"])
    #expect(accepted.output.contains("(accepted until 2999-01-01: moved)"))
    #expect(accepted.code == 0)
    await server.close()
  }

  @Test("compares as many responses as it is told to")
  func samples() async throws {
    let contracts = try ShippedContracts()
    let (server, words) = try await Self.live(Self.unchanged)
    let run = try await contracts.run(words + ["--samples", "4"])
    #expect(run.code == 0)
    // A header that nobody reads is gone, so the last is asked for, too.
    #expect(await server.journal().count == 4)
    await server.close()
  }

  @Test("keeps an intermittent break as a finding, until three runs are clean")
  func openBreak() async throws {
    let contracts = try ShippedContracts()
    let (server, words) = try await Self.live(Self.unchanged)
    let past = #"""
      {"at":\#(Int(clamping: Date().timeIntervalSince1970) - 86_400),"contract":"joke/random-joke","case":"ok",\#
      "result":"fail","findings":[{"severity":"error","type":"status","message":"found status 500",\#
      "seen":[1,2]}]}

      """#
    try Data(past.utf8).write(to: contracts.folder.appendingPathComponent("runs.jsonl"))
    let run = try await contracts.run(words + ["--history", "runs.jsonl"])
    #expect(run.output.contains("joke/random-joke#ok was broken in 1 of 2 responses on "))
    #expect(
      run.output.contains("(status) and not since; this closes after 3 clean runs [intermittent]")
    )
    #expect(run.code == 1)
    await server.close()
  }

  @Test("says that nothing could be checked, and is not green")
  func limited() async throws {
    let contracts = try ShippedContracts()
    let (server, words) = try await Self.live(
      ContractDraft("joke/random-joke", "GET", "/random_joke").case("limited", status: 429))
    let run = try await contracts.run(words)
    await server.close()
    #expect(run.output.contains("2 checks: 2 could not be checked"))
    #expect(run.code == 3)
  }

  @Test("checks contracts without any service, and names a missing service")
  func withoutServices() async throws {
    let (server, words) = try await Self.live(Self.unchanged)
    let contracts = try ShippedContracts()
    func write(_ path: String, _ text: String) throws {
      let file = contracts.folder.appendingPathComponent("Own/\(path)")
      try FileManager.default.createDirectory(
        at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
      try text.write(to: file, atomically: true, encoding: .utf8)
    }
    let contract = """
      { "summary": "A joke", "request": { "method": "GET", "path": "/random_joke" },
        "cases": { "ok": { "status": 200, "body": { "id": 1 }, "live": {}, "expect": {} } } }
      """
    try write("joke/upstream.json", #"{ "summary": "Jokes", "baseURL": "http://a.test" }"#)
    try write("joke/random-joke.json", contract)
    let run = try await contracts.run(words + ["--contracts", "Own"])
    #expect(run.errors == "")
    #expect(run.output.hasSuffix("1 check: 1 passed\ncoverage: 1 of 1\n"))
    #expect(!run.output.contains("consumers-unknown"))
    #expect(run.code == 0)
    // A header that is missing is warning.
    try write(
      "joke/random-joke.json",
      contract.replacing(#""id": 1"#, with: #""id": "1""#).replacing(
        #""body""#, with: #""headers": { "ETag": "1" }, "body""#))
    let changed = try await contracts.run(words + ["--contracts", "Own"])
    #expect(changed.output.contains("error: found number, expected string [schema-type-changed]"))
    #expect(
      changed.output.contains(
        """
          note: no consumer is declared for joke/random-joke#ok, so changes that would break \
        one are errors [consumers-unknown]
            fix: declare who reads it in consumers.json and "expect", or accept the changes with a \
        reason: --accepted

        """))
    #expect(changed.output.contains("warning: no header ETag"))
    #expect(!changed.output.contains("so they are warnings"))
    #expect(changed.code == 1)
    try write(
      "consumers.json",
      #"{ "jokes.own": { "upstreams": ["joke"], "errors": { "invalidData": null } } }"#)
    try write(
      "joke/random-joke.json",
      contract.replacing(#""expect": {}"#, with: #""expect": { "jokes.own": { "value": 1 } }"#))
    let other = try await contracts.run(words + ["--contracts", "Own", "-v"])
    #expect(
      other.output.contains(
        "joke/random-joke#ok, jokes.own: this tool has no service jokes.own"))
    #expect(other.code == 0)
    try write(
      "consumers.json",
      #"{ "jokes.own": { "upstreams": ["joke"], "in": "jokes-tool", "errors": { "e": null } } }"#)
    let left = try await contracts.run(words + ["--contracts", "Own", "-v"])
    #expect(
      left.output.contains(
        "joke/random-joke#ok, jokes.own: only jokes-tool can call jokes.own: run `jokes-tool drift`\n"
      ))
    #expect(left.code == 0)
    await server.close()
  }

  @Test("fails when there is nothing to request")
  func nothing() async throws {
    let run = try await ShippedContracts().run(["drift", "restaurants/list-favorites"])
    let output = """
      the run as a whole
        error: nothing was exercised, so the run proves nothing [nothing-exercised]
          fix: see the reason at each case, or name cases that can be exercised

      not exercised
        restaurants/list-favorites#ok: restaurants has no live API: upstream.json names no "baseURL"

      showcase drift restaurants/list-favorites 0.1.0, TIME
      1 check: 1 not exercised
      coverage: 0 of 1

      """
    #expect(TextDiff.unified(output, run.timelessOutput) == "")
    #expect(run.code == 1)
  }

  @Test(
    "refuses what it cannot do",
    arguments: [
      (
        ["jke"],
        """
        nothing matches "jke"
          fix: did you mean "joke"?
        """
      ),
      (
        ["--base-url", "jke=http://127.0.0.1:1"],
        """
        unknown upstream "jke" in --base-url
          fix: did you mean "joke"?
        """
      ),
      (
        ["--base-url", "joke=127.0.0.1"],
        """
        found "joke=127.0.0.1" for --base-url, expected [NAME=]URL, such as joke=http://127.0.0.1:8080/joke
          fix: write "http://127.0.0.1"
        """
      ),
      (
        ["--base-url", "joke=http://a", "--base-url", "joke=http://b"],
        """
        --base-url joke is given twice, as "http://a" and "http://b"
          fix: keep one of them
        """
      ),
      (
        ["--fail-on", "WARNING"],
        """
        found "WARNING" for --fail-on, expected error, warning or note
          fix: did you mean "warning"?
        """
      ),
      (
        ["--confirm", "30"],
        """
        found "30" for --confirm, expected a time up to 277777h with its unit, such as 30s or 0s
        """
      ),
      (
        ["--samples", "1"],
        """
        found "1" for --samples, expected a number from 2 to 100
        """
      ),
      (
        ["--accepted", "accepted.json"],
        """
        cannot read accepted.json: no such file or directory
          fix: check the spelling, and the folder you are in
        """
      ),
      (
        ["--accepted", "broken.json"],
        """
        broken.json:1:1: found object with 0 members, expected an array of objects
          fix: write [ { "contract": …, "type": …, "reason": …, "until": … } ]
        """
      ),
      (
        ["--dry-run", "--report", "json"],
        """
        --report cannot be used with --dry-run, which checks nothing to report
          fix: leave one of them out, or print the requests with --format json
        """
      ),
      (
        ["--dry-run", "--replay", "x"],
        """
        --dry-run cannot be used with --replay, which sends no requests to show
          fix: add --update or --add-cases, or leave one of them out
        """
      ),
      (
        ["--update", "--add-cases"],
        """
        --add-cases and --update cannot be used together
          fix: leave one of them out
        """
      ),
      (
        ["--outage-runs", "0"],
        """
        found "0" for --outage-runs, expected a number from 1 to 1000000
        """
      ),
      (
        ["--certificate-days", "-1"],
        """
        found "-1" for --certificate-days, expected a number from 0 to 3650
        """
      ),
      (
        ["--certificate-days", "2w"],
        """
        found "2w" for --certificate-days, expected a number from 0 to 3650
        """
      ),
      (
        ["--accepted", "stray.json"],
        """
        stray.json:1:15: found string "joke/random-jok", expected a contract
          fix: did you mean "joke/random-joke"?
        """
      ),
      (
        ["--replay", "Contracts/consumers.json"],
        """
        cannot read Contracts/consumers.json: not a directory
        """
      ),
    ])
  func refusals(words: [String], errors: String) async throws {
    let contracts = try ShippedContracts()
    try Data("{}".utf8).write(to: contracts.folder.appendingPathComponent("broken.json"))
    let stray =
      #"[{"contract": "joke/random-jok","type":"status","reason":"x","until":"2999-01-01"}]"#
    try Data(stray.utf8).write(to: contracts.folder.appendingPathComponent("stray.json"))
    let run = try await contracts.run(["drift"] + words)
    #expect(TextDiff.unified("understudy: error: \(errors)\n", run.errors) == "")
    #expect(run.code == 2)
  }

  @Test(
    "refuses what concerns requests with --replay, which sends none",
    arguments: [
      ["--samples", "3"], ["--confirm", "0s"], ["--history", "h.jsonl"],
      ["--base-url", "joke=http://127.0.0.1:1"], ["--certificate-days", "30"],
    ])
  func replayRefusals(words: [String]) async throws {
    let run = try await ShippedContracts().run(["drift", "--replay", "x"] + words)
    #expect(
      run.errors == """
        understudy: error: \(words[0]) cannot be used with --replay, which sends no requests and \
        writes no history
          fix: leave one of them out

        """)
    #expect(run.code == 2)
  }

  @Test("sends no requests while another run does")
  func lock() async throws {
    let contracts = try ShippedContracts()
    let (server, words) = try await Self.live(Self.unchanged)
    let folder = contracts.folder.appendingPathComponent(".understudy/drift")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let descriptor = open(
      folder.appendingPathComponent("lock").path, O_RDWR | O_CREAT | O_CLOEXEC, 0o644)
    try #require(flock(descriptor, LOCK_EX | LOCK_NB) == 0)
    let run = try await contracts.run(words)
    #expect(
      run.errors == """
        understudy: error: another run is in progress: it holds .understudy/drift/lock
          fix: wait for it, or stop it

        """)
    #expect(run.code == 2)
    close(descriptor)
    #expect(try await contracts.run(words).code == 0)
    await server.close()
  }
}

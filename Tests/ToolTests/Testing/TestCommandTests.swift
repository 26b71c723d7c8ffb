import Foundation
import Testing
import UnderstudyCore
import UnderstudyDrift
import UnderstudyFindings

@testable import UnderstudyTool

/// `understudy test` as users get it, in a process of its own.
@Suite struct TestCommandTests {
  private static let joke = "Contracts/joke/random-joke.json"

  @Test("says what is wrong and where, then the numbers")
  func failure() async throws {
    let contracts = try ShippedContracts()
    try contracts.edit(
      Self.joke, #""value": {\#n            "id": 236"#, #""value": {\#n            "id": 237"#)
    let run = try await contracts.run(["test", "joke/random-joke#ok", "joke/random-joke#reset"])
    let output = """
      failed joke/random-joke#ok, jokes.random  after TIME
        Contracts/joke/random-joke.json:33:19: error: found number 236, expected number 237 [value]
          at /id

      showcase test joke/random-joke#ok joke/random-joke#reset 0.1.0, seed 0, TIME
      2 checks: 1 passed, 1 failed
      coverage: 2 of 2

      """
    #expect(TextDiff.unified(output, run.timelessOutput) == "")
    #expect(run.errors == "")
    #expect(run.code == 1)
  }

  @Test("a contract that was not checked for too long fails the run")
  func stale() async throws {
    let contracts = try ShippedContracts()
    let words = ["test", "joke/random-joke#ok", "--max-age", "7d"]
    let run = try await contracts.run(words)
    let output = """
      the run as a whole
        \(Self.joke): error: found joke/random-joke last checked: ok never; \
      expected within 7 days [stale]
          fix: run showcase drift joke/random-joke

      showcase test joke/random-joke#ok 0.1.0, seed 0, TIME
      1 check: 1 passed
      coverage: 1 of 1

      """
    #expect(TextDiff.unified(output, run.timelessOutput) == "")
    #expect(run.code == 1)
    let now = Int(clamping: Date().timeIntervalSince1970)
    let file = contracts.folder.appendingPathComponent(HistoryFile.standardPath)
    try HistoryFile(path: file.path).append([
      HistoryRecord(
        at: Moment(unixSeconds: now), Check.Identity("joke/random-joke", "ok", consumer: nil), .pass
      )
    ])
    #expect(try await contracts.run(words).code == 0)
  }

  @Test("runs again what has failed, until it passes")
  func failed() async throws {
    let contracts = try ShippedContracts()
    let (right, wrong) = (#""rateLimited": null"#, #""rateLimited": 7"#)
    try contracts.edit(Self.joke, right, wrong)
    let first = try await contracts.run(["test", "joke", "--time-scale", "0", "--format", "json"])
    #expect(first.code == 1)
    let second = try await contracts.run(["test", "--failed"])
    let secondOutput = """
      failed joke/random-joke#rate-limited, jokes.random  after TIME
        Contracts/joke/random-joke.json:101:63: error: found rateLimited with null, expected 7 [outcome]

      showcase test 0.1.0, seed 0, TIME
      1 check: 1 failed
      coverage: 1 of 1

      """
    #expect(TextDiff.unified(secondOutput, second.timelessOutput) == "")
    try contracts.edit(Self.joke, wrong, right)
    #expect(try await contracts.run(["test", "--failed"]).code == 0)
    let last = try await contracts.run(["test", "--failed"])
    let lastErrors = """
      understudy: error: no failed checks in .understudy/last-test.json to run again
        fix: run without --failed

      """
    #expect(TextDiff.unified(lastErrors, last.errors) == "")
    #expect(last.code == 2)
  }

  @Test("passes, and writes the requested reports")
  func reports() async throws {
    let contracts = try ShippedContracts()
    let run = try await contracts.run([
      "test", "joke#ok", "--report", "junit=reports/all/junit.xml", "--report", "tap",
    ])
    // What a program asked for stands alone.
    let errors = """
      showcase test joke#ok 0.1.0, seed 0, TIME
      2 checks: 2 passed
      coverage: 2 of 2

      """
    #expect(TextDiff.unified(errors, run.timelessErrors) == "")
    let output = """
      TAP version 14
      1..2
      # showcase test joke#ok 0.1.0, seed 0, TIME
      ok 1 - joke/joke-by-id\\#ok, jokes.byID
      ok 2 - joke/random-joke\\#ok, jokes.random
      # 2 checks: 2 passed

      """
    #expect(TextDiff.unified(output, run.timelessOutput) == "")
    #expect(run.code == 0)
    #expect(try contracts.read("reports/all/junit.xml").hasPrefix("<?xml version=\"1.0\""))
  }

  @Test("needs no writable folder for its results")
  func readOnly() async throws {
    let contracts = try ShippedContracts()
    // A file where the folder would be stands for one that cannot be made.
    try Data().write(to: contracts.folder.appendingPathComponent(".understudy"))
    let run = try await contracts.run(["test", "joke#ok"])
    #expect(
      run.errors == "understudy: warning: cannot write .understudy/last-test.json: not a directory,"
        + " so --failed cannot repeat what failed in this run\n")
    #expect(run.timelessOutput.contains("2 checks: 2 passed"))
    #expect(run.code == 0)
  }

  @Test("prints one object for programs")
  func json() async throws {
    let run = try await ShippedContracts().run(["test", "joke#not-found", "--format", "json"])
    let root = try #require(
      JSONSerialization.jsonObject(with: Data(run.output.utf8)) as? [String: Any])
    #expect(root["result"] as? String == "pass")
    #expect(root["summary"] as? String == "2 checks: 2 passed")
    #expect(run.code == 0)
  }

  @Test("fails when less is exercised than required")
  func coverage() async throws {
    let run = try await ShippedContracts().run([
      "test", "dog-ceo/random-images#ok", "dog-ceo/breeds#ok", "--require-coverage", "51%",
    ])
    let output = """
      the run as a whole
        error: found 50% exercised, expected at least 51% [coverage]
          fix: add \"expect\" to the cases that were not exercised

      showcase test dog-ceo/random-images#ok dog-ceo/breeds#ok 0.1.0, seed 0, TIME
      2 checks: 1 passed, 1 not exercised
      coverage: 1 of 2

      """
    #expect(TextDiff.unified(output, run.timelessOutput) == "")
    #expect(run.code == 1)
  }

  @Test(
    "refuses a selection that matches nothing",
    arguments: [
      (
        ["jke"],
        """
        nothing matches "jke"
          fix: did you mean "joke"?
        """
      ),
      (
        ["joke/random-joke#rest"],
        """
        nothing matches "joke/random-joke#rest"
          fix: did you mean "joke/random-joke#reset"?
        """
      ),
      (
        ["dog-ceo/breeds"],
        """
        nothing to check: no selected case has an \"expect\" for a consumer that was
          fix: add "expect" to a case, or name others
        """
      ),
      (
        ["--consumer", "jokes.randm"],
        """
        unknown consumer "jokes.randm" in --consumer
          fix: did you mean "jokes.random"?
        """
      ),
      (
        ["joke", "--consumer", "dogs.random"],
        """
        nothing to check: no selected case has an \"expect\" for a consumer that was
          fix: add "expect" to a case, or name others
        """
      ),
      (
        ["--failed"],
        """
        no results of a last run in .understudy/last-test.json
          fix: run without --failed first
        """
      ),
      (
        ["--require-coverage", "101"],
        """
        found "101" for --require-coverage, expected a number from 0 to 100
        """
      ),
      (
        ["--report", "junitt=x"],
        """
        found "junitt=x" for --report, expected KIND=PATH, such as junit=results.xml
          fix: did you mean "junit"?
        """
      ),
      (
        ["--report", "tap", "--format", "json"],
        """
        --format json and --report tap would be printed together
          fix: write all but one to files, such as --report junit=junit.xml
        """
      ),
      (
        ["joke#ok", "--report", "json=Contracts"],
        """
        cannot write Contracts: is a directory
        """
      ),
      (
        ["--contracts", "Contract"],
        """
        no such file or folder: Contract
          fix: name a folder of contracts, one of its upstreams, or a contract file
        """
      ),
    ])
  func refusals(words: [String], errors: String) async throws {
    let contracts = try ShippedContracts()
    let run = try await contracts.run(["test"] + words)
    #expect(TextDiff.unified("understudy: error: \(errors)\n", run.errors) == "")
    #expect(run.code == 2)
  }

  // MARK: - Where there is nothing to run

  private static func stock(_ files: [String: String], _ words: String...) async throws
    -> ProcessRun
  {
    let samples = try SampleContracts(files)
    return try await offPool {
      try ProcessRun(Checkout.tool.path, ["test"] + words, directory: samples.folder)
    }
  }

  @Test("leaves services to the executable that consumers.json names")
  func leftToOthers() async throws {
    let run = try await Self.stock([
      "Contracts/consumers.json": """
      {
        "images.random": {
          "upstreams": ["dog-ceo"], "in": "dogs-tool",
          "errors": { "connectivity": null, "invalidData": null, "unexpectedStatus": "integer" }
        }
      }
      """
    ])
    #expect(
      run.errors == """
        understudy: error: only dogs-tool can run images.random
          fix: dogs-tool test

        """)
    #expect(run.output == "")
    #expect(run.code == 2)
  }

  @Test("our own contracts are left to showcase by the tool itself")
  func shippedLeft() async throws {
    let run = try await ShippedContracts().run(["test"], of: Checkout.tool)
    #expect(
      run.errors == """
        understudy: error: only showcase can run 10 consumers
          fix: showcase test

        """)
    #expect(run.code == 2)
  }

  @Test("runs its own services, and says which are left to other tools")
  func mixed() async throws {
    let contracts = try ShippedContracts()
    try contracts.edit(
      "Contracts/consumers.json", #""$schema": "consumers.schema.json","#,
      #""other.jokes": { "upstreams": ["joke"], "in": "other", "errors": { "e": null } },"#)
    try contracts.edit(
      "Contracts/joke/random-joke.json", #""expect": { "jokes.random": {"#,
      #""expect": { "other.jokes": { "error": "e" }, "jokes.random": {"#)
    let run = try await contracts.run(["test", "joke/random-joke#not-found"])
    #expect(
      run.output.contains(
        """
          note: left 1 case of other.jokes to other, as consumers.json declares [coverage]
            fix: run other test
        """), "\(run.output)\(run.errors)")
    #expect(run.output.contains("\n1 check: 1 passed\n"))
    #expect(run.code == 0)
  }

  @Test("without any consumer it says that nothing was exercised, and what to do")
  func noConsumers() async throws {
    let run = try await Self.stock([
      "Contracts/consumers.json": "{}",
      "Contracts/dog-ceo/random-images.json": """
      { "request": { "method": "GET", "path": "/random" }, "cases": { "ok": { "status": 200 } } }
      """,
    ])
    let errors = """
      understudy: error: nothing was exercised: no consumer is declared for these contracts
        fix: let a test runner use them: understudy run -- COMMAND; or declare a command of yours in \
      consumers.json

      """
    #expect(TextDiff.unified(errors, run.errors) == "")
    #expect(run.code == 2)
  }

  @Test("where no case expects anything it says how to write that")
  func onlyCommands() async throws {
    let run = try await Self.stock([
      "Contracts/consumers.json":
        #"{ "dogs-cli": { "upstreams": ["dog-ceo"], "command": ["true"] } }"#,
      "Contracts/dog-ceo/random-images.json": """
      { "request": { "method": "GET", "path": "/random" },
        "cases": { "ok": { "status": 200 } } }
      """,
    ])
    let errors = """
      understudy: error: nothing was exercised: no case expects anything of dogs-cli
        fix: say in a case how it must end: "expect": { "dogs-cli": { "exitCode": 0 } }

      """
    #expect(TextDiff.unified(errors, run.errors) == "")
    #expect(run.code == 2)
  }

  @Test("refuses consumers that are not those of consumers.json")
  func registry() async throws {
    let run = try await Self.stock([:])
    let errors = """
      understudy: error: the consumers differ from those of consumers.json: declared and not \
      registered: images.random
        fix: run the executable that registers them, and name it in consumers.json: "in": "my-tool"

      """
    #expect(TextDiff.unified(errors, run.errors) == "")
    #expect(run.code == 2)
  }

  @Test("refuses services that consumers.json does not declare")
  func undeclared() async throws {
    let samples = try SampleContracts()
    let run = try await offPool {
      try ProcessRun(Checkout.showcase.path, ["test"], directory: samples.folder)
    }
    let errors = """
      understudy: error: the consumers differ from those of consumers.json: declared and not \
      registered: images.random; registered and not declared: dogs.picture, dogs.random, jokes.byID, \
      jokes.random, listings.dogs, repos.list, repos.one, restaurants.addFavorite, \
      restaurants.deleteFavorite, restaurants.load
        fix: declare every registered consumer, and register every declared one

      """
    #expect(TextDiff.unified(errors, run.errors) == "")
    #expect(run.code == 2)
  }
}

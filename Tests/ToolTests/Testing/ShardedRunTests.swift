import Foundation
import Testing
import UnderstudyCore

@testable import UnderstudyTool

/// Machines that share a run, each a process, and the result of all.
@Suite struct ShardedRunTests {
  @Test("shards give the same result as one machine")
  func whole() async throws {
    let suite = try SmallSuite()
    for index in 1...3 {
      let run = try await suite.run(shard: index)
      let output = """
        wrong-consumers test 0.1.0, seed 0, shard \(index)/3, TIME
        2 checks: 2 passed

        """
      #expect(TextDiff.unified(output, run.timelessOutput) == "")
      #expect(run.errors == "")
      #expect(run.code == 0)
    }
    let merged = try await suite.run(["merge", "shards"])
    let whole = try await suite.run(["test"])
    #expect(TextDiff.unified(whole.timelessOutput, merged.timelessOutput) == "")
    #expect(merged.output.hasSuffix("\n6 checks: 6 passed\ncoverage: 6 of 6\n"))
    #expect(merged.errors == "")
    #expect(merged.code == 0)
  }

  @Test("what a shard found is in the result, and in the reports")
  func failure() async throws {
    let suite = try SmallSuite(wrong: "four")
    var codes: [Int32] = []
    for index in 1...3 { codes.append(try await suite.run(shard: index).code) }
    #expect(codes == [0, 1, 0])
    let run = try await suite.run(["merge", "shards", "--report", "junit=joined/junit.xml"])
    let output = """
      failed joke/random#four, jokes.none  after TIME
        Contracts/joke/random.json:10:52: error: found number 7, expected number 8 [value]
          at /id

      wrong-consumers test 0.1.0, seed 0, TIME
      6 checks: 5 passed, 1 failed
      coverage: 6 of 6

      """
    #expect(TextDiff.unified(output, run.timelessOutput) == "")
    #expect(run.code == 1)
    #expect(try suite.read("joined/junit.xml").contains(#"tests="6" failures="1""#))
  }

  @Test("a shard that is missing is a failure")
  func missing() async throws {
    let suite = try SmallSuite()
    for index in [1, 3] { _ = try await suite.run(shard: index) }
    let run = try await suite.run(["merge", "shards", "--format", "json"])
    #expect(run.output.contains(#""message": "no report of shard 2/3""#))
    #expect(run.output.contains(#""message": "found 4 checks, expected 6 as planned""#))
    #expect(run.errors == "4 checks: 4 passed\n")
    #expect(run.code == 1)
  }

  @Test("a duplicate shard is a failure")
  func duplicate() async throws {
    let suite = try SmallSuite()
    for index in 1...3 { _ = try await suite.run(shard: index) }
    try suite.write("shards/again/1.json", suite.read("shards/1.json"))
    let run = try await suite.run(["merge", "shards", "shards/2.json"])
    let output = """
      the run as a whole
        error: 2 reports of shard 1/3: shards/1.json, shards/again/1.json [shard-duplicated]
          fix: give each machine its own shard

      wrong-consumers test 0.1.0, seed 0, TIME
      6 checks: 6 passed
      coverage: 6 of 6

      """
    #expect(TextDiff.unified(output, run.timelessOutput) == "")
    #expect(run.code == 1)
  }

  @Test("divides by the durations of a report, and sees when not all machines did")
  func durations() async throws {
    let suite = try SmallSuite()
    for index in 1...2 { _ = try await suite.run(shard: index) }
    // Now its two take a machine each, and the third has all the others.
    let slow = try suite.read("shards/1.json").replacing(
      /"durationNanoseconds": \d+/, with: #""durationNanoseconds": 1000000000"#)
    try suite.write("durations.json", slow)
    let third = try await suite.run(shard: 3, "--durations", "durations.json")
    #expect(third.output.hasSuffix("\n4 checks: 4 passed\n"))
    let run = try await suite.run(["merge", "shards"])
    let output = """
      the run as a whole
        error: found 2 divisions of the run, expected one: shards/1.json, shards/2.json; shards/3.json [shard-division]
          fix: give all machines the same contracts, services, options and --durations

      wrong-consumers test 0.1.0, seed 0, TIME
      6 checks: 6 passed
      coverage: 6 of 6

      """
    #expect(TextDiff.unified(output, run.timelessOutput) == "")
    #expect(run.code == 1)
    for index in 1...2 {
      _ = try await suite.run(shard: index, "--durations", "durations.json")
    }
    #expect(try await suite.run(["merge", "shards"]).code == 0)
  }

  @Test("there may be more machines than checks")
  func empty() async throws {
    let run = try await SmallSuite().run(["test", "--shard", "9/9"])
    #expect(
      run.timelessOutput == "wrong-consumers test 0.1.0, seed 0, shard 9/9, TIME\n0 checks\n")
    #expect(run.code == 0)
  }

  @Test("takes the shard from the environment on request, and says so")
  func environment() async throws {
    let suite = try SmallSuite()
    let none = ShardFromEnvironment.variables.map { ($0, "") }
    let variables = Dictionary(none, uniquingKeysWith: { first, _ in first })
      .merging(["JOB_COMPLETION_INDEX": "1", "UNDERSTUDY_SHARD_COUNT": "3"]) { $1 }
    let part = try await suite.run(["test", "--shard", "auto"], environment: variables)
    #expect(part.errors == "shard 2/3 by JOB_COMPLETION_INDEX=1 and UNDERSTUDY_SHARD_COUNT=3\n")
    #expect(part.output.contains("shard 2/3"))
    let whole = try await suite.run(["test"], environment: variables)
    #expect(whole.output.contains("6 checks"))
    #expect(whole.errors == "")
  }

  @Test("requires coverage of all shards together")
  func coverage() async throws {
    let suite = try SmallSuite()
    for index in 1...3 { _ = try await suite.run(shard: index) }
    let enough = try await suite.run(["merge", "shards", "--require-coverage", "100"])
    #expect(enough.code == 0)
    let gap =
      #"{ "summary": "All", "request": { "method": "GET", "path": "/all" }, "#
      + #""cases": { "ok": { "status": 200 } } }"#
    try suite.write("Contracts/joke/all.json", gap)
    for index in 1...3 { _ = try await suite.run(shard: index) }
    let run = try await suite.run(["merge", "shards", "--require-coverage", "90"])
    #expect(run.output.contains("error: found 85% exercised, expected at least 90% [coverage]"))
    #expect(run.code == 1)
  }

  @Test(
    "says what is wrong with the shard",
    arguments: [
      (["--shard", "0/3"], #"found "0/3" for --shard, expected a shard such as 2/8, or auto"#),
      (["--shard", "4/3"], #"found "4/3" for --shard, expected a shard such as 2/8, or auto"#),
      (["--shard", "2"], #"found "2" for --shard, expected a shard such as 2/8, or auto"#),
      (
        ["--shard", "1/2", "--mutate"],
        """
        --shard cannot be used with --mutate, which runs on one machine
          fix: leave it out, or name different contracts on each machine: test --mutate joke
        """
      ),
      (
        ["--shard", "1/2", "--require-coverage", "90"],
        """
        --require-coverage is for the whole run, not for a shard
          fix: pass it to "wrong-consumers merge"
        """
      ),
      (
        ["--durations", "a.json"],
        """
        --durations needs --shard
          fix: add --shard, or leave it out
        """
      ),
      (
        ["--shard", "1/2", "--durations", "a.json"],
        """
        cannot read a.json: no such file or directory
          fix: check the spelling, and the folder you are in
        """
      ),
      (
        ["--shard", "1/2", "--durations", "Contracts/consumers.json"],
        """
        Contracts/consumers.json: no "schemaVersion", expected an understudy report
          fix: name the files that --report json=PATH wrote
        """
      ),
    ])
  func wrongShard(words: [String], errors: String) async throws {
    let run = try await SmallSuite().run(["test"] + words)
    #expect(TextDiff.unified("understudy: error: \(errors)\n", run.errors) == "")
    #expect(run.code == 2)
  }

  @Test(
    "says what is wrong with the reports",
    arguments: [
      (
        [],
        """
        missing REPORT, expected a file or folder
          fix: write wrong-consumers merge [OPTIONS] REPORT...
        """
      ),
      (
        ["shard"],
        """
        cannot read shard: no such file or directory
          fix: check the spelling, and the folder you are in
        """
      ),
      (
        ["empty"],
        """
        no .json file in empty or its folders, expected the reports of all shards
          fix: name the folder with the files written by --report json=PATH
        """
      ),
      (
        ["whole.json"],
        """
        whole.json: found the report of a whole run, expected a shard's report
          fix: run with --shard, or use this report as it is
        """
      ),
      (
        ["part.json", "broken.json"],
        """
        broken.json:1:3: found the end of the text, expected a key or "}" for the object opened \
        at 1:1
          fix: use the whole file that --report json=PATH wrote
        """
      ),
      (
        ["part.json", "hostile.json"],
        """
        found command "wrong-consumers test" in part.json and "\\u{1B}[2J" in hostile.json, expected \
        shards of one run
          fix: join only reports of one run
        """
      ),
      (
        ["part.json", "other.json"],
        """
        found command "wrong-consumers test" in part.json and "wrong-consumers test joke" in other.json, \
        expected shards of one run
          fix: join only reports of one run
        """
      ),
    ])
  func wrongReports(words: [String], errors: String) async throws {
    let suite = try SmallSuite()
    try suite.write("empty/one/two/report.json", "{}")
    try suite.write("broken.json", "{ ")
    _ = try await suite.run(["test", "--report", "json=whole.json"])
    _ = try await suite.run(["test", "--shard", "1/2", "--report", "json=part.json"])
    _ = try await suite.run(["test", "joke", "--shard", "2/2", "--report", "json=other.json"])
    let part = try suite.read("part.json")
    try suite.write(
      "hostile.json", part.replacing(#""wrong-consumers test""#, with: #""\u001B[2J""#))
    let run = try await suite.run(["merge"] + words)
    #expect(TextDiff.unified("understudy: error: \(errors)\n", run.errors) == "")
    #expect(run.code == 2)
  }
}

import Testing

@testable import UnderstudyTool

/// `--failed` is about what did not pass when it was last run, whichever run that was.
@Suite struct LastRunTests {
  /// The names of the cases that `--failed` runs now.
  private static func open(_ suite: SmallSuite) async throws -> [String] {
    let run = try await suite.run(["test", "--failed", "--report", "json=failed.json"])
    guard run.code != 2 else { return [] }
    return try suite.read("failed.json").matches(of: /"case": "(\w+)"/).map { String($0.1) }
  }

  @Test("a run of some cases forgets nothing of the others")
  func part() async throws {
    let suite = try SmallSuite(wrong: "one", "four")
    _ = try await suite.run(["test"])
    try suite.expect(wrong: ["four"])
    #expect(try await suite.run(["test", "#one"]).code == 0)
    #expect(try await Self.open(suite) == ["four"])
    try suite.expect(wrong: ["four", "six"])
    _ = try await suite.run(["test", "#s*"])
    #expect(try await Self.open(suite) == ["four", "six"])
    try suite.expect()
    #expect(try await suite.run(["test", "--failed"]).code == 0)
    #expect(try await Self.open(suite) == [])
  }

  @Test("each shard forgets nothing of the others")
  func shards() async throws {
    let suite = try SmallSuite(wrong: "one", "four")
    for index in 1...3 { _ = try await suite.run(shard: index) }
    #expect(try await Self.open(suite) == ["one", "four"])
  }

  @Test("a run of mutants changes nothing")
  func mutants() async throws {
    let suite = try SmallSuite(wrong: "four")
    _ = try await suite.run(["test"])
    _ = try await suite.run(["test", "--mutants", "1", "#one"])
    #expect(try await Self.open(suite) == ["four"])
    let run = try await suite.run(["test", "--failed", "--mutate"])
    #expect(
      run.errors == """
        understudy: error: --failed and --mutate cannot be used together
          fix: repeat a mutant by its id from a report: --mutant ID

        """)
    #expect(run.code == 2)
  }

  @Test("checks that a run did not reach are as before")
  func stopped() async throws {
    let suite = try SmallSuite(wrong: "one", "four")
    _ = try await suite.run(["test"])
    try suite.expect(wrong: ["one"])
    let run = try await suite.run(["test", "--fail-fast", "--jobs", "1"])
    #expect(run.output.contains("6 checks: 1 failed, 5 not exercised"))
    #expect(try await Self.open(suite) == ["one", "four"])
  }

  @Test("cases that no longer exist have not failed")
  func removed() async throws {
    let suite = try SmallSuite(wrong: "four")
    _ = try await suite.run(["test"])
    try suite.expect(["one", "two"])
    _ = try await suite.run(["test", "#one"])
    let run = try await suite.run(["test", "--failed"])
    #expect(
      run.errors == """
        understudy: error: no failed checks in .understudy/last-test.json to run again
          fix: run without --failed

        """)
    _ = try await suite.run(["test"])
    #expect(try !suite.read(".understudy/last-test.json").contains("four"))
  }

  @Test("a file that cannot be read is replaced")
  func broken() async throws {
    let suite = try SmallSuite(wrong: "four")
    try suite.write(".understudy/last-test.json", "{")
    #expect(
      try await suite.run(["test", "--failed"]).errors == """
        understudy: error: cannot read the results of the last run in .understudy/last-test.json
          fix: run without --failed

        """)
    let run = try await suite.run(["test", "#four"])
    #expect(run.errors == "")
    #expect(try await Self.open(suite) == ["four"])
  }
}

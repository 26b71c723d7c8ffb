import Foundation
import Testing
import UnderstudyCore
import UnderstudyDrift
import UnderstudyFindings
import UnderstudyHTTP
import UnderstudyJSON

@testable import UnderstudyTool

@Suite struct HistoryCommandTests {
  private static let day = 86_400
  /// `2026-11-21T23:59:59Z`, a moment before another day.
  private static let now = 1_795_305_599

  /// Sound contracts and a history beside them; `runs` by how many days ago they were.
  private static func contracts(
    _ runs: [(daysAgo: Int, result: CheckResult, milliseconds: Int)]
  ) throws -> (contracts: SampleContracts, file: String) {
    let contracts = try SampleContracts()
    let file = contracts.folder.appendingPathComponent("history.jsonl").path
    try HistoryFile(path: file).append(
      runs.map { run in
        HistoryRecord(
          at: Moment(unixSeconds: now - run.daysAgo * day),
          Check.Identity("dog-ceo/random-images", "ok", consumer: nil), run.result,
          because: run.result == .couldNotCheck ? "no response" : nil,
          latency: run.result == .couldNotCheck ? nil : .milliseconds(run.milliseconds),
          findings: run.result == .fail ? [Finding(.error, .status, "found status 500")] : [])
      })
    return (contracts, file)
  }

  private static func run(
    _ contracts: SampleContracts, _ words: [String], isColoured: Bool = false
  ) -> CommandLineRun {
    contracts.run(
      ["history"] + words + ["--contracts"],
      of: Command(
        name: "understudy", summary: "Ours",
        subcommands: [HistoryCommand.command { Moment(unixSeconds: now) }],
        run: { _, _ in .couldNotRun }), isColoured: isColoured)
  }

  private static func date(daysAgo: Int) -> String {
    Moment(unixSeconds: now - daysAgo * day).date
  }

  @Test("shows the state, when it was verified, since when, and how the latency went")
  func text() throws {
    let (contracts, file) = try Self.contracts([
      (9, .pass, 100), (4, .fail, 200), (3, .couldNotCheck, 0), (2, .fail, 800),
    ])
    let run = Self.run(contracts, ["--history", file])
    let text = """
      CASE                      STATE     LAST CHECKED            SINCE       LATENCY
      dog-ceo/random-images#ok  drifting  \(Self.date(daysAgo: 2)), 2 days ago  \
      \(Self.date(daysAgo: 4))  ▂▃█ 800 ms

      1 live case: 1 drifting

      """
    #expect(TextDiff.unified(text, run.output) == "")
    #expect(run.errors == "")
    #expect(run.code == .pass)
    let coloured = Self.run(contracts, ["--history", file], isColoured: true)
    #expect(coloured.output.contains("\u{1B}[1;31mdog-ceo/random-images#ok  drifting"))
  }

  @Test("a contract that was not checked for too long is a finding, and exits with 1")
  func stale() throws {
    let (contracts, file) = try Self.contracts([(9, .pass, 100), (1, .couldNotCheck, 0)])
    let run = Self.run(contracts, ["--history", file, "--max-age", "7d"])
    let text = """
      CASE                      STATE        LAST CHECKED            SINCE       LATENCY
      dog-ceo/random-images#ok  unreachable  \(Self.date(daysAgo: 9)), 9 days ago  \
      \(Self.date(daysAgo: 1))  █ 100 ms

        Contracts/dog-ceo/random-images.json: error: found dog-ceo/random-images last checked: ok \
      on \(Self.date(daysAgo: 9)); expected within 7 days [stale]
          fix: run understudy drift dog-ceo/random-images

      1 live case: 1 unreachable

      """
    #expect(TextDiff.unified(text, run.output) == "")
    #expect(run.code == .findings)
    #expect(Self.run(contracts, ["--history", file, "--max-age", "10d"]).code == .pass)
    #expect(Self.run(contracts, ["--history", file, "--max-age", "215h"]).code == .findings)
  }

  @Test("prints the same for programs, with the invalid lines")
  func json() throws {
    let (contracts, file) = try Self.contracts([(9, .pass, 100), (4, .fail, 200)])
    let handle = try #require(FileHandle(forWritingAtPath: file))
    try handle.seekToEnd()
    try handle.write(contentsOf: Data("{\"at\":17".utf8))
    let run = Self.run(
      contracts, ["dog-ceo/*#ok", "--history", file, "--max-age", "1d", "--format", "json"])
    let root = try JSONDocument(parsing: run.output).root
    let row = try #require(root["cases"]?[0])
    #expect(row["contract"]?.string == "dog-ceo/random-images")
    #expect(row["case"]?.string == "ok")
    #expect(row["state"]?.string == "drifting")
    #expect(row["lastChecked"]?.string?.hasPrefix(Self.date(daysAgo: 4)) == true)
    #expect(row["since"]?.string?.hasPrefix(Self.date(daysAgo: 4)) == true)
    #expect(row["latencyMilliseconds"]?.elements.map(\.int) == [100, 200])
    #expect(row["findings"]?.elements.map { $0["type"]?.string } == ["status"])
    #expect(root["findings"]?.elements.map { $0["type"]?.string } == ["stale"])
    #expect(root["brokenLines"]?.elements.map { $0["line"]?.int } == [3])
    #expect(
      run.errors == """
        understudy: warning: history.jsonl:3: ignored, since it is not a record: \
        column 9: found the end of the text, expected "," or "}" for the object opened at 1:1

        """)
    #expect(run.code == .findings)
  }

  @Test("says how many requests of the last run of each upstream failed")
  func requests() throws {
    let (contracts, file) = try Self.contracts([(1, .pass, 100)])
    func record(_ upstream: String, _ daysAgo: Int, _ failedCount: Int) -> RequestRecord {
      RequestRecord(
        at: Moment(unixSeconds: Self.now - daysAgo * Self.day), upstream: upstream,
        batches: [RequestRecord.Batch(second: 0, count: 6)], failedCount: failedCount)
    }
    try HistoryFile(path: file).append(
      [], requests: [record("dog-ceo", 2, 5), record("dog-ceo", 1, 3), record("other", 1, 6)])
    let text = Self.run(contracts, ["--history", file]).output
    #expect(
      text.hasSuffix(
        "1 live case: 1 passing\ndog-ceo: 3 of 6 requests failed on \(Self.date(daysAgo: 1))\n"))
    let json = Self.run(contracts, ["--history", file, "--format", "json"]).output
    let requests = try #require(try JSONDocument(parsing: json).root["requests"])
    #expect(requests.count == 1)
    #expect(requests[0]?["upstream"]?.string == "dog-ceo")
    #expect(requests[0]?["sent"]?.int == 6)
    #expect(requests[0]?["failed"]?.int == 3)
  }

  @Test("a drift that could not be checked has not ended")
  func unended() throws {
    let (contracts, file) = try Self.contracts([
      (4, .fail, 200), (3, .fail, 200), (1, .couldNotCheck, 0),
    ])
    let run = Self.run(contracts, ["--history", file])
    let text = """
      CASE                      STATE                  LAST CHECKED            SINCE       LATENCY
      dog-ceo/random-images#ok  unreachable, drifting  \(Self.date(daysAgo: 3)), 3 days ago  \
      \(Self.date(daysAgo: 4))  ██ 200 ms

      1 live case: 1 unreachable (1 drifting)

      """
    #expect(TextDiff.unified(text, run.output) == "")
    let json = Self.run(contracts, ["--history", file, "--format", "json"])
    let row = try #require(try JSONDocument(parsing: json.output).root["cases"]?[0])
    #expect(row["state"]?.string == "unreachable")
    #expect(row["since"]?.string?.hasPrefix(Self.date(daysAgo: 1)) == true)
    #expect(row["driftingSince"]?.string?.hasPrefix(Self.date(daysAgo: 4)) == true)
  }

  @Test("an intermittent break has not ended before three runs without it")
  func intermittent() throws {
    let (contracts, file) = try Self.contracts([(2, .pass, 100), (1, .pass, 100)])
    let broken = Finding(
      .error, .consumerBroken, "found an error", frequency: Finding.Frequency(1, of: 2))
    try HistoryFile(path: file).append([
      HistoryRecord(
        at: Moment(unixSeconds: Self.now - 3 * Self.day),
        Check.Identity("dog-ceo/random-images", "ok", consumer: "a"),
        .fail, findings: [broken])
    ])
    let run = Self.run(contracts, ["--history", file])
    let text = """
      CASE                      STATE              LAST CHECKED           SINCE       LATENCY
      dog-ceo/random-images#ok  passing, drifting  \(Self.date(daysAgo: 1)), 1 day ago  \
      \(Self.date(daysAgo: 3))  ██ 100 ms

      1 live case: 1 passing (1 drifting)

      """
    #expect(TextDiff.unified(text, run.output) == "")
    try HistoryFile(path: file).append([
      HistoryRecord(
        at: Moment(unixSeconds: Self.now),
        Check.Identity("dog-ceo/random-images", "ok", consumer: nil), .pass)
    ])
    let output = Self.run(contracts, ["--history", file]).output
    #expect(output.hasSuffix("\n1 live case: 1 passing\n"))
  }

  @Test("a record from a clock that is ahead hides nothing, and ends no count of runs")
  func clocks() throws {
    let (contracts, file) = try Self.contracts([(1, .fail, 200), (-400, .pass, 1)])
    let handle = try #require(FileHandle(forWritingAtPath: file))
    try handle.seekToEnd()
    for (at, latency) in [(Int.min, 1), (Int.max, 1), (0, Int.min), (0, -1)] {
      let line = """
        {"at":\(at),"contract":"dog-ceo/random-images","case":"ok","result":"pass",\
        "latencyNanoseconds":\(latency)}

        """
      try handle.write(contentsOf: Data(line.utf8))
    }
    let run = Self.run(contracts, ["--history", file, "--max-age", "7d"])
    #expect(run.output.hasSuffix("\n1 live case: 1 drifting\n"))
    #expect(
      run.errors == """
        understudy: warning: history.jsonl:2: ignored, since it is not a record: \
        its time is in the future, on \(Self.date(daysAgo: -400))
        understudy: warning: history.jsonl:3: ignored, since it is not a record: \
        no time under "at"
        understudy: warning: history.jsonl:4: ignored, since it is not a record: \
        no time under "at"
        understudy: warning: history.jsonl:5: ignored, since it is not a record: the latency is below 0
        understudy: warning: history.jsonl:6: ignored, since it is not a record: the latency is below 0

        """)
    #expect(run.code == .pass)
  }

  @Test("what was never checked says so")
  func never() throws {
    let contracts = try SampleContracts([".understudy/none.jsonl": ""])
    let file = contracts.folder.appendingPathComponent(".understudy/none.jsonl").path
    let run = Self.run(contracts, ["--history", file])
    let text = """
      CASE                      STATE    LAST CHECKED  SINCE  LATENCY
      dog-ceo/random-images#ok  not run  never         -

      1 live case: 1 not run

      """
    #expect(TextDiff.unified(text, run.output) == "")
    #expect(run.code == .pass)
    #expect(Self.run(contracts, ["--history", file, "--max-age", "7d"]).code == .findings)
  }

  @Test(
    "refuses what it cannot do",
    arguments: [
      (
        ["--history", "none.jsonl"],
        """
        understudy: error: no history at none.jsonl
          fix: name a file written by understudy drift

        """
      ),
      (
        ["--history", "/etc/passwd"],
        """
        understudy: error: no history in /etc/passwd: none of its lines is a record of \
        understudy drift
          fix: name a file written by understudy drift

        """
      ),
      (
        ["--max-age", "7"],
        """
        understudy: error: found "7" for --max-age, expected an age in hours or days, \
        such as 36h or 7d

        """
      ),
      (
        ["dgo-ceo"],
        """
        understudy: error: nothing matches "dgo-ceo"
          fix: did you mean "dog-ceo"?

        """
      ),
    ])
  func refusals(words: [String], errors: String) throws {
    let run = Self.run(try SampleContracts(), words)
    #expect(TextDiff.unified(errors, run.errors) == "")
    #expect(run.output == "")
    #expect(run.code == .couldNotRun)
  }

  @Test(
    "draws latencies beside each other",
    arguments: [
      ([], ""), ([5], "█"), ([0, 0], ""), ([1, 100], "▁█"), ([100, 50, 75, 25, 0], "█▅▆▃▁"),
    ])
  func sparkline(milliseconds: [Int], line: String) {
    #expect(Sparkline.text(of: milliseconds.map { Duration.milliseconds($0) }) == line)
  }
}

import Testing
import UnderstudyFindings

@Suite struct JoiningTests {
  @Test("joins the shards of a run into one report")
  func whole() throws {
    let joined = try Report.joining(shards: [
      Self.shard(1, [.pass, .notExercised], startedAt: "2026-11-20T22:55:40Z", seconds: 3),
      Self.shard(2, [.couldNotCheck], from: 2, startedAt: "2026-11-20T22:55:36Z", seconds: 9),
      Self.shard(3, [], startedAt: "2026-11-20T22:55:38Z", seconds: 1),
    ])
    #expect(
      joined
        == Sample.report(
          [.pass, .notExercised, .couldNotCheck], seed: 7, startedAt: "2026-11-20T22:55:36Z",
          duration: .seconds(9)))
    #expect(joined.exitCode == 3)
  }

  @Test("the owners of all shards are those of the run")
  func owners() throws {
    let joined = try Report.joining(shards: [
      (
        "1.json",
        Sample.report(
          [.pass], shard: Shard(index: 1, count: 2), planning: 2, owners: ["a": "Team A"])
      ),
      (
        "2.json",
        Sample.report(
          [.pass], from: 1, shard: Shard(index: 2, count: 2), planning: 2, owners: ["b": "Team B"])
      ),
    ])
    #expect(joined.owners == ["a": "Team A", "b": "Team B"])
    #expect(joined.owner(of: Sample.check(0, .pass)) == "Team A")
  }

  @Test("a missing shard fails the run")
  func missing() throws {
    let joined = try Report.joining(shards: [Self.shard(2, [.pass])])
    #expect(
      joined.findings.map(\.message) == [
        "no report of shard 1/3", "no report of shard 3/3",
        "found 1 check, expected 3 as planned",
      ])
    #expect(joined.result == .fail)
  }

  @Test("a duplicate shard fails the run, and the worse result counts")
  func duplicate() throws {
    let joined = try Report.joining(shards: [
      Self.shard(1, [.pass, .pass, .pass]), Self.shard(1, [.pass, .couldNotCheck, .notExercised]),
      Self.shard(2, []), Self.shard(3, []),
    ])
    #expect(
      joined.findings.map(\.message) == ["2 reports of shard 1/3: 1.json, 1.json"])
    #expect(joined.checks.map(\.result) == [.pass, .couldNotCheck, .pass])
    #expect(joined.result == .fail)
  }

  @Test("checks that no shard ran fail the run")
  func lost() throws {
    let joined = try Report.joining(shards: [
      Self.shard(1, [.pass]), Self.shard(2, []), Self.shard(3, [.pass], from: 1),
    ])
    #expect(joined.findings.map(\.message) == ["found 2 checks, expected 3 as planned"])
  }

  @Test("shards that were divided differently fail the run, though nothing is missing")
  func divisions() throws {
    let joined = try Report.joining(shards: [
      Self.shard(1, [.pass], division: "a"), Self.shard(2, [.pass], from: 1, division: "b"),
      Self.shard(3, [.pass], from: 2, division: "a"),
    ])
    #expect(
      joined.findings.map(\.message)
        == ["found 2 divisions of the run, expected one: 1.json, 3.json; 2.json"])
    #expect(joined.result == .fail)
  }

  @Test("checks that several shards ran fail the run")
  func overlap() throws {
    let joined = try Report.joining(shards: [
      Self.shard(1, [.pass, .pass]), Self.shard(2, [.pass, .pass], from: 1), Self.shard(3, []),
    ])
    #expect(
      joined.findings.map(\.message)
        == ["1 check in more than one shard, such as a/b#case-1, c"])
    #expect(joined.result == .fail)
  }

  @Test("shards that exercised nothing together are a run that exercised nothing")
  func nothing() throws {
    let joined = try Report.joining(shards: [
      Self.shard(1, [.notExercised]), Self.shard(2, [.notExercised], from: 1),
      Self.shard(3, [.notExercised], from: 2),
    ])
    #expect(joined.findings.map(\.type) == [.nothingExercised])
  }

  @Test("a finding on the run from every shard is reported once")
  func common() throws {
    let finding = Finding(.error, .coverage, "no consumer \"x\"")
    let joined = try Report.joining(
      shards: (1...3).map { Self.shard($0, [.pass], from: $0, findings: [finding]) })
    #expect(joined.findings == [finding])
  }

  @Test("shards with different seeds have none together")
  func seeds() throws {
    let joined = try Report.joining(
      shards: (1...3).map { Self.shard($0, [.pass], from: $0, seed: UInt64($0)) })
    #expect(joined.run.seed == nil)
  }

  @Test("refuses reports that are not the shards of one run")
  func refusals() {
    let one = Self.shard(1, [.pass])
    func message(_ reports: [(file: String, report: Report)]) -> String? {
      do {
        _ = try Report.joining(shards: reports)
        return nil
      } catch {
        return error.complaint
      }
    }
    #expect(message([]) == "no report to join")
    #expect(
      message([("a.json", Sample.report([.pass]))])
        == "a.json: found the report of a whole run, expected a shard's report")
    let others: [(Report, String)] = [
      (
        Self.part(command: "understudy drift"),
        "command \"understudy test\" in 1.json and \"understudy drift\""
      ),
      (Self.part(version: "0.2.0"), "version 0.1.0 in 1.json and 0.2.0"),
      (Self.part(count: 4), "shard count 3 in 1.json and 4"),
      (Self.part(planning: 9), "plan 3 checks in 1.json and 9 checks"),
      (Self.part(failsOn: .note), "fail-on error in 1.json and note"),
    ]
    for (other, difference) in others {
      #expect(
        message([one, ("b.json", other)])
          == "found \(difference) in b.json, expected shards of one run")
    }
  }

  private static func shard(
    _ index: Int, _ results: [CheckResult], from number: Int = 0, findings: [Finding] = [],
    division: String? = nil, seed: UInt64 = 7, startedAt: String = "2026-11-20T22:55:36Z",
    seconds: Int = 1
  ) -> (file: String, report: Report) {
    (
      "\(index).json",
      Sample.report(
        results, from: number, findings: findings, shard: Shard(index: index, count: 3),
        division: division, planning: 3, seed: seed, startedAt: startedAt,
        duration: .seconds(seconds))
    )
  }

  private static func part(
    command: String = "understudy test", version: String = "0.1.0", count: Int = 3,
    planning: Int = 3, failsOn: Finding.Severity = .error
  ) -> Report {
    Sample.report(
      [.pass], failsOn: failsOn, shard: Shard(index: 2, count: count), planning: planning,
      command: command, version: version)
  }
}

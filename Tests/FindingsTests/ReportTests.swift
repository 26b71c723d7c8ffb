import Testing
import UnderstudyCore
import UnderstudyFindings
import UnderstudyJSON

@Suite struct ReportTests {
  @Test(
    "the result of a run follows from its checks",
    arguments: [
      ([.pass], .pass, 0), ([.pass, .fail], .fail, 1), ([.fail, .couldNotCheck], .fail, 1),
      ([.pass, .couldNotCheck], .couldNotCheck, 3), ([.couldNotCheck], .couldNotCheck, 3),
      ([.pass, .notExercised], .pass, 0), ([.couldNotCheck, .notExercised], .couldNotCheck, 3),
      ([], .fail, 1), ([.notExercised], .fail, 1), ([.notExercised, .notExercised], .fail, 1),
    ] as [([CheckResult], CheckResult, Int32)])
  func result(checks: [CheckResult], result: CheckResult, exitCode: Int32) {
    let report = Sample.report(checks)
    #expect(report.result == result)
    #expect(report.exitCode == exitCode)
  }

  @Test(
    "a check passes when no finding is as severe as the limit",
    arguments: [
      ([], .note, .pass), ([.note], .note, .fail), ([.note], .warning, .pass),
      ([.warning], .error, .pass), ([.note, .error], .error, .fail),
      ([.warning], .warning, .fail), ([.error], .warning, .fail),
    ] as [([Finding.Severity], Finding.Severity, CheckResult)])
  func checked(found: [Finding.Severity], failsOn: Finding.Severity, result: CheckResult) {
    let check = Check.checked(
      Sample.identity(0), at: Sample.place, findings: found.map { Finding($0, .value, "") },
      failsOn: failsOn)
    #expect(check.result == result)
  }

  @Test("findings are sorted by severity, otherwise in the order found")
  func order() {
    let findings = [
      Finding(.note, .value, "a"), Finding(.error, .value, "b"), Finding(.warning, .value, "c"),
      Finding(.error, .value, "d"),
    ]
    let check = Check.checked(Sample.identity(0), at: Sample.place, findings: findings)
    #expect(check.findings.map(\.message) == ["b", "d", "c", "a"])
    #expect(Sample.report([.pass], findings: findings).findings == check.findings)
  }

  @Test(
    "names the services that a live API has broken, and by what",
    arguments: [
      ("understudy drift", true), ("showcase drift joke", true), ("understudy test", false),
      ("drift test", false), ("", false),
    ])
  func broken(command: String, isOfDrift: Bool) {
    func check(_ consumer: String?, _ name: String, _ findings: [Finding]) -> Check {
      .checked(
        Check.Identity("a/b", name, consumer: consumer), at: Sample.place, findings: findings)
    }
    let gone = Finding(.error, .headerRemoved, "no ETag", header: "ETag")
    let type = Finding(
      .error, .schemaTypeChanged, "found 1", path: [], frequency: Finding.Frequency(1, of: 2))
    let added = Finding(.note, .schemaFieldAdded, "found y", path: ["y"])
    let unable = Finding(.error, .consumerBroken, "found an error")
    let run = Sample.report([], command: command).run
    let report = Report(
      run,
      checks: [
        check(nil, "ok", [gone, type, added]), check("z", "ok", [unable]),
        check("b", "ok", [unable]), check(nil, "no", [added]), check("b", "no", [unable]),
        check(nil, "x", [gone]), check("b", "x", []),
      ])
    let changes =
      "header-removed ETag, schema-type-changed at the root (intermittent: in 1 of 2 responses)"
    let expected = [
      "b by a/b#ok: \(changes)", "b by a/b#no: consumer-broken", "z by a/b#ok: \(changes)",
    ]
    #expect(
      report.brokenConsumers.map { "\($0.name) by \($0.reason)" } == (isOfDrift ? expected : []))
  }

  @Test("has the commands of the executable in its header and its fixes, not in quoted text")
  func naming() {
    func report(_ tool: String) -> Report {
      let finding = Finding(
        .error, .value, "found \"understudy drift\"", at: Sample.place, path: ["x"], header: "X",
        diff: ["+understudy drift"], fix: "run \(tool) drift",
        frequency: Finding.Frequency(1, of: 2))
      let check = Check.checked(
        Sample.identity(0), at: Sample.place, findings: [finding], failsOn: .note,
        duration: .seconds(1), attemptCount: 2)
      return Report(
        Sample.report([], command: "\(tool) drift joke").run, checks: [check],
        findings: [finding], owners: ["joke": "us"])
    }
    let tool = ToolName("showcase", verbs: ["drift"])
    #expect(report("understudy").naming(tool) == report("showcase"))
    #expect(report("understudy").naming(.standard) == report("understudy"))
  }

  @Test(
    "only what some responses show and others do not is intermittent",
    arguments: [
      (0, 2, false), (1, 2, true), (2, 2, false), (3, 2, false), (1, 1, false), (1, 0, false),
    ])
  func frequency(count: Int, total: Int, isOne: Bool) {
    #expect((Finding.Frequency(count, of: total) != nil) == isOne)
  }

  @Test("a finding about the run fails it like any other")
  func runFinding() {
    let finding = Finding(.warning, .coverage, "found 3 of 4")
    #expect(Sample.report([.pass], findings: [finding]).result == .pass)
    #expect(Sample.report([.pass], findings: [finding], failsOn: .warning).result == .fail)
  }

  @Test("a run that exercised nothing says so")
  func nothing() {
    #expect(
      Sample.report([.notExercised]).findings.map(\.message)
        == ["nothing was exercised, so the run proves nothing"])
  }

  @Test("a run that lost checks fails")
  func incomplete() {
    let report = Sample.report([.pass], planning: 3)
    #expect(report.findings.map(\.message) == ["found 1 check, expected 3 as planned"])
    #expect(report.result == .fail)
  }

  @Test("a shard is not compared with the plan of the whole run, unless that is empty")
  func shard() {
    let shard = Shard(index: 2, count: 3)
    #expect(Sample.report([], shard: shard, planning: 2).result == .pass)
    #expect(Sample.report([.notExercised], shard: shard, planning: 2).result == .pass)
    #expect(Sample.report([], shard: shard, planning: 0).result == .fail)
  }

  @Test("the only shard is compared with the plan, since it is the whole run")
  func onlyShard() {
    let shard = Shard(index: 1, count: 1)
    #expect(Sample.report([.notExercised], shard: shard).result == .fail)
    #expect(Sample.report([.pass], shard: shard, planning: 2).result == .fail)
    #expect(Sample.report([.pass], shard: shard).result == .pass)
  }

  @Test("sums up in one line")
  func summary() {
    #expect(
      Sample.report([.fail, .pass, .couldNotCheck, .pass, .notExercised]).summary
        == "5 checks: 2 passed, 1 failed, 1 could not be checked, 1 not exercised")
    #expect(Sample.report([.pass]).summary == "1 check: 1 passed")
    #expect(Sample.report([]).summary == "0 checks")
    #expect(Sample.report([.fail, .pass, .couldNotCheck, .notExercised]).exercisedCount == 2)
  }

  @Test("a check without its secret has exercised nothing")
  func secretMissing() {
    let check = Check.checked(
      Sample.identity(1), at: Sample.place, findings: [Finding(.error, .secretMissing, "found no")])
    let report = Report(Sample.report([.fail]).run, checks: [check])
    #expect(report.exercisedCount == 0)
    #expect(report.result == .fail)
  }

  @Test("no two types of finding say the same, and each is one sentence")
  func meanings() {
    let meanings = FindingType.allCases.map(\.meaning)
    #expect(Set(meanings).count == meanings.count)
    for meaning in meanings { #expect(meaning.hasSuffix(".") && meaning.count { $0 == "." } == 1) }
  }

  @Test("types are spelled in small letters and hyphens")
  func spelling() {
    for type in FindingType.allCases {
      #expect(type.rawValue.wholeMatch(of: /[a-z0-9]+(-[a-z0-9]+)*/) != nil, "\(type)")
    }
  }

  @Test(
    "reads which shard is meant",
    arguments: [("1/1", 1, 1), ("2/8", 2, 8), ("10000/10000", 10_000, 10_000), ("01/2", 1, 2)])
  func shards(text: String, index: Int, count: Int) throws {
    let shard = try #require(Shard(parsing: text))
    #expect(shard.index == index && shard.count == count)
    #expect(Shard(parsing: shard.description) == shard)
  }

  @Test(
    "refuses an invalid shard",
    arguments: [
      "", "/", "1", "0/3", "4/3", "1/0", "-1/3", "1/3/3", "1 / 3", "+1/3", "a/b", "1/10001",
      "1/99999999999999999999", "１/２",
    ])
  func noShard(text: String) {
    #expect(Shard(parsing: text) == nil)
  }
}

/// Reports with checks of certain results.
enum Sample {
  static let place = Place("Contracts/a/b.json", SourcePosition(line: 3, column: 5))

  static func identity(_ number: Int) -> Check.Identity {
    Check.Identity("a/b", "case-\(number)", consumer: "c")
  }

  static func check(_ number: Int, _ result: CheckResult) -> Check {
    switch result {
    case .pass: .checked(identity(number), at: place)
    case .fail:
      .checked(identity(number), at: place, findings: [Finding(.error, .value, "found b")])
    case .couldNotCheck: .couldNotCheck(identity(number), at: place, because: "away")
    case .notExercised: .notExercised(identity(number), at: place, because: "retired")
    }
  }

  static func report(
    _ results: [CheckResult], from number: Int = 0, findings: [Finding] = [],
    failsOn: Finding.Severity = .error, shard: Shard? = nil, division: String? = nil,
    planning: Int? = nil,
    command: String = "understudy test", version: String = "0.1.0", seed: UInt64? = nil,
    startedAt: String = "2026-11-20T22:55:36Z", duration: Duration = .seconds(1),
    owners: [String: String] = [:]
  ) -> Report {
    Report(
      Run(
        command: command, toolVersion: version, seed: seed, shard: shard, division: division,
        plannedCount: planning ?? results.count, failsOn: failsOn, startedAt: startedAt,
        duration: duration),
      checks: results.enumerated().map { check(number + $0.offset, $0.element) },
      findings: findings, owners: owners)
  }
}

import Testing
import UnderstudyCore
import UnderstudyFindings
import UnderstudyJSON

@Suite struct HistoryTests {
  @Test("a record is one line, and is read back as it was")
  func line() throws {
    let record = HistoryRecord(
      at: Moment(unixSeconds: 1_795_130_000),
      Check.Identity("joke/random", "ok", consumer: "jokes.random"), .fail,
      latency: .milliseconds(120),
      findings: [
        Finding(
          .error, .schemaFieldRemoved, "found no\n\"id\"", at: Place("a.json"), path: ["id"],
          diff: ["-a"], fix: "mend it")
      ])
    let line = #"""
      {"at":1795130000,"contract":"joke/random","case":"ok","consumer":"jokes.random",\#
      "result":"fail","reason":null,"latencyNanoseconds":120000000,\#
      "findings":[{"severity":"error","type":"schema-field-removed","path":"/id",\#
      "message":"found no\n\"id\""}]}
      """#
    #expect(String(decoding: record.line, as: UTF8.self) == line)
    #expect(try HistoryLine(parsing: record.line) == .check(record))
  }

  @Test(
    "knows the first bad run and the last good one before it",
    arguments: [
      // A letter a run: passing, changed, drifting, unreachable.
      ("ppp", nil, nil), ("ppdd", 3, 2), ("pcdd", 3, 2), ("pcc", 2, 1), ("dd", 1, nil),
      ("pdud", 2, 1), ("pddu", 2, 1), ("puu", 2, 1), ("dpcu", 4, 3), ("pdp", nil, nil),
      ("pdc", 2, 1), ("pudd", 3, 1),
    ] as [(String, Int?, Int?)])
  func turn(runs: String, firstBad: Int?, lastGood: Int?) {
    let records = runs.enumerated().map { index, state in
      HistoryRecord(
        at: Moment(unixSeconds: index + 1), Check.Identity("a/b", "ok", consumer: nil),
        state == "d" ? .fail : state == "u" ? .couldNotCheck : .pass,
        findings: state == "c" ? [Finding(.warning, .headerChanged, "found b")] : [])
    }
    let turn = History(records)["a/b#ok"].turn
    #expect(turn?.firstBad.at.unixSeconds == firstBad)
    #expect(turn?.lastGood?.at.unixSeconds == lastGood)
  }

  @Test("a record has the header concerned, and in how many responses it was seen")
  func intermittent() throws {
    let record = HistoryRecord(
      at: Moment(unixSeconds: 1), Check.Identity("joke/random", "ok", consumer: nil), .fail,
      findings: [
        Finding(
          .error, .headerRemoved, "no header ETag", header: "ETag",
          frequency: Finding.Frequency(1, of: 3))
      ])
    let line = #"""
      {"at":1,"contract":"joke/random","case":"ok","consumer":null,"result":"fail","reason":null,\#
      "latencyNanoseconds":null,"findings":[{"severity":"error","type":"header-removed","path":null,\#
      "message":"no header ETag","header":"ETag","seen":[1,3]}]}
      """#
    #expect(String(decoding: record.line, as: UTF8.self) == line)
    #expect(try HistoryLine(parsing: record.line) == .check(record))
  }

  /// A letter a run, and `i` for one on which only some responses broke something.
  @Test(
    "an intermittent break ends only after three clean runs",
    arguments: [
      ("i", 1), ("iw", 1), ("iww", 1), ("iwww", nil), ("iwcw", nil), ("iwowu", 1), ("iwowuw", nil),
      ("iwwi", 4), ("iwd", nil), ("diw", 2), ("dw", nil), ("w", nil), ("", nil),
    ] as [(String, Int?)])
  func openBreaks(runs: String, at run: Int?) {
    let records = runs.enumerated().map { Self.record(at: ($0.offset + 1) * 86_400, $0.element) }
    #expect(History(records)["a/b#ok"].openBreak?.at.unixSeconds == run.map { $0 * 86_400 })
  }

  @Test("several clean runs on a day are one clean run")
  func cleanDay() {
    let records = [Self.record(at: 10, "i")] + (1...5).map { Self.record(at: 86_400 + $0, "w") }
    #expect(History(records)["a/b#ok"].openBreak?.at.unixSeconds == 10)
    #expect(History(records)["a/b#ok"].driftingSince?.unixSeconds == 10)
  }

  @Test("a record says why nothing could be checked")
  func cause() throws {
    let record = HistoryRecord(
      at: Moment(unixSeconds: 1), Check.Identity("joke/random", "ok", consumer: nil),
      .couldNotCheck, because: "no",
      .refused)
    let line = #"""
      {"at":1,"contract":"joke/random","case":"ok","consumer":null,"result":"couldNotCheck",\#
      "reason":"no","cause":"refused","latencyNanoseconds":null,"findings":[]}
      """#
    #expect(String(decoding: record.line, as: UTF8.self) == line)
    #expect(try HistoryLine(parsing: record.line) == .check(record))
  }

  @Test(
    "says why a line is not a record",
    arguments: [
      (#"{"at":1,"contr"#, #"column 9: found a string without an end, expected "\"" to close it"#),
      ("[]", #"no time under "at""#),
      (#"{"at":-9223372036854775808}"#, #"no time under "at""#),
      (#"{"at":253402300800}"#, #"no time under "at""#),
      (
        #"{"at":1,"result":"pass","contract":"a/b","case":"c","latencyNanoseconds":-1}"#,
        "the latency is below 0"
      ),
      (#"{"at":1,"result":"odd"}"#, "no known result"),
      (#"{"at":1,"upstream":"a","sent":[[0]]}"#, #"the numbers under "sent" are invalid"#),
      (#"{"at":1,"upstream":"a","sent":[[-1,2]]}"#, #"the numbers under "sent" are invalid"#),
      (#"{"at":1,"result":"pass"}"#, "no contract or case"),
      (
        #"{"at":1,"result":"fail","contract":"a/b","case":"c","findings":[1]}"#,
        "a finding is invalid"
      ),
    ])
  func broken(line: String, message: String) {
    let error = #expect(throws: Failure.self) { try HistoryLine(parsing: Array(line.utf8)) }
    #expect(error?.message == message)
  }

  @Test("the requests of a run to an upstream are a line of their own")
  func requests() throws {
    let record = RequestRecord(
      at: Moment(unixSeconds: 7), upstream: "joke",
      batches: [
        RequestRecord.Batch(second: 0, count: 4), RequestRecord.Batch(second: 30, count: 2),
      ], failedCount: 3)
    #expect(
      String(decoding: record.line, as: UTF8.self)
        == #"{"at":7,"upstream":"joke","requests":6,"failed":3,"sent":[[0,4],[30,2]]}"#)
    #expect(try HistoryLine(parsing: record.line) == .requests(record))
    #expect(record.failureWords == "3 of 6 requests failed")
  }

  private static func turns(_ runs: [(CheckResult, Check.Cause?)]) -> Int? {
    History(
      runs.enumerated().map { day, run in
        HistoryRecord(
          at: Moment(unixSeconds: day + 1), identity("ok"), run.0, because: "x", run.1)
      })["a/b#ok"].lastTurn?.unixSeconds
  }

  @Test("two runs that begin within a second stay two")
  func second() {
    let checks = [(nil, CheckResult.pass), ("cli", .pass), (nil, .fail), ("cli", .pass)]
    let records = checks.map { consumer, result in
      HistoryRecord(
        at: Moment(unixSeconds: 1), Check.Identity("a/b", "ok", consumer: consumer), result)
    }
    #expect(History(records)["a/b#ok"].runs.map(\.result) == [.pass, .fail])
  }

  @Test("a run without enough requests is no turn of a case, but the second in a row is")
  func turns() {
    #expect(Self.turns([]) == nil)
    #expect(Self.turns([(.pass, nil), (.couldNotCheck, .away)]) == 2)
    #expect(Self.turns([(.couldNotCheck, .limited)]) == nil)
    #expect(Self.turns([(.pass, nil), (.couldNotCheck, .unconfirmed)]) == 1)
    #expect(
      Self.turns([(.pass, nil), (.couldNotCheck, .limited), (.couldNotCheck, .limited)]) == 3)
  }

  @Test("a run is remembered by what it asked")
  func records() {
    let run = Run(
      command: "understudy drift", toolVersion: "0.1.0", plannedCount: 4, startedAt: "",
      duration: .zero)
    let place = Place("a.json")
    let report = Report(
      run,
      checks: [
        .checked(Self.identity("ok"), at: place, duration: .milliseconds(7)),
        .checked(
          Self.identity("no"), at: place,
          findings: [Finding(.error, .status, "found status 500", at: place, diff: ["-a"])]),
        .couldNotCheck(
          Self.identity("away"), at: place, because: "no response", .away,
          duration: .seconds(30)),
        .notExercised(Self.identity("slow"), at: place, because: "not live"),
      ])
    #expect(
      HistoryRecord.records(of: report.checks, at: Moment(unixSeconds: 5)) == [
        HistoryRecord(
          at: Moment(unixSeconds: 5), Self.identity("ok"), .pass, latency: .milliseconds(7)),
        HistoryRecord(
          at: Moment(unixSeconds: 5), Self.identity("no"), .fail,
          findings: [Finding(.error, .status, "found status 500")]),
        HistoryRecord(
          at: Moment(unixSeconds: 5), Self.identity("away"), .couldNotCheck, because: "no response",
          .away),
      ])
  }

  /// A letter a run: well, changed, drifting, out, notRun.
  @Test(
    "knows the state, since when, and when it was last known",
    arguments: [
      ("", .notRun, nil, nil), ("w", .passing, 1, 1), ("wwd", .drifting, 3, 3),
      ("wdodud", .drifting, 2, 6), ("dwd", .drifting, 3, 3), ("wdoo", .unreachable, 3, 2),
      ("wouo", .unreachable, 2, 1), ("uu", .notRun, nil, nil), ("ooo", .unreachable, 1, nil),
      ("wcd", .drifting, 3, 3), ("wcoc", .changed, 2, 4), ("wdu", .drifting, 2, 2),
    ] as [(String, DriftState, Int?, Int?)])
  func states(runs: String, state: DriftState, since: Int?, lastChecked: Int?) {
    let records = runs.enumerated().map { index, letter in
      Self.record(at: index + 1, letter)
    }
    // However the records of several machines were put together.
    let history = History(records.reversed())["a/b#ok"]
    #expect(history.state == state)
    #expect(history.since?.unixSeconds == since)
    #expect(history.lastChecked?.unixSeconds == lastChecked)
  }

  @Test(
    "a run on which it could not be checked does not end a drift",
    arguments: [
      ("wdo", 2), ("wdodoo", 2), ("wdwo", nil), ("o", nil), ("wd", 2), ("wdou", 2), ("co", nil),
    ] as [(String, Int?)])
  func unended(runs: String, since: Int?) {
    let records = runs.enumerated().map { Self.record(at: $0.offset + 1, $0.element) }
    let history = History(records)["a/b#ok"]
    #expect(history.driftingSince?.unixSeconds == since)
    #expect(
      history.unendedDrift?.findings.map(\.message) == since.map { _ in ["found status 500"] })
  }

  @Test("the worst of a case's readers counts, and the latency of the response itself")
  func readers() {
    let records = [
      HistoryRecord(
        at: Moment(unixSeconds: 1), Self.identity("ok"), .pass, latency: .milliseconds(9)),
      HistoryRecord(
        at: Moment(unixSeconds: 1), Check.Identity("a/b", "ok", consumer: "c"), .fail,
        latency: .milliseconds(20),
        findings: [Finding(.error, .consumerBroken, "found an error")]),
    ]
    let history = History(records)["a/b#ok"]
    #expect(history.runs.count == 1)
    #expect(history.state == .drifting)
    #expect(history.latencies == [.milliseconds(9)])
    #expect(history.runs.first?.findings.map(\.message) == ["found an error"])
  }

  /// The worst first.
  private static let results: [CheckResult] = [.fail, .couldNotCheck, .pass, .notExercised]

  @Test(
    "in whatever order the readers of a run come, the worst counts, and its reason",
    arguments: results, results)
  func order(first: CheckResult, last: CheckResult) {
    let all = [first, last]
    let worst = Self.results.first { all.contains($0) } ?? .pass
    for results in [all, all + [worst], [worst] + all, all + all] {
      let records = results.enumerated().map { index, result in
        HistoryRecord(
          at: Moment(unixSeconds: 1), Check.Identity("a/b", "ok", consumer: "\(index)"), result,
          because: result.rawValue, latency: .milliseconds(index + 1))
      }
      let history = History(records)["a/b#ok"]
      #expect(history.runs.map(\.result) == [worst])
      #expect(history.runs.map(\.reason) == [worst.rawValue])
      #expect(history.latencies == [.milliseconds(1)])
      #expect(history.state == DriftState(worst, []))
      let checks = results.map { Self.check($0) }
      #expect(checks.map(\.result) == results)
      #expect(DriftState(of: checks) == DriftState(worst, []))
    }
  }

  private static func check(_ result: CheckResult) -> Check {
    let (identity, place) = (identity("ok"), Place("a.json"))
    return switch result {
    case .pass: .checked(identity, at: place)
    case .fail:
      .checked(identity, at: place, findings: [Finding(.error, .status, "found 500", at: place)])
    case .couldNotCheck: .couldNotCheck(identity, at: place, because: "no response", .away)
    case .notExercised: .notExercised(identity, at: place, because: "not live")
    }
  }

  @Test("records of other runs and other cases are kept apart")
  func apart() {
    let records = [(1, "ok"), (2, "ok"), (2, "no")].map { at, name in
      HistoryRecord(at: Moment(unixSeconds: at), Self.identity(name), at == 1 ? .fail : .pass)
    }
    let history = History(records)
    #expect(history["a/b#ok"].runs.map(\.result) == [.fail, .pass])
    #expect(history["a/b#no"].runs.map(\.result) == [.pass])
    #expect(history["a/b#none"].runs.isEmpty)
  }

  @Test(
    "shows an age in its largest unit",
    arguments: [
      (-5, "0 seconds"), (59, "59 seconds"), (60, "1 minute"), (7_199, "1 hour"),
      (86_399, "23 hours"), (172_800, "2 days"), (.max, "106751991167300 days"),
    ])
  func ages(seconds: Int, words: String) {
    #expect(Duration.seconds(seconds).inLargestUnit == words)
  }

  private static func identity(_ caseName: String) -> Check.Identity {
    Check.Identity("a/b", caseName, consumer: nil)
  }

  private static func record(at: Int, _ letter: Character) -> HistoryRecord {
    switch letter {
    case "c":
      HistoryRecord(
        at: Moment(unixSeconds: at), identity("ok"), .pass,
        findings: [Finding(.warning, .headerAdded, "found X")])
    case "d":
      HistoryRecord(
        at: Moment(unixSeconds: at), identity("ok"), .fail,
        findings: [Finding(.error, .status, "found status 500")])
    case "i":
      HistoryRecord(
        at: Moment(unixSeconds: at), identity("ok"), .fail,
        findings: [
          Finding(
            .error, .status, "found status 500", frequency: Finding.Frequency(1, of: 2)),
          Finding(.note, .schemaFieldAdded, "found y"),
        ])
    case "o":
      HistoryRecord(
        at: Moment(unixSeconds: at), identity("ok"), .couldNotCheck, because: "no response")
    case "u":
      HistoryRecord(
        at: Moment(unixSeconds: at), identity("ok"), .notExercised, because: "no secret")
    default: HistoryRecord(at: Moment(unixSeconds: at), identity("ok"), .pass)
    }
  }
}

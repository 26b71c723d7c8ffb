import Testing
import UnderstudyDrift
import UnderstudyFakeServer
import UnderstudyFindings
import UnderstudyTestSupport

/// Scheduled runs whose upstream allows fewer requests than there are cases, or responses badly.
@Suite struct ScheduleTests {
  @Test("leaves no case out for more runs than a round takes", arguments: 0..<10)
  func round(seed: Int) async throws {
    var dice = Dice(seed: UInt64(seed))
    let count = Int.random(in: 2...30, using: &dice)
    let rate = Int.random(in: 1..<count, using: &dice)
    let stage = try await ScheduleStage(
      count, limits: #""rate": { "requests": \#(rate), "per": "1h" }"#)
    let names = ScheduleStage.names(count)
    // Some can never be checked, and keep out nobody.
    for name in names where Int.random(in: 0..<4, using: &dice) == 0 {
      stage.server.use("failing", for: "joke/\(name)")
    }
    let roundCount = (count - 1) / rate + 1
    var runs: [Set<String>] = []
    for _ in 0..<2 * roundCount + 1 {
      let outcome = try await stage.run()
      runs.append(outcome.requested)
      #expect(outcome.requestCount == rate)
      #expect(outcome.requested.count == rate)
      #expect(outcome.report.findings.filter { $0.type == .unchecked }.isEmpty)
      try await stage.wait(.seconds(Int.random(in: 3_600...90_000, using: &dice)))
    }
    for start in 0...runs.count - roundCount {
      let round = runs[start..<start + roundCount].reduce(into: Set<String>()) { $0.formUnion($1) }
      #expect(round == Set(names), "runs \(start)… of \(count) cases at \(rate)")
    }
    await stage.server.close()
  }

  @Test("checks 100 cases at 60 an hour in two runs")
  func hundred() async throws {
    let stage = try await ScheduleStage(100, limits: #""rate": { "requests": 60, "per": "1h" }"#)
    let first = try await stage.run().requested
    try await stage.wait(.seconds(86_400))
    let second = try await stage.run().requested
    #expect([first.count, second.count] == [60, 60])
    #expect(first.union(second).count == 100)
    await stage.server.close()
  }

  @Test("says once how many runs a round takes, and that the rest has its turn")
  func finding() async throws {
    let stage = try await ScheduleStage(5, limits: #""rate": { "requests": 2, "per": "90m" }"#)
    let outcome = try await stage.run()
    #expect(
      outcome.runFindings == [
        "note rate requested 2 of 5 cases of joke, as its rate of 2 requests in 90 minutes allows;"
          + " a round of all cases takes 3 runs, and those that have waited longest come first"
      ])
    #expect(outcome.report.exitCode == 0)
    #expect(
      outcome.report.checks.last?.text == """
        notExercised joke/c05#ok
          its turn comes in a later run: the rate in upstream.json is used up: joke accepts \
        requests again at 2033-05-18T05:03:20Z
        """)
    await stage.server.close()
  }

  @Test("counts the requests of earlier runs against the rate, and is not green without any")
  func earlierRuns() async throws {
    let stage = try await ScheduleStage(3, limits: #""rate": { "requests": 2, "per": "1h" }"#)
    #expect(try await stage.run().requested == ["c01", "c02"])
    // However often it runs meanwhile, the order stays.
    for _ in 0..<3 {
      try await stage.wait(.seconds(600))
      let limited = try await stage.run()
      #expect(limited.requested == [])
      #expect(
        limited.report.checks.map(\.text)
          == ["c01", "c02", "c03"].map {
            """
            couldNotCheck joke/\($0)#ok
              the rate in upstream.json is used up: joke accepts requests again at \
            2033-05-18T04:33:20Z
            """
          })
      #expect(limited.report.exitCode == 3)
      #expect(limited.runFindings == [])
    }
    try await stage.wait(.seconds(1_800))
    #expect(try await stage.run().requested == ["c01", "c03"])
    #expect(await stage.server.journal().count == 4)
    await stage.server.close()
  }

  @Test("confirms each change, however low the rate is")
  func changes() async throws {
    let stage = try await ScheduleStage(3, limits: #""rate": { "requests": 2, "per": "1h" }"#)
    for name in ScheduleStage.names(3) { stage.server.use("gone", for: "joke/\(name)") }
    var failed: [[String]] = []
    var open: [[String]] = []
    for _ in 0..<3 {
      let outcome = try await stage.run()
      failed.append(outcome.report.checks(.fail).map(\.identity.contract))
      open.append(outcome.report.checks(.couldNotCheck).map(\.identity.contract))
      try await stage.wait(.seconds(86_400))
    }
    #expect(failed == [["joke/c01"], ["joke/c02"], ["joke/c03"]])
    #expect(open == [[], ["joke/c01"], ["joke/c01", "joke/c02"]])
    await stage.server.close()
  }

  @Test("gives a hanging upstream up after three time-outs, with one line")
  func hanging() async throws {
    var stage = try await ScheduleStage(40, limits: #""rate": { "concurrency": 1 }"#)
    stage.timeout = .milliseconds(20)
    let holds = ScheduleStage.names(40).map { stage.server.hold("joke/\($0)") }
    let outcome = try await stage.run()
    for hold in holds { await hold.end() }
    #expect(outcome.requestCount == 3)
    #expect(outcome.report.checks.map(\.cause) == Array(repeating: .away, count: 40))
    // One that is repeated may come before others have been sent.
    let texts = (37...39).map {
      "note given-up gave up joke after 3 time-outs in a row; no request was sent for \($0) of 40"
        + " cases"
    }
    #expect(outcome.runFindings.count == 1 && texts.contains(outcome.runFindings[0]))
    #expect(outcome.report.exitCode == 3)
    await stage.server.close()
  }

  @Test("an upstream that is given up at its last case has left none out")
  func hangingAlone() async throws {
    var stage = try await ScheduleStage(1, limits: #""rate": { "concurrency": 1 }"#)
    stage.timeout = .milliseconds(20)
    let hold = stage.server.hold("joke/c01")
    let outcome = try await stage.run()
    await hold.end()
    #expect(outcome.runFindings == ["note given-up gave up joke after 3 time-outs in a row"])
    await stage.server.close()
  }

  @Test(
    "says how many requests failed where every check is green, and warns from a share on",
    arguments: [(50, "warning"), (51, "note")])
  func flaky(percent: Int, severity: String) async throws {
    // libcurl itself repeats a request on a connection that was used before.
    let stage = try await ScheduleStage(
      3, limits: #""failedPercent": \#(percent)"#,
      others: #""closing": { "like": "ok", "framing": "close" }"#)
    for name in ScheduleStage.names(3) {
      stage.server.use(["reset", "closing"], for: "joke/\(name)")
    }
    let outcome = try await stage.run()
    #expect(outcome.report.checks.map(\.result) == [.pass, .pass, .pass])
    #expect(
      outcome.runFindings == [
        "\(severity) requests-failed 3 of 6 requests to joke failed: 3 × reset"
      ])
    #expect(outcome.report.exitCode == 0)
    #expect(outcome.history.requests.map(\.failureWords) == ["3 of 6 requests failed"])
    await stage.server.close()
  }

  @Test("counts a request that libcurl itself repeats, since an open connection was lost")
  func resent() async throws {
    let stage = try await ScheduleStage(
      3, limits: #""rate": { "requests": 100, "per": "1h", "concurrency": 1 }"#)
    stage.server.use(["reset", "ok"], for: "joke/c02")
    let outcome = try await stage.run()
    #expect(outcome.report.checks.map(\.result) == [.pass, .pass, .pass])
    #expect(
      outcome.runFindings == [
        "note requests-failed 1 of 4 requests to joke failed: 1 × reset"
      ])
    #expect(await stage.server.journal().count == 4)
    await stage.server.close()
  }

  @Test("the plan of a run has its requests in order, and how many runs a round takes")
  func plan() async throws {
    let stage = try await ScheduleStage(5, limits: #""rate": { "requests": 2, "per": "1h" }"#)
    _ = try await stage.run()
    try await stage.wait(.seconds(3_600))
    let session = try stage.session()
    let part = try #require(await session.requestPlan().parts.first)
    let url = try #require(stage.server.baseURL(of: "joke"))
    #expect(
      part.requests.map { "\($0.method) \($0.url) \($0.caseID)" }
        == ["c03", "c04", "c05", "c01", "c02"].map { "GET \(url)/\($0) joke/\($0)#ok" })
    #expect([part.caseCount, part.caseCountNow, part.runCount] == [5, 2, 3])
    #expect(part.duration == .zero)
    // The run does what the plan says, and planning has sent nothing.
    #expect(await stage.server.journal().map(\.path) == ["/joke/c01", "/joke/c02"])
    withExtendedLifetime(session) {}
    await stage.server.close()
  }

  @Test("the plan says how long the rate makes its requests take")
  func duration() async throws {
    let stage = try await ScheduleStage(5, limits: #""rate": { "requests": 2, "per": "1m" }"#)
    let part = try #require(await stage.session().requestPlan().parts.first)
    #expect([part.caseCountNow, part.runCount] == [5, 1])
    #expect(part.duration == .seconds(120))
    await stage.server.close()
  }
}

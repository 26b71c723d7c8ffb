import Findings
import Reports
import Testing

@Suite struct IssueTests {
  private static let identity = Check.Identity("a/b", "ok", consumer: nil)
  private static let place = Place("a.json")

  private static func report(
    _ checks: [Check], findings: [Finding] = [], startedAt: String = "", seconds: Int = 1
  ) -> Report {
    Report(
      Run(
        command: "understudy drift", toolVersion: "0.1.0", plannedCount: checks.count,
        startedAt: startedAt, duration: .seconds(seconds)), checks: checks, findings: findings)
  }

  /// Everything that differs between two nights on which the same is wrong.
  private static func night(_ number: Int) -> (report: Report, context: ReportContext) {
    let slow = Finding(.error, .performance, "found \(number) s, expected 1 s", path: ["x"])
    let report = report(
      [
        .judged(identity, at: place, findings: [slow], duration: .seconds(number)),
        .judged(
          Check.Identity("a/b", "ok", consumer: "c"), at: place, findings: [slow],
          duration: .seconds(number), attemptCount: number),
        .couldNotCheck(
          Check.Identity("a/c", "ok", consumer: nil), at: place,
          because: "found no answer within \(number) s"),
      ], startedAt: "2026-11-2\(number)T02:00:00Z", seconds: number)
    let records = (1...number).flatMap { HistoryRecord.records(of: report.checks, at: $0 * 86_400) }
    return (report, ReportContext(history: History(records)))
  }

  @Test("stays the same as long as the same is wrong")
  func stable() {
    let text = """
      <!-- understudy-drift -->
      1 endpoint no longer as the contracts say.

      ### a/b

      **ok** since 1970-01-02

      - ERR PERFORMANCE: The answer is slower than the contract allows. at `/x` (`a.json`)

      ```sh
      understudy drift a/b
      ```

      ### Could not be checked

      - a/c\\#ok since 1970-01-02

      """
    for number in 1...3 {
      let (report, context) = Self.night(number)
      #expect(ReportFormat.issue.text(of: report, in: context) == text)
    }
  }

  @Test("says so when nothing is wrong")
  func well() {
    let report = Self.report([.judged(Self.identity, at: Self.place)])
    #expect(
      ReportFormat.issue.text(of: report) == """
        <!-- understudy-drift -->
        Nothing differs from the contracts.

        """)
  }

  @Test("fits what a tracker takes, in whole parts")
  func room() {
    let checks = (0..<2_000).map { number in
      Check.judged(
        Check.Identity("a/b-\(number)", "ok", consumer: nil), at: Self.place,
        findings: [Finding(.error, .status, "found status 500, expected 200")])
    }
    let text = ReportFormat.issue.text(of: Self.report(checks))
    #expect(text.utf8.count < 65_536)
    #expect(text.contains("\n2000 endpoints no longer as the contracts say.\n"))
    #expect(text.hasSuffix("further parts; the page has them.\n"))
  }

  @Test(
    "a badge says the worst there is",
    arguments: [
      ([.judged(identity, at: place)], [], "none", "brightgreen"),
      (
        [.couldNotCheck(identity, at: place, because: "away")], [], "1 check could not be made",
        "lightgrey"
      ),
      (
        [
          .judged(identity, at: place, findings: [Finding(.error, .status, "")]),
          .judged(
            Check.Identity("a/b", "no", consumer: nil), at: place,
            findings: [Finding(.error, .status, "")]),
        ], [], "1 endpoint", "red"
      ),
      ([.judged(identity, at: place)], [Finding(.error, .outage, "")], "OUTAGE", "red"),
    ] as [([Check], [Finding], String, String)])
  func badge(checks: [Check], findings: [Finding], message: String, color: String) {
    #expect(
      ReportFormat.badge.text(of: Self.report(checks, findings: findings)) == """
        {"schemaVersion":1,"label":"drift","message":"\(message)","color":"\(color)"}

        """)
  }
}

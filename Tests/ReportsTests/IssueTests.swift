import Testing
import UnderstudyCore
import UnderstudyFindings
import UnderstudyReports

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

  /// Everything that differs between two runs on which the same is wrong.
  private static func run(_ number: Int) -> (report: Report, context: ReportContext) {
    let slow = Finding(.error, .performance, "found \(number) s, expected 1 s", path: ["x"])
    let type = Finding(
      .error, .schemaTypeChanged, "found \"\(number)\" at offset \(number), expected a number",
      path: ["list", "\(number)", "id"])
    let added = Finding(.note, .schemaFieldAdded, "found \"y\", which nobody reads", path: ["y"])
    let broken = Finding(
      .error, .consumerBroken, "found the error unreadable at offset \(number), expected a value")
    // Responses hold their values in another order each run.
    let report = report(
      [
        .checked(
          identity, at: place,
          findings: number == 2 ? [added, type, slow, type] : [slow, added, type],
          duration: .seconds(number)),
        .checked(
          Check.Identity("a/b", "ok", consumer: "c"), at: place, findings: [broken],
          duration: .seconds(number), attemptCount: number),
        .couldNotCheck(
          Check.Identity("a/c", "ok", consumer: nil), at: place,
          because: "no response within \(number) s"),
      ], startedAt: "2026-11-2\(number)T02:00:00Z", seconds: number)
    let records = (1...number).flatMap {
      HistoryRecord.records(of: report.checks, at: Moment(unixSeconds: $0 * 86_400))
    }
    return (report, ReportContext(history: History(records)))
  }

  @Test("shows the command of the executable that ran")
  func executable() {
    let finding = Finding(.error, .performance, "found 2 s, expected 1 s")
    let report = Self.report([.checked(Self.identity, at: Self.place, findings: [finding])])
    let text = ReportFormat.issue.text(
      of: report.naming(ToolName("showcase", verbs: ["drift"])), in: ReportContext())
    #expect(text.contains("\n```sh\nshowcase drift a/b\n```\n"))
  }

  @Test("says what was found, and whose check found it")
  func found() {
    let (report, context) = Self.run(1)
    #expect(
      ReportFormat.issue.text(of: report, in: context) == """
        <!-- understudy-drift -->
        Drift from the contracts at 1 endpoint.

        ### Broken consumers

        - **c** by a/b\\#ok: performance at `/x`, schema-type-changed at `/list/*/id`

        ### a/b

        **ok** since 1970-01-02

        - error consumer-broken: c: found the error unreadable at offset 1, expected a value (`a.json`) \
        <!-- a/b#ok consumer-broken c -->
        - error performance: found 1 s, expected 1 s, at `/x` (`a.json`) <!-- a/b#ok performance /x -->
        - error schema-type-changed: found "1" at offset 1, expected a number, at `/list/*/id` \
        (`a.json`) <!-- a/b#ok schema-type-changed /list/*/id -->
        - note schema-field-added: found "y", which nobody reads, at `/y` (`a.json`)

        ```sh
        understudy drift a/b
        ```

        ### Could not be checked

        - a/c\\#ok since 1970-01-02: no response within 1 s (`a.json`)

        """)
  }

  private static func keys(in text: String) -> [Substring] {
    text.split(separator: "\n").dropFirst().flatMap {
      $0.matches(of: /<!-- [^>]* -->/).map(\.output)
    }
  }

  @Test("its keys stay the same as long as the same is wrong")
  func stable() {
    for number in 1...3 {
      let (report, context) = Self.run(number)
      #expect(
        Self.keys(in: ReportFormat.issue.text(of: report, in: context)) == [
          "<!-- a/b#ok consumer-broken c -->", "<!-- a/b#ok performance /x -->",
          "<!-- a/b#ok schema-type-changed /list/*/id -->",
        ])
    }
  }

  @Test("an outage has the same key on each of its runs, and remarks have none")
  func runKeys() {
    for count in 3...4 {
      let report = Self.report(
        [.checked(Self.identity, at: Self.place)],
        findings: [
          Finding(.error, .outage, "no response from api2 on \(count) runs in a row"),
          Finding(.warning, .coverage, "found nothing"),
        ])
      #expect(
        Self.keys(in: ReportFormat.issue.text(of: report)) == [
          "<!-- run outage no response from api2 on * runs in a row -->"
        ])
    }
  }

  @Test("a path of a response cannot end the comment that holds its key")
  func hostileKey() {
    let finding = Finding(.error, .schemaTypeChanged, "found 1", path: ["--> @all", "ü"])
    let report = Self.report([.checked(Self.identity, at: Self.place, findings: [finding])])
    #expect(
      Self.keys(in: ReportFormat.issue.text(of: report)) == [
        "<!-- a/b#ok schema-type-changed /-%2d%3e%20%40all/%c3%bc -->"
      ])
  }

  @Test("an intermittent break keeps its keys on the clean runs that follow")
  func intermittent() {
    let status = Finding(
      .error, .status, "found status 500, expected 200", frequency: Finding.Frequency(1, of: 2))
    let clean = Self.report(
      [.checked(Self.identity, at: Self.place)],
      findings: [Finding(.error, .intermittent, "a/b#ok was broken on 1970-01-02 and not since")])
    let records = [
      HistoryRecord(
        at: Moment(unixSeconds: 86_400), Check.Identity("a/b", "ok", consumer: "c"), .fail,
        findings: [status]),
      HistoryRecord(at: Moment(unixSeconds: 2 * 86_400), Self.identity, .pass),
    ]
    let text = ReportFormat.issue.text(
      of: clean, in: ReportContext(history: History(records)))
    #expect(Self.keys(in: text) == ["<!-- a/b#ok status c -->"])
  }

  @Test("says so when nothing is wrong")
  func well() {
    let report = Self.report([.checked(Self.identity, at: Self.place)])
    #expect(
      ReportFormat.issue.text(of: report) == """
        <!-- understudy-drift -->
        Nothing differs from the contracts.

        """)
  }

  @Test("does not say that nothing differs above a list of differences")
  func changed() {
    let finding = Finding(.warning, .headerRemoved, "no ETag", header: "ETag")
    let report = Self.report([.checked(Self.identity, at: Self.place, findings: [finding])])
    #expect(
      ReportFormat.issue.text(of: report) == """
        <!-- understudy-drift -->
        1 endpoint changed without breaking anything.

        ### Changed without breaking anything

        - a/b\\#ok: no ETag

        """)
  }

  @Test("names a removed header, and the root of a body")
  func names() {
    let findings = [
      Finding(.error, .headerRemoved, "no header", header: "ETag"),
      Finding(
        .error, .schemaTypeChanged, "found 1", path: [],
        frequency: Finding.Frequency(1, of: 2)),
    ]
    let report = Self.report([.checked(Self.identity, at: Self.place, findings: findings)])
    let text = ReportFormat.issue.text(of: report)
    #expect(text.contains("- error header-removed: no header, `ETag` (`a.json`) <!-- "))
    #expect(text.contains("- error schema-type-changed: found 1, at `the root` (`a.json`) <!-- "))
    let remarks = ReportFormat.console.text(of: report)
    #expect(remarks.contains("    at the root\n"))
  }

  @Test("the page's line for a run names the worst of it")
  func run() {
    let findings = [
      Finding(.note, .schemaFieldAdded, "found y"), Finding(.error, .status, "found status 500"),
    ]
    // Two readers, the one that is worse off last.
    let records = [1, 2].flatMap { day in
      zip([nil, "c"], findings).map { consumer, finding in
        HistoryRecord(
          at: Moment(unixSeconds: day * 86_400), Check.Identity("a/b", "ok", consumer: consumer),
          consumer == nil ? .pass : .fail, findings: [finding])
      }
    }
    let page = ReportFormat.html.text(
      of: Self.report([.checked(Self.identity, at: Self.place)]),
      in: ReportContext(history: History(records)))
    #expect(
      page.contains("<li>1970-01-02 to 1970-01-03: drifting in 2 runs, found status 500</li>"))
  }

  /// Two runs of drift, and one on which nothing responded.
  private static let away = report([.couldNotCheck(identity, at: place, because: "no response")])
  private static let awayContext = ReportContext(
    history: History(
      [1, 2].map {
        HistoryRecord(
          at: Moment(unixSeconds: $0 * 86_400), identity, .fail,
          findings: [Finding(.error, .status, "found status 500, expected 200", path: ["x"])])
      } + HistoryRecord.records(of: away.checks, at: Moment(unixSeconds: 3 * 86_400))))

  @Test("a drift that could not be checked has not ended")
  func unended() {
    #expect(
      ReportFormat.issue.text(of: Self.away, in: Self.awayContext) == """
        <!-- understudy-drift -->
        Drift from the contracts at 1 endpoint.

        ### a/b

        **ok** unreachable, drifting since 1970-01-02: no response

        - error status: found status 500, expected 200, at `/x` <!-- a/b#ok status /x -->

        ```sh
        understudy drift a/b
        ```

        """)
    #expect(
      ReportFormat.badge.text(of: Self.away, in: Self.awayContext) == """
        {"schemaVersion":1,"label":"drift","message":"1 endpoint","color":"red"}

        """)
    let page = ReportFormat.html.text(of: Self.away, in: Self.awayContext)
    for text in [
      "</a>: drifting since 1970-01-02, and could not be checked now</li>", "<h2>Drifting ",
      "<p>the response could not be checked: no response</p>",
      "<p class=\"since\">drifting since 1970-01-02</p>",
      "<li>1970-01-04: unreachable, no response</li>",
    ] {
      #expect(page.contains(text), "\(text)")
    }
    let lines = "could not be checked\n  a/b#ok: no response; drifting since 1970-01-02\n"
    #expect(ReportFormat.console.text(of: Self.away, in: Self.awayContext).hasPrefix(lines))
    #expect(
      ReportFormat.markdown.text(of: Self.away, in: Self.awayContext)
        .contains("\n- a/b\\#ok: no response; drifting since 1970-01-02\n"))
  }

  @Test(
    "does not say that nothing differs where nothing could be checked",
    arguments: [
      ([.couldNotCheck(identity, at: place, because: "away")], false, "Nothing could be checked."),
      (
        [.couldNotCheck(identity, at: place, because: "away")], true,
        "Nothing could be checked, and the run as a whole has problems."
      ),
      (
        [
          .couldNotCheck(identity, at: place, because: "away"),
          .checked(Check.Identity("a/b", "no", consumer: nil), at: place),
        ], false, "As far as could be checked, nothing differs from the contracts."
      ),
      (
        [.checked(identity, at: place)], true,
        "Nothing differs from the contracts, but the run as a whole has problems."
      ),
    ] as [([Check], Bool, String)])
  func headline(checks: [Check], isOut: Bool, line: String) {
    let findings = isOut ? [Finding(.error, .outage, "no response")] : []
    let lines = ReportFormat.issue.text(of: Self.report(checks, findings: findings))
      .split(separator: "\n")
    #expect(lines[1] == line)
  }

  @Test("a test run does not mention drift", arguments: [true, false])
  func test(isPassed: Bool) {
    let finding = Finding(.error, .value, "found another value")
    let checks = [
      Check.checked(Self.identity, at: Self.place, findings: isPassed ? [] : [finding]),
      .notExercised(Check.Identity("a/b", "no", consumer: nil), at: Self.place, because: "why"),
      .couldNotCheck(Check.Identity("a/b", "x", consumer: nil), at: Self.place, because: "why"),
    ]
    let report = Report(
      Run(
        command: "understudy test", toolVersion: "0.1.0", plannedCount: 3, startedAt: "",
        duration: .zero), checks: checks)
    for format in [ReportFormat.html, .issue, .badge] {
      let text = format.text(of: report)
      let words = text.replacing(/<style>[^<]*<\/style>|(class|data-has|id)="[^"]*"/, with: "")
      for word in ["drift", "not-run", "passing<", ">unreachable<"] {
        #expect(!words.contains(word), "\(format): \(word)")
      }
    }
  }

  @Test("fits the limit of a tracker, in whole parts")
  func room() {
    let checks = (0..<2_000).map { number in
      Check.checked(
        Check.Identity("a/b-\(number)", "ok", consumer: nil), at: Self.place,
        findings: [Finding(.error, .status, "found status 500, expected 200")])
    }
    let text = ReportFormat.issue.text(of: Self.report(checks))
    #expect(text.utf8.count < 65_536)
    #expect(text.contains("\nDrift from the contracts at 2000 endpoints.\n"))
    #expect(text.hasSuffix("more parts left out here; see the page. <!-- incomplete -->\n"))
  }

  @Test(
    "a badge says the worst there is",
    arguments: [
      ([.checked(identity, at: place)], [], "none", "brightgreen"),
      (
        [.couldNotCheck(identity, at: place, because: "away")], [], "1 check could not be made",
        "lightgrey"
      ),
      (
        [
          .checked(identity, at: place, findings: [Finding(.error, .status, "")]),
          .checked(
            Check.Identity("a/b", "no", consumer: nil), at: place,
            findings: [Finding(.error, .status, "")]),
        ], [], "1 endpoint", "red"
      ),
      ([.checked(identity, at: place)], [Finding(.error, .outage, "")], "outage", "red"),
    ] as [([Check], [Finding], String, String)])
  func badge(checks: [Check], findings: [Finding], message: String, color: String) {
    #expect(
      ReportFormat.badge.text(of: Self.report(checks, findings: findings)) == """
        {"schemaVersion":1,"label":"drift","message":"\(message)","color":"\(color)"}

        """)
  }
}

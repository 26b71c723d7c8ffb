import Testing
import UnderstudyCore
import UnderstudyFindings
import UnderstudyReports

@Suite struct GoldenTests {
  @Test("writes each report as in Fixtures", arguments: ReportFormat.allCases)
  func whole(format: ReportFormat) throws {
    let diff = try Fixture.difference("mixed.\(format.rawValue)", format.text(of: Samples.mixed))
    #expect(diff == "")
  }

  @Test(
    "writes reports with earlier runs and contracts as in Fixtures",
    arguments: [.html, .issue, .badge, .console, .markdown, .json] as [ReportFormat])
  func inContext(format: ReportFormat) throws {
    let diff = try Fixture.difference(
      "drift.\(format.rawValue)", format.text(of: Samples.drift, in: Samples.driftContext))
    #expect(diff == "")
  }

  @Test("many checks of one upstream with the same reason are one line")
  func sameReason() {
    func open(_ contract: String, _ reason: String) -> Check {
      .couldNotCheck(
        Check.Identity(contract, "ok", consumer: nil), at: Place("a.json"), because: reason)
    }
    let report = Report(
      Samples.run(planning: 9),
      checks: (1...6).map { open("joke/\($0)", "given up") } + [open("joke/7", "away")]
        + (1...2).map { open("dog/\($0)", "given up") })
    let lines = """
        6 checks of joke: given up
        joke/7#ok: away
        dog/1#ok: given up
        dog/2#ok: given up
      """
    let console = ReportFormat.console.text(of: report)
    #expect(console.contains("could not be checked\n\(lines)\n\n"))
    let markdown = ReportFormat.markdown.text(of: report)
    #expect(markdown.contains("- 6 checks of joke: given up\n- joke/7\\#ok: away\n- dog/1"))
  }

  @Test("colours what is wrong, and what was expected and found")
  func colour() {
    var stream = TextStream(isColoured: true)
    let finding = Finding(.error, .value, "found b", diff: ["-a", "+b", " c"], fix: "mend it")
    let check = Check.checked(
      Check.Identity("a/b", "ok", consumer: "c"), at: Place("a.json"), findings: [finding])
    ConsoleReport.write(Report(Samples.run(planning: 1), checks: [check]), to: &stream)
    let diff = TextDiff.unified(
      """
      «1;31mfailed»«1m a/b#ok, c»
        «1ma.json: »«1;31merror:» found b «2m[value]»
      «2m    | »«1;31m-a»
      «2m    | »«32m+b»
      «2m    | » c
          fix: mend it

      «2munderstudy test 0.1.0, 0 ms»
      «1;31m1 check: 1 failed»
      coverage: 1 of 1

      """,
      stream.text.replacing("\u{1B}[0m", with: "»").replacing("\u{1B}[", with: "«"))
    #expect(diff.isEmpty, "\(diff)")
  }

  @Test("an empty shard is not a failure, nor a test")
  func emptyShard() {
    let report = Report(
      Samples.run(shard: Shard(index: 3, count: 3), planning: 2), checks: [])
    #expect(
      ReportFormat.tap.text(of: report) == """
        TAP version 14
        1..0 # SKIP this shard has no checks
        # understudy test 0.1.0, shard 3/3, 0 ms
        # 0 checks

        """)
    #expect(ReportFormat.github.text(of: report) == "")
    #expect(
      ReportFormat.junit.text(of: report) == """
        <?xml version="1.0" encoding="UTF-8"?>
        <testsuites name="understudy test" tests="0" failures="0" errors="0" time="0.000">
        </testsuites>

        """)
  }

  @Test(
    "a run that exercised nothing is a failure in each report",
    arguments: ReportFormat.allCases.filter { $0 != .badge })
  func nothing(format: ReportFormat) {
    let text = format.text(of: Report(Samples.run(planning: 0), checks: []))
    #expect(text.contains("nothing-exercised"))
    #expect(text.contains("nothing was exercised, so the run proves nothing"))
  }

  @Test("a milder finding that fails the run is an error to GitHub")
  func failsOn() {
    let check = Check.checked(
      Check.Identity("a/b", "ok", consumer: nil), at: Place("a.json"),
      findings: [Finding(.warning, .performance, "found 2 s, expected 1 s")], failsOn: .warning)
    let report = Report(Samples.run(planning: 1, failsOn: .warning), checks: [check])
    #expect(
      ReportFormat.github.text(of: report)
        == "::error file=a.json,title=performance::a/b#ok: found 2 s, expected 1 s\n")
  }
}

@Suite struct MarkdownRoomTests {
  /// 20,000 failures with a diff each, of which GitHub would take not one.
  @Test("a summary stays within what GitHub takes, and says what it leaves out")
  func room() {
    let diff = Array(repeating: "-" + String(repeating: "x", count: 80), count: 20)
    let checks = (0..<20_000).map { number in
      Check.checked(
        Check.Identity("a/b", "case-\(number)", consumer: "c"), at: Place("a.json"),
        findings: [Finding(.error, .value, "found another value", diff: diff)])
    }
    let text = ReportFormat.markdown.text(of: Report(Samples.run(planning: 20_000), checks: checks))
    #expect(text.utf8.count < 1_000_000)
    #expect(text.contains("more\n"))
    #expect(text.hasSuffix("More details do not fit here; see the other reports.\n"))
  }
}

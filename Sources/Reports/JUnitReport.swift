import UnderstudyCore
import UnderstudyFindings

/// JUnit XML: a suite for each contract, a test case for each check, and a suite for problems of
/// the run as a whole.
///
/// A check that could not be made is an `error`, so that no CI system counts it as a success.
struct JUnitReport {
  private let report: Report
  private var xml = XMLWriter()

  var text: String { xml.text }

  init(_ report: Report) {
    self.report = report
    write()
  }

  private mutating func write() {
    let run = report.run
    var contracts: [String: Int] = [:]
    var suites: [[Check]] = []
    for check in report.checks {
      if let suite = contracts[check.identity.contract] {
        suites[suite].append(check)
      } else {
        contracts[check.identity.contract] = suites.count
        suites.append([check])
      }
    }
    let failedFindings = report.findings.count { $0.severity <= run.failsOn }
    xml.open(
      "testsuites",
      [
        ("name", run.command), ("tests", "\(report.checks.count + report.findings.count)"),
        ("failures", "\(report.count(.fail) + failedFindings)"),
        ("errors", "\(report.count(.couldNotCheck))"), ("time", run.duration.seconds),
      ])
    if !report.findings.isEmpty {
      xml.open(
        "testsuite",
        [
          ("name", run.command), ("tests", "\(report.findings.count)"),
          ("failures", "\(failedFindings)"), ("errors", "0"), ("skipped", "0"),
          ("timestamp", timestamp),
        ])
      for finding in report.findings {
        let isFailure = finding.severity <= run.failsOn
        xml.open("testcase", [("classname", run.command), ("name", finding.type.rawValue)])
        write([finding], at: nil, isFailure: isFailure)
        xml.close("testcase")
      }
      xml.close("testsuite")
    }
    for checks in suites { write(suite: checks) }
    xml.close("testsuites")
  }

  /// Jenkins accepts no zone after the time.
  private var timestamp: String {
    let time = report.run.startedAt
    return time.hasSuffix("Z") ? String(time.dropLast()) : time
  }

  private mutating func write(suite checks: [Check]) {
    guard let first = checks.first else { return }
    func count(_ result: CheckResult) -> String { "\(checks.count { $0.result == result })" }
    let duration = checks.reduce(Duration.zero) { $0 + $1.duration }
    xml.open(
      "testsuite",
      [
        ("name", first.identity.contract), ("tests", "\(checks.count)"),
        ("failures", count(.fail)), ("errors", count(.couldNotCheck)),
        ("skipped", count(.notExercised)), ("time", duration.seconds), ("timestamp", timestamp),
        ("file", first.place.file),
      ])
    for check in checks {
      let attributes = [
        ("classname", check.identity.contract), ("name", check.identity.description),
        ("time", check.duration.seconds),
      ]
      guard check.result != .pass || !check.findings.isEmpty else {
        xml.element("testcase", attributes)
        continue
      }
      xml.open("testcase", attributes)
      switch check.result {
      case .pass, .fail:
        write(check.findings, at: check.place, isFailure: check.result == .fail)
      case .couldNotCheck:
        let reason = check.reason ?? ""
        xml.element(
          "error", [("type", check.result.rawValue), ("message", reason)],
          "\(check.place): \(reason)".visible)
      case .notExercised:
        xml.element("skipped", [("message", check.reason ?? "")])
      }
      xml.close("testcase")
    }
    xml.close("testsuite")
  }

  /// Readers show one failure per test case, so all findings share it.
  private mutating func write(_ findings: [Finding], at place: Place?, isFailure: Bool) {
    guard let worst = findings.min(by: { $0.severity < $1.severity }) else { return }
    var stream = TextStream(isColoured: false)
    for finding in findings { ConsoleReport.write(finding, at: place, to: &stream) }
    if isFailure {
      xml.element(
        "failure", [("type", worst.type.rawValue), ("message", worst.message)],
        "\n" + stream.text)
    } else {
      xml.element("system-out", [], "\n" + stream.text)
    }
  }
}

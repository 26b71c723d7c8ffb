import UnderstudyCore
import UnderstudyFindings

/// GitHub Actions workflow commands: each finding at its line of the contract.
enum AnnotationReport {
  static func text(of report: Report) -> String {
    var lines = report.findings.map {
      line(for: $0, of: nil, at: nil, failsOn: report.run.failsOn)
    }
    for check in report.checks {
      lines += check.findings.map {
        line(for: $0, of: check.identity, at: check.place, failsOn: report.run.failsOn)
      }
      if check.result == .couldNotCheck {
        lines.append(
          command(
            "warning", check.place, title: check.result.words,
            ["\(check.identity): \(check.reason ?? "")"]))
      }
    }
    return lines.map { $0 + "\n" }.joined()
  }

  private static func line(
    for finding: Finding, of identity: Check.Identity?, at place: Place?,
    failsOn: Finding.Severity
  ) -> String {
    let level =
      if finding.severity <= failsOn { "error" } else {
        finding.severity == .warning ? "warning" : "notice"
      }
    var lines = [identity.map { "\($0): \(finding.message)" } ?? finding.message]
    if let spot = finding.spot { lines.append("at \(spot)") }
    lines += finding.shortDiff
    if let fix = finding.fix { lines.append("fix: \(fix)") }
    return command(level, finding.place ?? place, title: finding.type.rawValue, lines)
  }

  private static func command(
    _ level: String, _ place: Place?, title: String, _ lines: [String]
  ) -> String {
    var properties: [String] = []
    if let place {
      properties.append("file=\(escaped(property: place.file))")
      if let position = place.position {
        properties += ["line=\(position.line)", "col=\(position.column)"]
      }
    }
    properties.append("title=\(escaped(property: title))")
    let message = lines.map { escaped($0) }.joined(separator: "%0A")
    return "::\(level) \(properties.joined(separator: ","))::\(message)"
  }

  /// Line breaks are already escaped, so only the percent sign is left.
  private static func escaped(_ text: String) -> String {
    text.visible.escaping { $0 == "%" ? "%25" : nil }
  }

  private static func escaped(property text: String) -> String {
    escaped(text).escaping { $0 == ":" ? "%3A" : $0 == "," ? "%2C" : nil }
  }
}

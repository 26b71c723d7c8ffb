import UnderstudyCore
import UnderstudyFindings
import UnderstudyJSON

/// The Test Anything Protocol, version 14: a test point for each check and for each problem of the
/// run as a whole.
///
/// A check that could not be made is `not ok`: TAP has nothing between that and success.
struct TAPReport {
  private(set) var text = "TAP version 14\n"
  private var number = 0

  init(_ report: Report) {
    let count = report.checks.count + report.findings.count
    text += count > 0 ? "1..\(count)\n" : "1..0 # SKIP this shard has no checks\n"
    text += "# \(report.run.title.inert)\n"
    for finding in report.findings {
      let isFailure = finding.severity <= report.run.failsOn
      point(isOK: !isFailure, "\(report.run.command): \(finding.type.rawValue)")
      diagnosis { block in block.write([finding], at: nil) }
    }
    for check in report.checks { write(check) }
    text += "# \(report.summary)\n"
  }

  private mutating func write(_ check: Check) {
    let isOK = check.result == .pass || check.result == .notExercised
    let skip = check.result == .notExercised ? check.reason ?? "" : nil
    point(isOK: isOK, check.identity.description, skip: skip)
    guard !check.findings.isEmpty || check.result == .couldNotCheck else { return }
    diagnosis { block in
      block.line("result: \(check.result.rawValue)")
      block.line("duration_ms: \(check.duration.milliseconds)")
      if let reason = check.reason { block.text("reason", reason) }
      block.write(check.findings, at: check.place)
    }
  }

  private mutating func point(isOK: Bool, _ description: String, skip: String? = nil) {
    number += 1
    text += "\(isOK ? "ok" : "not ok") \(number) - \(Self.escaped(description))"
    text += skip.map { " # SKIP \(Self.escaped($0))" } ?? ""
    text += "\n"
  }

  private mutating func diagnosis(_ body: (inout YAMLBlock) -> Void) {
    var block = YAMLBlock()
    body(&block)
    text += "  ---\n\(block.text)  ...\n"
  }

  static func escaped(_ text: String) -> String {
    text.visible.escaping { $0 == "\\" ? "\\\\" : $0 == "#" ? "\\#" : nil }
  }
}

/// The YAML block of a test point. All texts are quoted, so that none is read as another type.
private struct YAMLBlock {
  private(set) var text = ""

  mutating func line(_ line: String) { text += "  \(line)\n" }

  mutating func text(_ key: String, _ value: String) { line("\(key): \(Self.quoted(value))") }

  mutating func write(_ findings: [Finding], at fallback: Place?) {
    guard !findings.isEmpty else { return }
    line("findings:")
    for finding in findings {
      line("  - severity: \(finding.severity.rawValue)")
      line("    type: \(finding.type.rawValue)")
      text("    message", finding.message)
      if let place = finding.place ?? fallback { text("    at", place.description) }
      if let path = finding.path { text("    path", path.description) }
      if !finding.shortDiff.isEmpty {
        line("    diff:")
        for part in finding.shortDiff { line("      - \(Self.quoted(part))") }
      }
      if let fix = finding.fix { text("    fix", fix) }
    }
  }

  private static func quoted(_ text: String) -> String {
    let escaped = text.visible.escaping { $0 == "\\" ? "\\\\" : $0 == "\"" ? "\\\"" : nil }
    return "\"\(escaped)\""
  }
}

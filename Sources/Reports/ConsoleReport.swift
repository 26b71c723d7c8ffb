package import UnderstudyCore
package import UnderstudyFindings

/// The report for people: broken services first, then all problems, and the counts last, where a
/// terminal shows them.
///
/// CI systems treat some output lines as commands. To keep live answers from producing any, the
/// lines of a diff follow a bar, and no line starts with `::`.
package enum ConsoleReport {
  package static func write(_ report: Report, to stream: inout TextStream) {
    writeBroken(report.brokenServices, to: &stream)
    for check in report.checks(.fail) { write(check, .red, of: report, to: &stream) }
    for check in report.remarkable { write(check, .yellow, of: report, to: &stream) }
    writeList(report.checks(.couldNotCheck), .yellow, to: &stream)
    if report.run.shard == nil {
      writeList(report.checks(.notExercised), .dim, max: 20, to: &stream)
    }
    if !report.findings.isEmpty {
      stream.write("the run as a whole\n", .bold)
      for finding in report.findings { write(finding, at: nil, to: &stream) }
      stream.write("\n")
    }
    put(line: report.run.title, .dim, to: &stream)
    put(line: report.summary, report.verdict.style, to: &stream)
    if let coverage = report.coverageWords { stream.write("\(coverage)\n") }
  }

  private static func writeBroken(_ services: [BrokenService], to stream: inout TextStream) {
    guard !services.isEmpty else { return }
    stream.write("broken services\n", .red)
    for service in services {
      put("  \(service.name)", .bold, to: &stream)
      put(line: " by \(service.reason)", to: &stream)
    }
    stream.write("\n")
  }

  private static func write(
    _ check: Check, _ style: TextStream.Style, of report: Report, to stream: inout TextStream
  ) {
    stream.write(check.verdict.words, style)
    put(" \(check.identity)", .bold, to: &stream)
    put(line: check.effort.map { "  after \($0)" } ?? "", .dim, to: &stream)
    for finding in check.findings { write(finding, at: check.place, to: &stream) }
    if let owner = report.owner(of: check) { put(line: "  owner: \(owner)", to: &stream) }
    stream.write("\n")
  }

  /// Without colour, also the plain text of a finding in other reports.
  package static func write(_ finding: Finding, at fallback: Place?, to stream: inout TextStream) {
    stream.write("  ")
    if let place = finding.place ?? fallback { put("\(place): ", .bold, to: &stream) }
    stream.write("\(finding.severity.rawValue):", finding.severity.style)
    put(" \(finding.message) ", to: &stream)
    stream.write("[\(finding.type.rawValue)]\n", .dim)
    if let spot = finding.spot { put(line: "    at \(spot)", to: &stream) }
    for line in finding.shortDiff {
      stream.write("    | ", .dim)
      put(line: line, line.hasPrefix("-") ? .red : line.hasPrefix("+") ? .green : nil, to: &stream)
    }
    if let fix = finding.fix { put(line: "    fix: \(fix)", to: &stream) }
  }

  private static func writeList(
    _ checks: [Check], _ style: TextStream.Style, max: Int = .max, to stream: inout TextStream
  ) {
    guard let first = checks.first else { return }
    stream.write("\(first.verdict.words)\n", style)
    let lines = checks.reasonLines
    for line in lines.prefix(max) {
      put(line: "  \(line.subject): \(line.reason)", to: &stream)
    }
    let restCount = lines.dropFirst(max).reduce(0) { $0 + $1.checkCount }
    if restCount > 0 { stream.write("  and \(restCount) more\n") }
    stream.write("\n")
  }

  // MARK: - Text from outside

  private static func put(
    line: String, _ style: TextStream.Style? = nil, to stream: inout TextStream
  ) {
    put(line, style, to: &stream)
    stream.write("\n")
  }

  private static func put(
    _ text: String, _ style: TextStream.Style? = nil, to stream: inout TextStream
  ) {
    if !text.isEmpty { stream.write(text.inert, style) }
  }
}

extension Verdict {
  fileprivate var style: TextStream.Style {
    switch self {
    case .pass: .green
    case .fail: .red
    case .couldNotCheck, .notExercised: .yellow
    }
  }
}

extension Finding.Severity {
  fileprivate var style: TextStream.Style {
    switch self {
    case .error: .red
    case .warning: .yellow
    case .info: .dim
    }
  }
}

package import UnderstudyCore
package import UnderstudyFindings

/// The report for people: all problems in the order of `Outline`, and the counts last, where a
/// terminal shows them.
///
/// CI systems treat some output lines as commands. To keep live responses from producing any, the
/// lines of a diff follow a bar, and no line starts with `::`.
package enum ConsoleReport {
  package static func write(
    _ report: Report, _ detail: ConsoleDetail = ConsoleDetail(), to stream: inout TextStream
  ) {
    let outline = Outline(report, detail.history)
    for part in outline.parts { write(part, of: outline, detail, to: &stream) }
    put(line: report.run.title, .dim, to: &stream)
    put(line: report.summary, report.result.style, to: &stream)
    if let coverage = report.coverageWords { stream.write("\(coverage)\n") }
  }

  private static func write(
    _ part: Outline.Part, of outline: Outline, _ detail: ConsoleDetail, to stream: inout TextStream
  ) {
    let report = outline.report
    switch part {
    case .brokenConsumers: writeBroken(report.brokenConsumers, to: &stream)
    case .run:
      guard !report.findings.isEmpty else { return }
      stream.write("the run as a whole\n", .bold)
      for finding in report.findings { write(finding, at: nil, detail, to: &stream) }
      stream.write("\n")
    case .cases(.drifting):
      let checks = outline.checks(.drifting)
      for group in checks.filter({ $0.result == .fail }).groupedByFindings {
        write(group, .red, of: report, detail, to: &stream)
      }
      writeList(checks.filter { $0.result != .fail }, .yellow, detail.history, to: &stream)
    case .cases(.unreachable):
      writeList(outline.checks(.unreachable), .yellow, detail.history, to: &stream)
    case .cases(let state) where state != .notRun:
      for group in outline.checks(state).filter({ !$0.findings.isEmpty }).groupedByFindings {
        write(group, .yellow, of: report, detail, to: &stream)
      }
    case .cases:
      // Where nothing was exercised, the reasons are all that there is.
      guard detail.listsAll || report.exercisedCount == 0, report.run.shard == nil else { return }
      writeList(outline.checks(.notRun), .dim, detail.history, to: &stream)
    }
  }

  private static func writeBroken(_ consumers: [BrokenConsumer], to stream: inout TextStream) {
    guard !consumers.isEmpty else { return }
    stream.write("broken consumers\n", .red)
    for consumer in consumers {
      put("  \(consumer.name)", .bold, to: &stream)
      put(line: " by \(consumer.reason)", to: &stream)
    }
    stream.write("\n")
  }

  private static func write(
    _ group: [Check], _ style: TextStream.Style, of report: Report, _ detail: ConsoleDetail,
    to stream: inout TextStream
  ) {
    for check in group {
      stream.write(check.result.words, style)
      put(" \(check.identity)", .bold, to: &stream)
      put(line: check.effort.map { "  after \($0)" } ?? "", .dim, to: &stream)
    }
    guard let first = group.first else { return }
    for finding in first.findings { write(finding, at: first.place, detail, to: &stream) }
    if let owner = report.owner(of: first) { put(line: "  owner: \(owner)", to: &stream) }
    stream.write("\n")
  }

  /// Without colour, also the plain text of a finding in other reports.
  package static func write(
    _ finding: Finding, at fallback: Place?, _ detail: ConsoleDetail = ConsoleDetail(),
    to stream: inout TextStream
  ) {
    stream.write("  ")
    if let place = finding.place ?? fallback { put("\(place): ", .bold, to: &stream) }
    stream.write("\(finding.severity.rawValue):", finding.severity.style)
    put(" \(finding.message) ", to: &stream)
    stream.write("[\(finding.type.rawValue)]", .dim, leadingTo: finding.type.page)
    stream.write("\n")
    detail.frame(at: finding.place ?? fallback)?.write(to: &stream, indent: 4)
    if let spot = finding.spot { put(line: "    at \(spot)", to: &stream) }
    for line in finding.shortDiff {
      stream.write("    | ", .dim)
      put(line: line, line.hasPrefix("-") ? .red : line.hasPrefix("+") ? .green : nil, to: &stream)
    }
    if let fix = finding.fix { put(line: "    fix: \(fix)", to: &stream) }
  }

  private static func writeList(
    _ checks: [Check], _ style: TextStream.Style, _ history: History, to stream: inout TextStream
  ) {
    guard let first = checks.first else { return }
    stream.write("\(first.result.words)\n", style)
    for line in checks.reasonLines(history) {
      put(line: "  \(line.subject): \(line.reason)", to: &stream)
    }
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

extension CheckResult {
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
    case .note: .dim
    }
  }
}

extension [Check] {
  /// Checks with the same findings at the same places: one mistake in a contract fails each check
  /// that meets it. In the order of their first checks.
  fileprivate var groupedByFindings: [[Check]] {
    var groups: [[Check]] = []
    var indices: [[Finding]: Int] = [:]
    for check in self {
      let findings = check.findings
      // Without a place they are about the check itself.
      if findings.allSatisfy({ $0.place != nil }), let index = indices[findings] {
        groups[index].append(check)
      } else {
        indices[findings] = groups.count
        groups.append([check])
      }
    }
    return groups
  }
}

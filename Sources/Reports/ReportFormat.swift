import UnderstudyCore
package import UnderstudyFindings

/// The report formats, with the names used on the command line.
///
/// The target writes a report in each of these formats, without I/O. Read this file, then
/// `ConsoleReport` and `CodeFrame`, which people see first, and then the format in question.
/// `Writing` has what several formats share: `Outline` groups the checks, `Wording` has common
/// phrases, `Escaping` and `XMLWriter` make text harmless. `Page` is the web page.
///
/// A report always gives the same text in a format. Each format escapes texts from outside by its
/// own rules, since a live response may have been made to attack whoever reads the report.
package enum ReportFormat: String, Hashable, Sendable, CaseIterable {
  /// For people, without colour.
  case console
  /// For nearly every CI system, valid by the schema that Jenkins checks.
  case junit
  /// For programs, and for joining the reports of shards.
  case json
  /// For a GitHub job summary.
  case markdown
  /// For GitHub Actions, which shows each finding at its line of the change.
  case github
  /// For code scanning and editors: SARIF 2.1.0.
  case sarif
  /// For test harnesses: TAP 14.
  case tap
  /// For a browser: one page without scripts, with past runs and lines of the contracts.
  case html
  /// For a tracker: the body of an issue, unchanged as long as the results are.
  case issue
  /// For shields.io, which draws a badge from it.
  case badge

  /// - Parameter context: the past runs, and more for the page.
  package func text(of report: Report, in context: ReportContext = ReportContext()) -> String {
    switch self {
    case .console:
      var stream = TextStream(isColoured: false)
      ConsoleReport.write(report, ConsoleDetail(history: context.history), to: &stream)
      return stream.text
    case .junit: return JUnitReport(report).text
    case .json: return String(decoding: report.json, as: UTF8.self)
    case .markdown: return MarkdownReport(report, context).text
    case .github: return AnnotationReport.text(of: report)
    case .sarif: return SARIFReport(report).text
    case .tap: return TAPReport(report).text
    case .html: return PageReport(report, context).text
    case .issue: return IssueReport(report, context).text
    case .badge: return BadgeReport.text(of: report, context)
    }
  }
}

/// A format and its destination, as given to `--report`: `junit=results.xml`, or just `github`.
package struct ReportRequest: Hashable, Sendable {
  package let format: ReportFormat
  /// `nil` for standard output.
  package let path: String?

  /// `nil` for an unknown format, or nothing after the `=`.
  package init?(parsing text: String) {
    let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    guard let name = parts.first, let format = ReportFormat(rawValue: String(name)),
      parts.count == 1 || !parts[1].isEmpty
    else { return nil }
    self.format = format
    path = parts.count == 1 ? nil : String(parts[1])
  }
}

extension ReportRequest: CustomStringConvertible {
  package var description: String { path.map { "\(format.rawValue)=\($0)" } ?? format.rawValue }
}

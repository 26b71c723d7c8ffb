import UnderstudyCore
import UnderstudyFindings
import UnderstudyJSON

/// The report for a job's summary page: all failed checks in a table, then the details.
///
/// GitHub rejects summaries of more than 1 MiB, so details stop when the room is used up, and then
/// the lists.
struct MarkdownReport {
  static let bytesMax = 1_000_000
  /// Details leave the rest of the room to the lists after them.
  private static let detailBytesMax = 600_000

  private let report: Report
  private(set) var text = ""

  init(_ report: Report) {
    self.report = report
    text += "## \(Self.escaped(report.run.command)): \(report.result.words)\n\n"
    text += "\(report.summary)  \n\(Self.code(report.run.title))\n"
    if let coverage = report.coverageWords { text += "\n\(coverage)\n" }
    write(
      "", Self.rows(of: report.brokenConsumers), header: "\n### Broken consumers\n\n")
    writeFindings()
    writeDetails()
    writeList("Could not be checked", report.checks(.couldNotCheck))
    if report.run.shard == nil { writeList("Not exercised", report.checks(.notExercised)) }
  }

  static func rows(of consumers: [BrokenConsumer]) -> [String] {
    consumers.map { "- **\(escaped($0.name))** by \(escaped($0.reason))\n" }
  }

  private mutating func writeFindings() {
    let rows =
      report.findings.map { Self.row("the run as a whole", $0) }
      + (report.checks(.fail) + report.remarkable).flatMap { check in
        check.findings.map { Self.row(Self.escaped(check.identity.description), $0) }
      }
    write("", rows, header: "\n| check | finding | what was found |\n| --- | --- | --- |\n")
  }

  private static func row(_ subject: String, _ finding: Finding) -> String {
    "| \(subject) | [\(finding.label)](\(finding.type.page)) | \(escaped(finding.message)) |\n"
  }

  private mutating func writeDetails() {
    for check in report.checks(.fail) {
      var details = "\n### \(Self.escaped(check.identity.description))\n"
      for finding in check.findings {
        details += "\n\(finding.label) at \(Self.code("\(finding.place ?? check.place)"))"
        if let spot = finding.spot { details += ", \(Self.code(spot))" }
        details += ": \(Self.escaped(finding.message))\n"
        details += Self.block(finding.shortDiff)
        if let fix = finding.fix { details += "\nfix: \(Self.escaped(fix))\n" }
      }
      if let owner = report.owner(of: check) { details += "\nowner: \(Self.escaped(owner))\n" }
      guard text.utf8.count + details.utf8.count <= Self.detailBytesMax else {
        text += "\nMore details do not fit here; see the other reports.\n"
        return
      }
      text += details
    }
  }

  private mutating func writeList(_ title: String, _ checks: [Check]) {
    let rows = checks.reasonLines.map {
      "- \(Self.escaped($0.subject)): \(Self.escaped($0.reason))\n"
    }
    write(
      "\n</details>\n", rows,
      header: "\n<details><summary>\(title): \(checks.count)</summary>\n\n")
  }

  /// Writes as many rows as there is room for.
  private mutating func write(_ footer: String, _ rows: [String], header: String) {
    guard !rows.isEmpty else { return }
    text += header
    var room = Self.bytesMax - text.utf8.count - 1_000
    for (index, row) in rows.enumerated() {
      room -= row.utf8.count
      guard room > 0 else {
        text += "\nand \(rows.count - index) more\n"
        break
      }
      text += row
    }
    text += footer
  }

  // MARK: - Text from outside

  /// Escapes markup, HTML, mentions, links and issue references.
  static func escaped(_ text: String) -> String {
    let marked = text.visible.escaping { scalar in
      switch scalar {
      case "<": "&lt;"
      case ">": "&gt;"
      case "&": "&amp;"
      case "@": "&#64;"
      case "\\", "`", "*", "_", "[", "]", "#", "|", "~", "$", "!": "\\\(scalar)"
      default: nil
      }
    }
    return marked.replacing(scalars: "://", with: "&#58;//")
      .replacing(scalars: "www.", with: "www&#46;")
  }

  /// Quotes text with more backticks than it has in a row.
  static func code(_ text: String) -> String {
    let text = text.visible
    let fence = String(repeating: "`", count: longestRunOfBackticks(in: [text]) + 1)
    let isTouching = [text.utf8.first, text.utf8.last].contains(UInt8(ascii: "`"))
    return isTouching ? "\(fence) \(text) \(fence)" : fence + text + fence
  }

  private static func block(_ diff: [String]) -> String {
    guard !diff.isEmpty else { return "" }
    let fence = String(repeating: "`", count: max(3, longestRunOfBackticks(in: diff) + 1))
    let lines = diff.map { $0.inert + "\n" }.joined()
    return "\n\(fence)diff\n\(lines)\(fence)\n"
  }

  private static func longestRunOfBackticks(in lines: [String]) -> Int {
    var (longest, current) = (0, 0)
    for line in lines {
      for byte in line.utf8 {
        current = byte == UInt8(ascii: "`") ? current + 1 : 0
        longest = max(longest, current)
      }
      current = 0
    }
    return longest
  }
}

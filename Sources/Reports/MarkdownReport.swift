import UnderstudyCore
import UnderstudyFindings
import UnderstudyJSON

/// The report for a job's summary page, in the order of `Outline`: what failed in a table, then the
/// details.
///
/// GitHub rejects summaries of more than 1 MiB, so details stop when the room is used up, and then
/// the lists.
struct MarkdownReport {
  static let bytesMax = 1_000_000
  /// Details leave the rest of the room to the lists after them.
  private static let detailBytesMax = 600_000

  private let outline: Outline
  private let history: History
  private(set) var text = ""
  private var report: Report { outline.report }

  init(_ report: Report, _ context: ReportContext) {
    history = context.history
    outline = Outline(report, history)
    text += "## \(Self.escaped(report.run.command)): \(report.result.words)\n\n"
    text += "\(outline.headline)\n\n"
    text += "\(report.summary)  \n\(Self.code(report.run.title))\n"
    if let coverage = report.coverageWords { text += "\n\(coverage)\n" }
    for part in outline.parts { write(part) }
  }

  private mutating func write(_ part: Outline.Part) {
    switch part {
    case .brokenConsumers:
      write("", Self.rows(of: report.brokenConsumers), header: "\n### Broken consumers\n\n")
    case .run:
      let rows = report.findings.map { Self.row("the run as a whole", $0) }
      write("", rows, header: "\n### The run as a whole\n\n\(Self.tableHead)")
    case .cases(let standing):
      let checks = outline.checks(standing)
      let title = report.title(standing)
      switch standing {
      case .drifting:
        let failed = checks.filter { $0.result == .fail }
        writeTable(title, failed)
        writeDetails(failed)
        writeReasons(report.title(.unreachable), checks.filter { $0.result != .fail })
      case .unreachable: writeReasons(title, checks)
      case .changed: writeTable(title, checks)
      case .passing: writeFolded("Notes", rows(of: checks), head: Self.tableHead)
      case .notRun where report.run.shard == nil:
        writeFolded("\(title): \(checks.count)", reasonRows(of: checks))
      case .notRun: break
      }
    }
  }

  static func rows(of consumers: [BrokenConsumer]) -> [String] {
    consumers.map { "- **\(escaped($0.name))** by \(escaped($0.reason))\n" }
  }

  private static let tableHead =
    "| check | finding | what was found |\n| --- | --- | --- |\n"

  private func rows(of checks: [Check]) -> [String] {
    checks.flatMap { check in
      check.findings.map { Self.row(Self.escaped(check.identity.description), $0) }
    }
  }

  private mutating func writeTable(_ title: String, _ checks: [Check]) {
    write("", rows(of: checks), header: "\n### \(title)\n\n\(Self.tableHead)")
  }

  private static func row(_ subject: String, _ finding: Finding) -> String {
    "| \(subject) | [\(finding.label)](\(finding.type.page)) | \(escaped(finding.message)) |\n"
  }

  private mutating func writeDetails(_ checks: [Check]) {
    for check in checks {
      var details = "\n#### \(Self.escaped(check.identity.description))\n"
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

  private func reasonRows(of checks: [Check]) -> [String] {
    checks.reasonLines(history).map {
      "- \(Self.escaped($0.subject)): \(Self.escaped($0.reason))\n"
    }
  }

  private mutating func writeReasons(_ title: String, _ checks: [Check]) {
    write("", reasonRows(of: checks), header: "\n### \(title)\n\n")
  }

  private mutating func writeFolded(_ title: String, _ rows: [String], head: String = "") {
    write(
      "\n</details>\n", rows, header: "\n<details><summary>\(title)</summary>\n\n\(head)")
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

import Diagnostics
import Findings
import JSON

/// The body of an issue that a tracker keeps about drift, the same as long as nothing changes: no
/// time of the run, no latency, no reason that counts seconds.
struct IssueReport {
  /// By this line a script knows its issue again.
  static let marker = "<!-- understudy-drift -->"
  /// GitHub takes 65,536 characters.
  static let byteCountMax = 60_000

  private let report: Report
  private let outline: Outline
  private(set) var text = IssueReport.marker + "\n"
  private var leftOutCount = 0

  init(_ report: Report, _ context: ReportContext) {
    self.report = report
    outline = Outline(report, context.history)
    let endpoints = outline.upstreams.flatMap { upstream in
      upstream.endpoints.map { (upstream.name, $0) }
    }.sorted { $0.1.id < $1.1.id }
    let drifting = endpoints.filter { $0.1.cases.contains { $0.state == .drifting } }
    text += "\(Self.headline(drifting.count, report))\n"
    if !report.findings.isEmpty {
      append(
        "\n### The run as a whole\n\n" + report.findings.map { Self.line($0, at: nil) }.joined())
    }
    for (upstream, endpoint) in drifting { append(section(endpoint, of: upstream)) }
    let changed = endpoints.flatMap { $0.1.cases }.filter { $0.state == .changed }
    appendList("Changed, and nothing is broken by it", changed)
    appendList("Could not be checked", endpoints.flatMap { $0.1.cases }.filter { $0.state == .out })
    if leftOutCount > 0 {
      text += "\nThere is no room for \(leftOutCount.of("further part")); the page has them.\n"
    }
  }

  private static func headline(_ driftCount: Int, _ report: Report) -> String {
    if driftCount > 0 { return "\(driftCount.of("endpoint")) no longer as the contracts say." }
    return report.findings.isEmpty
      ? "Nothing differs from the contracts."
      : "No endpoint differs from the contracts, but the run as a whole is not as it should be."
  }

  private func section(_ endpoint: Outline.Endpoint, of upstream: String) -> String {
    var section = "\n### \(MarkdownReport.escaped(endpoint.id))\n\n"
    if let owner = report.owners[upstream] {
      section += "owner: \(MarkdownReport.escaped(owner))\n\n"
    }
    for played in endpoint.cases where played.state == .drifting {
      section += "**\(MarkdownReport.escaped(played.name))**\(Self.since(played))\n\n"
      var known: Set<String> = []
      for check in played.checks {
        for finding in check.findings {
          let line = Self.line(finding, at: check.place)
          if known.insert(line).inserted { section += line }
        }
      }
      section += "\n"
    }
    // A code block of its own, so that it can be copied; names of contracts need no quotes.
    return section + "```sh\nunderstudy drift \(endpoint.id.inert)\n```\n"
  }

  private static func since(_ played: Outline.PlayedCase) -> String {
    guard played.history.state == played.state, let since = played.history.since else { return "" }
    return " since \(PageReport.day(since))"
  }

  private static func line(_ finding: Finding, at fallback: Place?) -> String {
    // A latency is another one each night.
    let message = finding.type == .performance ? finding.type.meaning : finding.message
    var line = "- \(finding.label): \(MarkdownReport.escaped(message))"
    if let path = finding.path { line += " at \(MarkdownReport.code(path.description))" }
    if let place = finding.place ?? fallback {
      line += " (\(MarkdownReport.code(place.description)))"
    }
    return line + "\n"
  }

  private mutating func appendList(_ title: String, _ cases: [Outline.PlayedCase]) {
    guard !cases.isEmpty else { return }
    let lines = cases.map { "- \(MarkdownReport.escaped($0.id))\(Self.since($0))\n" }
    append("\n### \(title)\n\n" + lines.joined())
  }

  /// Parts are shown whole or not at all.
  private mutating func append(_ part: String) {
    if text.utf8.count + part.utf8.count <= Self.byteCountMax {
      text += part
    } else {
      leftOutCount += 1
    }
  }
}

/// What shields.io draws a badge from.
enum BadgeReport {
  static func text(of report: Report) -> String {
    let contracts = Set(report.checks(.fail).map(\.identity.contract))
    let openCount = report.count(.couldNotCheck)
    let (message, color) =
      switch report.verdict {
      case .pass: ("none", "brightgreen")
      case .fail, .notExercised:
        contracts.isEmpty
          ? (report.findings.first?.type.rawValue ?? "found", "red")
          : (contracts.count.of("endpoint"), "red")
      case .couldNotCheck: ("\(openCount.of("check")) could not be made", "lightgrey")
      }
    var writer = JSONWriter()
    writer.object { writer in
      writer.member("schemaVersion", 1)
      writer.member("label", "drift")
      writer.member("message", message)
      writer.member("color", color)
    }
    return String(decoding: writer.bytes, as: UTF8.self) + "\n"
  }
}

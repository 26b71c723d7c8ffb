import UnderstudyCore
import UnderstudyFindings
import UnderstudyJSON

/// The body of an issue that a tracker keeps about drift. It changes only when the results or the
/// number of nights change: it has no run times, no latencies and nothing from live answers.
struct IssueReport {
  /// GitHub's limit is 65,536 characters.
  static let byteCountMax = 60_000

  private let report: Report
  private let outline: Outline
  private(set) var text = ""
  private var leftOutCount = 0

  init(_ report: Report, _ context: ReportContext) {
    self.report = report
    outline = Outline(report, context.history)
    let endpoints = outline.upstreams.flatMap { upstream in
      upstream.endpoints.map { (upstream.name, $0) }
    }.sorted { $0.1.id < $1.1.id }
    let drifting = endpoints.filter { $0.1.cases.contains(where: Self.isDrifting) }
    // Scripts find the issue by this line.
    text = "<!-- understudy-\(report.isOfDrift ? "drift" : "test") -->\n"
    text += "\(headline(drifting.count))\n"
    let broken = report.brokenServices.map { service in
      "- **\(MarkdownReport.escaped(service.name))** by \(MarkdownReport.escaped(service.caseID)): "
        + Set(service.causes.map(Self.subject)).sorted().joined(separator: ", ") + "\n"
    }
    if !broken.isEmpty { append("\n### Broken services\n\n" + broken.joined()) }
    if !report.findings.isEmpty {
      let lines = report.findings.map { finding in
        "- \(finding.label): \(MarkdownReport.escaped(finding.message))"
          + Self.place(finding.place) + "\n"
      }
      append("\n### The run as a whole\n\n" + lines.joined())
    }
    for (upstream, endpoint) in drifting { append(section(endpoint, of: upstream)) }
    let others = endpoints.flatMap { $0.1.cases }.filter { !Self.isDrifting($0) }
    appendList(
      report.isOfDrift ? "Changed without breaking anything" : "Passed, with remarks",
      others.filter { $0.state == .changed })
    appendList("Could not be checked", others.filter { $0.state == .out }, isOut: true)
    if leftOutCount > 0 {
      text += "\nThere is no room for \(leftOutCount.of("further part")); see the page.\n"
    }
  }

  /// As far as known: a drift that could not be checked has not ended.
  private static func isDrifting(_ played: Outline.PlayedCase) -> Bool {
    played.state == .drifting || played.unendedDrift != nil
  }

  private func headline(_ driftCount: Int) -> String {
    if driftCount > 0 {
      let endpoints = driftCount.of("endpoint")
      return report.isOfDrift
        ? "Drift from the contracts at \(endpoints)."
        : "Services fail the contracts at \(endpoints)."
    }
    let states = Set(outline.cases.map(\.state))
    let isJudged = !states.isDisjoint(with: [.well, .changed])
    let changedCount = outline.upstreams.flatMap(\.endpoints).count { endpoint in
      endpoint.cases.contains { $0.state == .changed }
    }
    let well =
      if !report.isOfDrift {
        "services behave as the contracts say"
      } else if changedCount > 0 {
        "\(changedCount.of("endpoint")) changed without breaking anything"
      } else {
        "nothing differs from the contracts"
      }
    var words =
      !isJudged
      ? "nothing could be checked"
      : states.contains(.out) ? "as far as could be checked, \(well)" : well
    if report.findings.contains(where: { $0.severity < .info }) {
      words += ", \(isJudged ? "but" : "and") the run as a whole has problems"
    }
    return words.prefix(1).uppercased() + words.dropFirst() + "."
  }

  private func section(_ endpoint: Outline.Endpoint, of upstream: String) -> String {
    var section = "\n### \(MarkdownReport.escaped(endpoint.id))\n\n"
    if let owner = report.owners[upstream] {
      section += "owner: \(MarkdownReport.escaped(owner))\n\n"
    }
    for played in endpoint.cases where Self.isDrifting(played) {
      section += "**\(MarkdownReport.escaped(played.name))**"
      if played.state == .out, let since = played.history.driftingSince {
        section += " out, drifting since \(since.date)"
      } else {
        section += Self.since(played)
      }
      section += "\n\n" + Self.lines(of: played).joined() + "\n"
    }
    // Its own code block, for copying; names of contracts need no quotes.
    let verb = report.isOfDrift ? "drift" : "test"
    let tool = String(report.run.words.tool).inert
    return section + "```sh\n\(tool) \(verb) \(endpoint.id.inert)\n```\n"
  }

  private static func since(_ played: Outline.PlayedCase) -> String {
    guard played.history.state == played.state, let since = played.history.since else { return "" }
    return " since \(since.date)"
  }

  /// The findings, the most severe first: answers have their values in another order each night.
  private static func lines(of played: Outline.PlayedCase) -> [String] {
    var lines: [Finding.Severity: Set<String>] = [:]
    for check in played.checks {
      for finding in check.findings {
        lines[finding.severity, default: []].insert(line(finding, of: check))
      }
    }
    if let night = played.unendedDrift {
      for finding in night.findings {
        lines[finding.severity, default: []].insert(line(finding))
      }
    }
    return Finding.Severity.allCases.sorted().flatMap { (lines[$0] ?? []).sorted() }
  }

  /// Type, path and consumer: messages quote the answer, which differs each night.
  private static func line(_ finding: Finding, of check: Check? = nil) -> String {
    var line = "- \(finding.label): \(finding.type.meaning.dropLast())"
    if let header = finding.header { line += ", \(MarkdownReport.code(header))" }
    if let spot = spot(of: finding) { line += ", at \(spot)" }
    if let frequency = finding.frequency { line += ", intermittent: \(frequency)" }
    line += place(finding.place ?? check?.place)
    if let consumer = check?.identity.consumer {
      line += ", read by \(MarkdownReport.escaped(consumer))"
    }
    return line + "\n"
  }

  private static func subject(of finding: Finding) -> String {
    finding.type.rawValue.replacing("_", with: "\\_")
      + (finding.header.map { " \(MarkdownReport.code($0))" } ?? "")
      + (spot(of: finding).map { " at \($0)" } ?? "")
  }

  /// In a list, the first element that differs is another one each night.
  private static func spot(of finding: Finding) -> String? {
    finding.spot.map { spot in
      let parts = spot.split(separator: "/", omittingEmptySubsequences: false).map {
        !$0.isEmpty && $0.utf8.allSatisfy { 0x30...0x39 ~= $0 } ? "*" : $0
      }
      return MarkdownReport.code(parts.joined(separator: "/"))
    }
  }

  private static func place(_ place: Place?) -> String {
    place.map { " (\(MarkdownReport.code($0.description)))" } ?? ""
  }

  /// Who needs to know that a case could not be checked.
  private func whereabouts(of played: Outline.PlayedCase) -> String {
    let readers = played.checks.compactMap(\.identity.consumer).map(MarkdownReport.escaped)
    let owner = (played.checks.first?.identity.upstream).flatMap { report.owners[$0] }
    return Self.place(played.checks.first?.place)
      + (readers.isEmpty ? "" : ", read by \(readers.joined(separator: ", "))")
      + (owner.map { "; owner: \(MarkdownReport.escaped($0))" } ?? "")
  }

  private mutating func appendList(
    _ title: String, _ cases: [Outline.PlayedCase], isOut: Bool = false
  ) {
    guard !cases.isEmpty else { return }
    let lines = cases.map {
      "- \(MarkdownReport.escaped($0.id))\(Self.since($0))" + (isOut ? whereabouts(of: $0) : "")
        + "\n"
    }
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

/// The JSON from which shields.io draws a badge.
enum BadgeReport {
  static func text(of report: Report, _ context: ReportContext) -> String {
    let unended = Outline(report, context.history).cases.filter { $0.unendedDrift != nil }
    let contracts = Set(
      (report.checks(.fail) + unended.flatMap(\.checks)).map(\.identity.contract))
    let openCount = report.count(.couldNotCheck)
    let (message, color) =
      if !contracts.isEmpty {
        (contracts.count.of("endpoint"), "red")
      } else {
        switch report.verdict {
        case .pass: ("none", "brightgreen")
        case .fail, .notExercised: (report.findings.first?.type.rawValue ?? "found", "red")
        case .couldNotCheck: ("\(openCount.of("check")) could not be made", "lightgrey")
        }
      }
    var writer = JSONWriter()
    writer.object { writer in
      writer.member("schemaVersion", 1)
      writer.member("label", report.isOfDrift ? "drift" : "failures")
      writer.member("message", message)
      writer.member("color", color)
    }
    return String(decoding: writer.bytes.inertJSON, as: UTF8.self) + "\n"
  }
}

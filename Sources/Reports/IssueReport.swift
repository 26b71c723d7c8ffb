import UnderstudyCore
import UnderstudyFindings
import UnderstudyJSON

/// The body of an issue that a tracker keeps about drift.
///
/// A line that says what is open ends in a hidden key, which is the same each run as long as the
/// same is open: the values found may differ. Scripts compare the keys of two runs.
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
    // Scripts find the issue by this line.
    text = "<!-- understudy-\(report.isOfDrift ? "drift" : "test") -->\n\(outline.headline)\n"
    for part in outline.parts { write(part) }
    if leftOutCount > 0 {
      text +=
        "\n\(leftOutCount.of("more part")) left out here; see the page."
        + Self.hidden([["incomplete"]]) + "\n"
    }
  }

  private mutating func write(_ part: Outline.Part) {
    switch part {
    case .brokenConsumers: writeBrokenConsumers()
    case .run: writeRunFindings()
    case .cases(.drifting):
      for endpoint in endpoints(.drifting) { append(section(endpoint)) }
    case .cases(.unreachable):
      let owners = report.owners
      appendList(.unreachable) { Self.reasons(of: $0) + Self.whereabouts(of: $0, owners) }
    case .cases(.changed): appendList(.changed, Self.remarks)
    case .cases(.passing), .cases(.notRun): break
    }
  }

  /// By name, so that the text stays the same as long as the results are.
  private func endpoints(_ standing: DriftState) -> [Outline.Endpoint] {
    outline.endpoints(standing).sorted { $0.id < $1.id }
  }

  private mutating func writeBrokenConsumers() {
    let broken = report.brokenConsumers.map { consumer in
      "- **\(MarkdownReport.escaped(consumer.name))** by \(MarkdownReport.escaped(consumer.caseID)): "
        + Set(consumer.causes.map(Self.subject)).sorted().joined(separator: ", ") + "\n"
    }
    if !broken.isEmpty { append("\n### Broken consumers\n\n" + broken.joined()) }
  }

  private mutating func writeRunFindings() {
    let lines = report.findings.map { finding in
      "- \(finding.label): \(MarkdownReport.escaped(finding.message))"
        + Self.place(finding.place) + keys(of: finding) + "\n"
    }
    if !lines.isEmpty { append("\n### The run as a whole\n\n" + lines.joined()) }
  }

  private func section(_ endpoint: Outline.Endpoint) -> String {
    var section = "\n### \(MarkdownReport.escaped(endpoint.id))\n\n"
    if let owner = report.owners[endpoint.upstream] {
      section += "owner: \(MarkdownReport.escaped(owner))\n\n"
    }
    for served in endpoint.cases {
      section += "**\(MarkdownReport.escaped(served.name))**"
      if served.state == .unreachable, let since = served.history.driftingSince {
        section += " unreachable, drifting since \(since.date)\(Self.reasons(of: served))"
      } else {
        section += Self.since(served)
      }
      section += "\n\n" + lines(of: served).joined() + "\n"
    }
    // Its own code block, for copying; names of contracts need no quotes.
    let verb = report.isOfDrift ? "drift" : "test"
    let tool = String(report.run.words.tool).inert
    return section + "```sh\n\(tool) \(verb) \(endpoint.id.inert)\n```\n"
  }

  private static func since(_ served: Outline.ServedCase) -> String {
    guard served.history.state == served.state, let since = served.history.since else { return "" }
    return " since \(since.date)"
  }

  /// The findings, the most severe first, otherwise by their keys. Of several with one key, which
  /// differ only in the element of a list, one is shown.
  private func lines(of served: Outline.ServedCase) -> [String] {
    var notes: [(consumer: String?, finding: Finding, place: Place?)] = []
    for check in served.checks {
      notes += check.findings.map {
        (check.identity.consumer, $0, $0.place ?? check.place)
      }
    }
    notes += (served.unendedDrift?.notes ?? []).map { ($0.consumer, $0.finding, nil) }
    var lines: [Finding.Severity: [String: String]] = [:]
    for (consumer, finding, place) in notes {
      let key = Self.key(of: finding, consumer, in: served.id)
      let line =
        "- \(finding.label): \(Self.words(finding, consumer))\(Self.place(place))"
        + (finding.severity <= report.run.failsOn ? Self.hidden([key]) : "") + "\n"
      let name = key.joined(separator: " ")
      let known = lines[finding.severity, default: [:]][name]
      lines[finding.severity, default: [:]][name] = known.map { min($0, line) } ?? line
    }
    return Finding.Severity.allCases.sorted().flatMap { severity in
      (lines[severity] ?? [:]).sorted { $0.key < $1.key }.map(\.value)
    }
  }

  /// What was found, where, and in whose check.
  private static func words(_ finding: Finding, _ consumer: String?) -> String {
    var words = consumer.map { "\(MarkdownReport.escaped($0)): " } ?? ""
    words += MarkdownReport.escaped(finding.message)
    if let header = finding.header, !finding.message.contains(header) {
      words += ", \(MarkdownReport.code(header))"
    }
    if let spot = spot(of: finding) { words += ", at \(spot)" }
    return words
  }

  // MARK: - Keys

  /// Empty for a finding that does not fail the run.
  ///
  /// An intermittent break of an earlier run has the keys of that run: it is still the same.
  private func keys(of finding: Finding) -> String {
    guard finding.severity <= report.run.failsOn else { return "" }
    if finding.type == .intermittent,
      let served = outline.cases.first(where: { finding.message.hasPrefix("\($0.id) ") }),
      let run = served.history.openBreak
    {
      let errors = run.notes.filter { $0.finding.severity == .error }
      return Self.hidden(errors.map { Self.key(of: $0.finding, $0.consumer, in: served.id) })
    }
    // Counts and dates grow from run to run.
    let words = finding.message.split(separator: " ").map { word in
      word.utf8.allSatisfy { 0x30...0x39 ~= $0 || $0 == UInt8(ascii: "-") } ? "*" : String(word)
    }
    return Self.hidden([["run", finding.type.rawValue] + words])
  }

  private static func key(
    of finding: Finding, _ consumer: String?, in caseID: String
  ) -> [String] {
    [caseID, finding.type.rawValue]
      + [consumer, path(of: finding), finding.header].compactMap(\.self)
  }

  private static func hidden(_ keys: [[String]]) -> String {
    keys.map { " <!-- \($0.map(Self.commentWord).joined(separator: " ")) -->" }.joined()
  }

  /// A word that cannot end the comment it is in, and that no CI system obeys: a path may be of a
  /// live response.
  private static func commentWord(_ word: String) -> String {
    var text = ""
    var last: UInt8 = 0
    for byte in word.utf8 {
      let isPlain =
        byte != last && byte == UInt8(ascii: "-") || byte.isLetterOrDigit
        || "/_#*.,=~+()".utf8.contains(byte)
      text +=
        isPlain
        ? String(UnicodeScalar(byte)) : "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16)
      last = byte
    }
    return text
  }

  private static func subject(of finding: Finding) -> String {
    finding.type.rawValue
      + (finding.header.map { " \(MarkdownReport.code($0))" } ?? "")
      + (spot(of: finding).map { " at \($0)" } ?? "")
  }

  private static func spot(of finding: Finding) -> String? {
    path(of: finding).map { MarkdownReport.code($0) }
  }

  /// In a list, the first element that differs is another one each run.
  private static func path(of finding: Finding) -> String? {
    finding.spot.map { spot in
      let parts = spot.split(separator: "/", omittingEmptySubsequences: false).map {
        !$0.isEmpty && $0.utf8.allSatisfy { 0x30...0x39 ~= $0 } ? "*" : $0
      }
      return parts.joined(separator: "/")
    }
  }

  private static func place(_ place: Place?) -> String {
    place.map { " (\(MarkdownReport.code($0.description)))" } ?? ""
  }

  /// Who needs to know that a case could not be checked.
  private static func whereabouts(
    of served: Outline.ServedCase, _ owners: [String: String]
  ) -> String {
    let readers = served.checks.compactMap(\.identity.consumer).map(MarkdownReport.escaped)
    let owner = (served.checks.first?.identity.upstream).flatMap { owners[$0] }
    return place(served.checks.first?.place)
      + (readers.isEmpty ? "" : ", read by \(readers.joined(separator: ", "))")
      + (owner.map { "; owner: \(MarkdownReport.escaped($0))" } ?? "")
  }

  /// Why a case could not be checked.
  private static func reasons(of served: Outline.ServedCase) -> String {
    list(served.checks.compactMap { $0.result == .couldNotCheck ? $0.reason : nil })
  }

  /// What changed without breaking anything.
  private static func remarks(on served: Outline.ServedCase) -> String {
    list(
      served.checks.flatMap(\.findings).filter { $0.severity <= .warning }.map { finding in
        finding.message + (finding.spot.map { " at \($0)" } ?? "")
      })
  }

  private static let listedMax = 3

  private static func list(_ texts: [String]) -> String {
    var distinct: [String] = []
    for text in texts where !distinct.contains(text) { distinct.append(text) }
    guard !distinct.isEmpty else { return "" }
    let rest = distinct.count - listedMax
    return ": "
      + distinct.prefix(listedMax).map { MarkdownReport.escaped($0) }.joined(separator: "; ")
      + (rest > 0 ? ", and \(rest) more" : "")
  }

  private mutating func appendList(
    _ standing: DriftState, _ details: (Outline.ServedCase) -> String
  ) {
    let lines = endpoints(standing).flatMap(\.cases).map {
      "- \(MarkdownReport.escaped($0.id))\(Self.since($0))\(details($0))\n"
    }
    if !lines.isEmpty { append("\n### \(report.title(standing))\n\n" + lines.joined()) }
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
        switch report.result {
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

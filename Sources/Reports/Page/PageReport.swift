import UnderstudyCore
import UnderstudyFindings
import UnderstudyHTTP
import UnderstudyJSON

/// One HTML page without scripts or network access; text from outside is always escaped.
///
/// It shows a report as `Outline` groups it, the most urgent upstream first, with lines of the
/// contracts and the past runs that a `ReportContext` has. `Drawings` makes the small pictures, as
/// SVG. The style is generated from a file of its own; the page's policy allows that style by its
/// hash, and nothing else.
struct PageReport {
  let report: Report
  let context: ReportContext
  let outline: Outline
  private(set) var text = ""
  /// The lines of contracts with findings, by file.
  private var sourceLines: [String: [Substring.UnicodeScalarView]] = [:]

  init(_ report: Report, _ context: ReportContext) {
    self.report = report
    self.context = context
    outline = Outline(report, context.history)
    writeHead()
    text += "<main>\n"
    writeBroken()
    writeFilter()
    writeRunFindings()
    for upstream in outline.upstreams.sorted(by: { $0.urgency < $1.urgency }) { write(upstream) }
    text += "</main>\n"
    text += "<footer>\(Self.escaped(report.run.title)) · \(Self.escaped(report.run.startedAt))"
    text += "</footer>\n</body>\n</html>\n"
  }

  private mutating func writeHead() {
    let title = "\(report.run.command): \(report.result.words)"
    text += """
      <!DOCTYPE html>
      <html lang="en">
      <head>
      <meta charset="utf-8">
      <meta http-equiv="Content-Security-Policy" content="default-src 'none'; \
      style-src '\(PageStyle.hash)'; base-uri 'none'; form-action 'none'">
      <meta name="referrer" content="no-referrer">
      <meta name="viewport" content="width=device-width, initial-scale=1">
      <meta name="color-scheme" content="light dark">
      <title>\(Self.escaped(title))</title>
      <style>\(PageStyle.css)</style>
      </head>
      <body>
      <header>
      <h1><span class="sign \(report.result.rawValue)" aria-hidden="true">\(report.result.sign)\
      </span> \(Self.escaped(title))</h1>
      <p>\(Self.escaped(report.summary))\(unendedWords)</p>
      </header>

      """
  }

  /// A drift that could not be checked has not ended.
  private var unendedWords: String {
    let count = outline.cases.count { $0.unendedDrift != nil }
    return count > 0 ? "; \(count.of("case")) unreachable, and drifting before" : ""
  }

  /// Buttons that filter the cases by state, using only the style sheet.
  private mutating func writeFilter() {
    let cases = outline.cases
    guard !cases.isEmpty else { return }
    text += "<fieldset class=\"filter\"><legend>Show</legend>\n"
    writeChoice("all", "all", cases.count, isChosen: true)
    for state in DriftState.byUrgency {
      let count = cases.count { $0.state == state }
      if count > 0 { writeChoice(state.rawValue, report.words(state), count) }
    }
    text += "</fieldset>\n"
  }

  private mutating func writeChoice(
    _ id: String, _ words: String, _ count: Int, isChosen: Bool = false
  ) {
    text += "<label class=\"choice\"><input type=\"radio\" name=\"show\" id=\"show-\(id)\""
    text += isChosen ? " checked>" : ">"
    text += "<span>\(words) <b>\(count)</b></span></label>\n"
  }

  private mutating func writeBroken() {
    let consumers = report.brokenConsumers
    guard !consumers.isEmpty else { return }
    text += "<section class=\"broken\">\n<h2>Broken consumers</h2>\n<ul>\n"
    for consumer in consumers {
      text += "<li><b>\(Self.escaped(consumer.name))</b> by \(Self.escaped(consumer.reason))</li>\n"
    }
    text += "</ul>\n</section>\n"
  }

  private mutating func writeRunFindings() {
    guard !report.findings.isEmpty else { return }
    text += "<section class=\"run\">\n<h2>The run as a whole</h2>\n"
    for finding in report.findings { write(finding, at: nil) }
    text += "</section>\n"
  }

  // MARK: - Endpoints

  private mutating func write(_ upstream: Outline.Upstream) {
    text += "<section class=\"upstream\" data-has=\"\(Self.states(of: upstream.cases))\">\n"
    text += "<h2>\(Self.escaped(upstream.name))</h2>\n"
    if let owner = report.owners[upstream.name] {
      text += "<p class=\"owner\">owner: \(Self.escaped(owner))</p>\n"
    }
    for endpoint in upstream.endpoints.sorted(by: { $0.urgency < $1.urgency }) { write(endpoint) }
    text += "</section>\n"
  }

  private mutating func write(_ endpoint: Outline.Endpoint) {
    text += "<article class=\"endpoint\" data-has=\"\(Self.states(of: endpoint.cases))\">\n"
    text += "<h3>\(Self.escaped(endpoint.id))</h3>\n"
    let notRun = endpoint.cases.filter { $0.state == .notRun && $0.history.runs.isEmpty }
    for served in endpoint.cases where !notRun.contains(where: { $0.id == served.id }) {
      write(served)
    }
    if !notRun.isEmpty { writeNotRun(notRun) }
    text += "</article>\n"
  }

  private static func states(of cases: [Outline.ServedCase]) -> String {
    let states = Set(cases.map(\.state))
    return DriftState.byUrgency.filter(states.contains).map(\.rawValue).joined(separator: " ")
  }

  private mutating func write(_ served: Outline.ServedCase) {
    let state = served.state
    let isOpen = state == .drifting || state == .changed
    text += "<details class=\"case\" data-has=\"\(state.rawValue)\"\(isOpen ? " open" : "")>\n"
    text += "<summary>\(label(of: state))"
    text += "<span class=\"name\">\(Self.escaped(served.name))"
    if state == .unreachable, let reason = served.checks.compactMap(\.reason).first {
      text += "<small>\(Self.escaped(reason))</small>"
    }
    text += "</span><span class=\"since\">"
    if served.unendedDrift != nil, let since = served.history.driftingSince {
      text += "drifting since \(since.date)"
    } else if let since = served.history.since, served.history.state == state, state != .passing {
      text += "since \(since.date)"
    }
    text += "</span>"
    text += RunsDrawing(of: served.history, until: lastDay).svg
    // If a case did not respond, the latency would be that of an earlier run.
    text += LatencyDrawing(of: state == .unreachable ? [] : served.history.latencies).svg
    text += "</summary>\n<div class=\"told\">\n"
    for check in served.checks { write(check) }
    if let verified = served.history.lastChecked {
      text += "<p class=\"note\">last checked \(verified.date)</p>\n"
    }
    writeRuns(served.history.runs)
    text += "</div>\n</details>\n"
  }

  /// Lists recent runs with problems: the content of the drawing as text.
  private mutating func writeRuns(_ runs: [CaseHistory.Run]) {
    let runs = runs.filter { $0.state != .passing && $0.state != .notRun }.suffix(7)
    guard !runs.isEmpty else { return }
    text += "<p class=\"note\">recent runs with problems:</p>\n<ul class=\"note\">\n"
    for run in runs.reversed() { text += "<li>\(Self.escaped(run.words))</li>\n" }
    text += "</ul>\n"
  }

  private mutating func write(_ check: Check) {
    let reader = check.identity.consumer.map { "read by \($0)" } ?? "the response itself"
    let effort = check.effort.map { ", \($0)" } ?? ""
    text += "<p class=\"reader\"><b>\(Self.escaped(reader))</b>: "
    text += "\(Self.escaped(check.result.words + effort))"
    text += check.reason.map { ": \(Self.escaped($0))" } ?? ""
    text += "</p>\n"
    for finding in check.findings { write(finding, at: check.place) }
  }

  private mutating func writeNotRun(_ cases: [Outline.ServedCase]) {
    text += "<details class=\"case\" data-has=\"not-run\">\n"
    text += "<summary>\(label(of: .notRun))"
    text += "<span class=\"name\">\(cases.count.of("case"))</span></summary>\n<ul class=\"told\">\n"
    for served in cases {
      let reason = served.checks.compactMap(\.reason).first ?? ""
      text += "<li><b>\(Self.escaped(served.name))</b>: \(Self.escaped(reason))</li>\n"
    }
    text += "</ul>\n</details>\n"
  }

  private func label(of state: DriftState) -> String {
    "<span class=\"state \(state.rawValue)\"><i aria-hidden=\"true\">\(state.sign)</i> "
      + "\(report.words(state))</span>"
  }

  /// The last day of the history the run knows: another machine's clock may be ahead.
  private var lastDay: Int? {
    let runDay = report.run.startedAt.prefix(10)
    return context.history.records.last { runDay.isEmpty || $0.at.date <= runDay }
      .map(\.at.day)
  }

  // MARK: - Findings

  private mutating func write(_ finding: Finding, at fallback: Place?) {
    text += "<div class=\"finding \(finding.severity.rawValue)\">\n"
    text += "<h4><a class=\"label\" href=\"\(Self.escaped(finding.type.page))\">"
    text += "\(Self.escaped(finding.label))</a> "
    text += "\(Self.escaped(finding.message))</h4>\n"
    if let spot = finding.spot {
      text += "<p class=\"note\">at <code>\(Self.escaped(spot))</code></p>\n"
    }
    if let place = finding.place ?? fallback { write(place) }
    let diff = finding.shortDiff
    if !diff.isEmpty {
      text += "<pre class=\"diff\" role=\"group\" aria-label=\"what was expected and found\">"
      for line in diff {
        let kind = line.hasPrefix("-") ? "less" : line.hasPrefix("+") ? "more" : "same"
        text += "<span class=\"\(kind)\">\(Self.escaped(line))</span>"
      }
      text += "</pre>\n"
    }
    if let fix = finding.fix {
      text += "<p class=\"fix\">fix: \(Self.escaped(fix))</p>\n"
    }
    text += "</div>\n"
  }

  /// Writes the lines of the contract around a place, with that line marked.
  private mutating func write(_ place: Place) {
    text += "<p class=\"note\"><code>\(Self.escaped(place.description))</code></p>\n"
    guard let line = place.position?.line else { return }
    let lines = lines(of: place.file)
    guard line <= lines.count else { return }
    let shown = max(1, line - 3)...min(lines.count, line + 3)
    text += "<pre class=\"source\" role=\"group\" aria-label=\"lines of the contract\">"
    for number in shown {
      let start = String(lines[number - 1].prefix(300))
      let isMarked = number == line
      text += "<span class=\"\(isMarked ? "line here" : "line")\">"
      text += "<span class=\"number\">\(isMarked ? "▸" : "")\(number)</span> "
      text += "\(Self.escaped(start))</span>"
    }
    text += "</pre>\n"
  }

  private mutating func lines(of file: String) -> [Substring.UnicodeScalarView] {
    if let lines = sourceLines[file] { return lines }
    let text = (context.contractTexts[file] ?? "")[...].unicodeScalars
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false).map { line in
      line.last == "\r" ? line.dropLast() : line
    }
    sourceLines[file] = text.isEmpty ? [] : lines
    return sourceLines[file] ?? []
  }

  // MARK: - Text from outside

  static func escaped(_ text: String) -> String { XMLWriter.escaped(text) }
}

extension CheckResult {
  fileprivate var sign: String {
    switch self {
    case .pass: "✓"
    case .fail: "✗"
    case .couldNotCheck: "?"
    case .notExercised: "–"
    }
  }
}

extension DriftState {
  fileprivate var sign: String {
    switch self {
    case .passing: "✓"
    case .changed: "≈"
    case .drifting: "✗"
    case .unreachable: "?"
    case .notRun: "–"
    }
  }
}

extension Moment {
  /// In UTC, since 1970.
  var day: Int { unixSeconds / 86_400 }
}

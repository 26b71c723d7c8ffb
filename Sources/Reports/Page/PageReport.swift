import UnderstudyCore
import UnderstudyFindings

/// One HTML page without scripts or network access; text from outside is always escaped.
///
/// It shows a report in the parts of `Outline`: first what broke, with links to it, and what passed
/// folded at the end. `PageReport+Endpoints` writes the cases of an endpoint, `PageReport+Findings`
/// what was found at each line of its contract, and `RunsChart` the past runs of a case. The style
/// is generated from a file of its own; the page's policy allows that style by its hash, and
/// nothing else.
struct PageReport {
  /// More are left to the parts below.
  private static let breakageCountMax = 10
  /// So many cases are not folded where nothing else is to be said.
  private static let openCountMax = 25
  /// A page with more of them would take too long to open.
  private static let chartCountMax = 100

  let report: Report
  let context: ReportContext
  let outline: Outline
  let patch: String
  /// The files that it changes.
  let patchedFiles: [Substring]
  var text = ""
  var chartCount = 0
  /// The lines of contracts with findings, by file.
  var sourceLines: [String: [Substring.UnicodeScalarView]] = [:]

  init(_ report: Report, _ context: ReportContext) {
    self.report = report
    self.context = context
    outline = Outline(report, context.history)
    let differs = outline.count(.drifting) + outline.count(.changed) > 0
    patch = differs ? context.patch() : ""
    patchedFiles = patch.split(separator: "\n").filter { $0.hasPrefix("+++ b/") }
    writeHead()
    writeHeader()
    text += "<main>\n"
    writeFilter()
    for part in outline.parts {
      switch part {
      // The header names them.
      case .brokenConsumers: break
      case .run: writeRunFindings()
      case .cases(let standing): write(standing)
      }
    }
    writePatch()
    text += "</main>\n</body>\n</html>\n"
  }

  var drawsChart: Bool { chartCount < Self.chartCountMax }

  private mutating func writeHead() {
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
      <title>\(Self.escaped("\(report.run.command): \(report.result.words)"))</title>
      <style>\(PageStyle.css)</style>
      </head>
      <body>

      """
  }

  // MARK: - What happened

  private mutating func writeHeader() {
    let headline = outline.headline.dropLast()
    text += "<header>\n<p class=\"result\">"
    text += Self.chip(report.result.rawValue, report.result.sign, report.result.words)
    text += " <span>\(Self.escaped(report.summary))</span></p>\n"
    text += "<h1>\(Self.escaped(String(headline)))</h1>\n"
    writeBreakages()
    text += "<p class=\"facts\">\(facts.map { "<span>\($0)</span>" }.joined(separator: " "))</p>\n"
    text += "</header>\n"
  }

  private mutating func writeBreakages() {
    let breakages = outline.breakages
    let problems = report.findings.filter { $0.severity <= report.run.failsOn }
    guard !breakages.isEmpty || !problems.isEmpty else { return }
    text += "<ul class=\"broken\">\n"
    for breakage in breakages.prefix(Self.breakageCountMax) {
      text += "<li>\(words(breakage))</li>\n"
    }
    let rest = breakages.count - Self.breakageCountMax
    if rest > 0 { text += "<li>and <a href=\"#drifting\">\(rest) more</a></li>\n" }
    for finding in problems.prefix(Self.breakageCountMax) {
      text += "<li><a href=\"#run\">the run as a whole</a>: \(Self.escaped(finding.message))</li>\n"
    }
    text += "</ul>\n"
  }

  private func words(_ breakage: Breakage) -> String {
    let verb = report.isOfDrift ? "is broken by" : "fails at"
    let consumer = breakage.consumer.map { "<b>\(Self.escaped($0))</b> \(verb) " } ?? ""
    let links = breakage.caseIDs.prefix(Self.breakageCountMax).map { Self.link(to: $0) }
    let rest = breakage.caseIDs.count - links.count
    return consumer + links.joined(separator: ", ") + (rest > 0 ? " and \(rest) more" : "")
      + ": \(Self.escaped(breakage.reason))"
  }

  /// When, how long, of what: the line that two reports are told apart by.
  private var facts: [String] {
    let run = report.run
    let commit = run.revision?.commit.map {
      "commit <code title=\"\(Self.escaped($0))\">\(Self.escaped(String($0.prefix(10))))</code>"
    }
    return [
      "<time>\(Self.escaped(Self.time(run.startedAt)))</time>",
      "<code>\(Self.escaped(run.command))</code>", commit,
      run.revision?.branch.map { "branch <code>\(Self.escaped($0))</code>" },
      run.seed.map { "seed \($0)" }, run.shard.map { "shard \($0)" }, "took \(run.duration.words)",
      report.coverageWords, "version \(Self.escaped(run.toolVersion))",
    ].compactMap(\.self)
  }

  /// `2026-11-20 22:55 UTC` for `2026-11-20T22:55:36Z`.
  static func time(_ text: String) -> String {
    let parts = text.split(separator: "T")
    guard parts.count == 2, parts[0].count == 10, parts[1].count == 9, text.hasSuffix("Z") else {
      return text
    }
    return "\(parts[0]) \(parts[1].prefix(5)) UTC"
  }

  /// Buttons that filter the parts by state, using only the style sheet.
  private mutating func writeFilter() {
    let counts = DriftState.byUrgency.map { ($0, outline.count($0)) }.filter { $0.1 > 0 }
    guard counts.count > 1 else { return }
    text += "<fieldset class=\"filter\"><legend>Show cases</legend>\n"
    writeChoice("all", "all", outline.cases.count, isChosen: true)
    for (state, count) in counts { writeChoice(state.rawValue, report.words(state), count) }
    text += "</fieldset>\n"
  }

  private mutating func writeChoice(
    _ id: String, _ words: String, _ count: Int, isChosen: Bool = false
  ) {
    text += "<label class=\"choice\"><input type=\"radio\" name=\"show\" id=\"show-\(id)\""
    text += isChosen ? " checked>" : ">"
    text += "<span>\(words) <b>\(count)</b></span></label>\n"
  }

  // MARK: - Parts

  private mutating func writeRunFindings() {
    guard !report.findings.isEmpty else { return }
    text += "<section class=\"run\" id=\"run\">\n<h2>The run as a whole</h2>\n"
    text += "<div class=\"card\">\n"
    for finding in report.findings {
      write(Told(finding: finding, consumer: nil))
      if let place = finding.place {
        text += "<p class=\"place\"><code>\(Self.escaped("\(place)"))</code></p>\n"
      }
    }
    text += "</div>\n</section>\n"
  }

  private mutating func write(_ standing: DriftState) {
    let endpoints = outline.endpoints(standing)
    guard !endpoints.isEmpty else { return }
    let isFolded = standing == .passing || standing == .notRun
    let heading =
      "<h2>\(report.title(standing)) <span class=\"count\">\(outline.count(standing))</span></h2>"
    text += "<section data-has=\"\(standing.rawValue)\">\n"
    let isOpen = standing == .passing && outline.cases.count <= Self.openCountMax
    let isAll = outline.count(standing) == outline.cases.count
    text +=
      isFolded
      ? "<details\(isOpen && isAll ? " open" : "")>\n<summary>\(heading)</summary>\n"
      : "\(heading)\n"
    text += "<div id=\"\(standing.rawValue)\">\n"
    for endpoint in endpoints { write(endpoint, isBrief: isFolded) }
    text += "</div>\n\(isFolded ? "</details>\n" : "")</section>\n"
  }

  private mutating func writePatch() {
    guard !patch.isEmpty else { return }
    text +=
      "<section class=\"patch\" id=\"patch\">\n<details>\n<summary><h2>Patch for the contracts</h2>"
    text += "</summary>\n<p>With it, the contracts say what the APIs sent. "
    text +=
      "<code>\(Self.escaped(String(report.run.words.tool))) drift --update</code> applies it"
    text += report.brokenConsumers.isEmpty ? ".</p>\n" : "; mend what it breaks first.</p>\n"
    text += "<pre role=\"group\" aria-label=\"patch\">"
    let lines = String(patch.unicodeScalars.filter { $0 != "\r" }).withoutTabs
    text += "\(XMLWriter.escaped(lines: lines))</pre>\n</details>\n</section>\n"
  }

  // MARK: - Text from outside

  static func escaped(_ text: String) -> String { XMLWriter.escaped(text) }

  /// A link to a case, which has the element of that name.
  static func link(to caseID: String, _ words: String? = nil) -> String {
    "<a href=\"#\(caseID.percentEncoded)\">\(escaped(words ?? caseID))</a>"
  }

  static func chip(_ kind: String, _ sign: String, _ words: String) -> String {
    "<span class=\"chip \(kind)\"><i aria-hidden=\"true\">\(sign)</i> \(words)</span>"
  }
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
  var sign: String {
    switch self {
    case .passing: "✓"
    case .changed: "≈"
    case .drifting: "✗"
    case .unreachable: "?"
    case .notRun: "–"
    }
  }
}

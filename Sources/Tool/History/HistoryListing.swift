import UnderstudyContractModel
import UnderstudyCore
import UnderstudyDrift
import UnderstudyFindings
import UnderstudyHTTP
import UnderstudyJSON
import UnderstudyReports

/// Lists live cases, for people or programs.
struct HistoryListing {
  private struct Row {
    let contract: String
    let caseName: String
    let history: CaseHistory

    /// Drifted before, and could not be checked since, or has not been well for long enough.
    var isUnended: Bool { history.state != .drifting && history.driftingSince != nil }
  }

  static let noLiveCases =
    "no live cases; add \"live\": {} to a case that the live API serves"

  private let rows: [Row]
  /// What the last run sent to each upstream.
  private let requests: [RequestRecord]
  private let stale: [Finding]
  private let brokenLines: [HistoryFile.BrokenLine]
  private let now: Moment

  init(
    _ history: History, of cases: [(contract: Contract, liveCase: Case)], stale: [Finding] = [],
    brokenLines: [HistoryFile.BrokenLine] = [], now: Moment
  ) {
    rows = cases.map { contract, liveCase in
      Row(
        contract: contract.id, caseName: liveCase.name,
        history: history["\(contract.id)#\(liveCase.name)"])
    }
    let names = Set(cases.map(\.contract.upstreamName))
    let last = Dictionary(
      history.requests.map { ($0.upstream, $0) }, uniquingKeysWith: { _, last in last })
    requests = last.values.filter { names.contains($0.upstream) }.sorted {
      $0.upstream < $1.upstream
    }
    (self.stale, self.brokenLines, self.now) = (stale, brokenLines, now)
  }

  // MARK: - For people

  func writeText(to stream: inout TextStream) {
    let headings = ["CASE", "STATE", "LAST CHECKED", "SINCE", "LATENCY"]
    let lines = TextLayout.aligned([headings] + rows.map(cells), indent: 0)
    for (line, style) in zip(lines, [.dim] + rows.map { Self.style(of: $0.history.state) }) {
      stream.write(inLine: line, style)
      stream.write("\n")
    }
    stream.write("\n")
    for finding in stale { ConsoleReport.write(finding, at: nil, to: &stream) }
    if !stale.isEmpty { stream.write("\n") }
    let counts = DriftState.allCases.compactMap { state -> String? in
      let count = rows.count { $0.history.state == state }
      guard count > 0 else { return nil }
      let unendedCount = rows.count { $0.history.state == state && $0.isUnended }
      return "\(count) \(state.words)" + (unendedCount > 0 ? " (\(unendedCount) drifting)" : "")
    }
    let total =
      rows.isEmpty
      ? Self.noLiveCases
      : rows.count.of("live case")
    stream.write(counts.isEmpty ? "\(total)\n" : "\(total): \(counts.joined(separator: ", "))\n")
    for run in requests {
      guard let words = run.failureWords else { continue }
      stream.write("\(run.upstream): \(words) on \(run.at.date)\n")
    }
  }

  private func cells(_ row: Row) -> [String] {
    let history = row.history
    let verified = history.lastChecked.map { "\($0.date), \(age($0))" }
    return [
      "\(row.contract)#\(row.caseName)",
      history.state.words + (row.isUnended ? ", drifting" : ""), verified ?? "never",
      (row.isUnended ? history.driftingSince : history.since).map(\.date) ?? "-",
      Sparkline.text(of: history.latencies.suffix(14))
        + (history.latencies.last.map { " \($0.words)" } ?? ""),
    ]
  }

  private func age(_ at: Moment) -> String {
    // Clocks of machines differ.
    at >= now ? "just now" : "\((now - at).inLargestUnit) ago"
  }

  private static func style(of state: DriftState) -> TextStream.Style? {
    switch state {
    case .passing: nil
    case .changed, .unreachable: .yellow
    case .drifting: .red
    case .notRun: .dim
    }
  }

  // MARK: - For programs

  func writeJSON(to stream: inout TextStream) {
    var writer = JSONWriter(style: .pretty(indent: 2))
    writer.object { writer in
      writer.list("cases", rows) { Self.write($1, to: &$0) }
      writer.list("requests", requests) { writer, run in
        writer.object { writer in
          writer.member("upstream", run.upstream)
          writer.member("at", run.at.rfc3339)
          writer.member("sent", run.count)
          writer.member("failed", run.failedCount)
        }
      }
      writer.list("findings", stale) { $1.write(to: &$0) }
      writer.list("brokenLines", brokenLines) { writer, line in
        writer.object { writer in
          writer.member("line", line.number)
          writer.member("message", line.message)
        }
      }
    }
    stream.write(json: writer.bytes + "\n".utf8)
  }

  private static func write(_ row: Row, to writer: inout JSONWriter) {
    let history = row.history
    writer.object { writer in
      writer.member("contract", row.contract)
      writer.member("case", row.caseName)
      writer.member("state", history.state.rawValue)
      writer.member(
        "lastChecked", history.lastChecked?.rfc3339)
      writer.member("since", history.since?.rfc3339)
      writer.member(
        "driftingSince", history.driftingSince?.rfc3339)
      writer.list("latencyMilliseconds", history.latencies) { $0.int($1.milliseconds) }
      writer.list("findings", history.runs.last?.findings ?? []) { $1.write(to: &$0) }
    }
  }
}

/// Latencies as a line of blocks; the longest is a full block.
enum Sparkline {
  private static let blocks = Array("▁▂▃▄▅▆▇█")

  static func text(of times: some Collection<Duration>) -> String {
    let max = times.max() ?? .zero
    guard max > .zero else { return "" }
    return String(
      times.map { time in
        let level = Int(clamping: (time / max * Double(blocks.count - 1)).rounded())
        return blocks[Swift.min(Swift.max(level, 0), blocks.count - 1)]
      })
  }
}

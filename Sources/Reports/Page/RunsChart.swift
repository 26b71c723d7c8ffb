import UnderstudyCore
import UnderstudyFindings

/// The past runs of a case: a bar for the latency of each, and above it a mark for its state, which
/// differs in shape as well as in colour.
///
/// The runs are a group of radio buttons, so that arrow keys go from one to the next without a
/// script; the style shows what the chosen one, or the one below the pointer, was like.
struct RunsChart {
  static let runCountMax = 45
  private static let (width, height, barHeight) = (8, 48, 32)

  private let runs: [CaseHistory.Run]
  private let name: String
  private let longest: Duration

  /// - Parameter name: of the group, which no other chart of the page has.
  init(of runs: [CaseHistory.Run], as name: String) {
    (self.runs, self.name) = (runs, name)
    longest = runs.compactMap(\.latency).max() ?? .zero
  }

  /// `40 runs, 8 drifting, 32 passing`
  static func counts(of runs: some Collection<CaseHistory.Run>) -> String {
    let counts = DriftState.byUrgency.compactMap { state -> String? in
      let count = runs.count { $0.state == state }
      return count > 0 ? "\(count) \(state.words)" : nil
    }
    return ([runs.count.of("run")] + counts).joined(separator: ", ")
  }

  /// - Parameter captures: a link to what was captured in the run of that moment, or nothing.
  func html(captures: (Moment) -> String) -> String {
    guard let first = runs.first, let last = runs.last else { return "" }
    var html = "<fieldset class=\"chart\">\n<legend>Latency and state of each run</legend>\n"
    html += "<p class=\"axis y\"><span>\(longest.words)</span> <span>0 ms</span></p>\n"
    html += "<div class=\"runs\">\n"
    for (index, run) in runs.enumerated() {
      let id = "\(name)-\(index + 1)"
      let link = captures(run.at)
      html += "<span class=\"one\"><input type=\"radio\" name=\"\(name)\" aria-labelledby=\"\(id)\""
      html += index == runs.count - 1 ? " checked>" : ">"
      html += drawing(of: run)
      html += "<span class=\"tip\"><span id=\"\(id)\">\(PageReport.escaped(run.words))</span>"
      html += link.isEmpty ? "</span></span>\n" : " \(link)</span></span>\n"
    }
    html += "</div>\n<p class=\"axis x\"><span>\(first.at.date)</span> "
    html += "<span>\(last.at.date)</span></p>\n<p class=\"legend\">"
    for state in DriftState.byUrgency where runs.contains(where: { $0.state == state }) {
      html += "<span><svg viewBox=\"0 0 8 12\" aria-hidden=\"true\">\(Self.mark(of: state))</svg>"
      html += "\(state.words)</span> "
    }
    return html + "</p>\n</fieldset>\n"
  }

  private func drawing(of run: CaseHistory.Run) -> String {
    var svg = "<svg viewBox=\"0 0 \(Self.width) \(Self.height)\" preserveAspectRatio=\"none\""
    svg += " aria-hidden=\"true\">\(Self.mark(of: run.state))"
    if let latency = run.latency, longest > .zero {
      let height = 1 + Int(clamping: (latency / longest * Double(Self.barHeight - 1)).rounded())
      svg += "<rect class=\"bar \(run.state.rawValue)\" y=\"\(Self.height - height)\""
      svg += " width=\"\(Self.width)\" height=\"\(height)\"/>"
    }
    return svg + "</svg>"
  }

  /// Within 8 by 12.
  private static func mark(of state: DriftState) -> String {
    let shape =
      switch state {
      case .drifting: "M0 0h8v12h-8z"
      case .changed: "M4 2l4 10h-8z"
      case .unreachable: "M0 2h8v10h-8zM2 4v6h4v-6z"
      case .passing, .notRun: "M0 10h8v2h-8z"
      }
    return "<path class=\"\(state.rawValue)\" d=\"\(shape)\"/>"
  }
}

extension CaseHistory.Run {
  /// `2026-11-21 02:00 UTC: drifting, found null, expected a string; 417 ms`
  fileprivate var words: String {
    "\(PageReport.time(at.rfc3339)): \(state.words)\(reasonWords)"
      + (latency.map { "; \($0.words)" } ?? "")
  }

  /// Its worst finding, or why it was not checked, after a comma.
  var reasonWords: String {
    let worst = findings.min { $0.severity < $1.severity }
    return (worst?.message ?? reason).map { ", \($0)" } ?? ""
  }
}

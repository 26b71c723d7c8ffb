import UnderstudyCore
import UnderstudyFindings

/// One cell per day; states differ in height as well as in colour.
struct RunsDrawing {
  private static let dayCountMax = 45

  private let history: CaseHistory
  private let lastDay: Int

  /// - Parameter lastDay: the last day of all cases, in days since 1970, so that days line up.
  init(of history: CaseHistory, until lastDay: Int?) {
    self.history = history
    self.lastDay = lastDay ?? 0
  }

  var svg: String {
    let firstDay = lastDay - Self.dayCountMax + 1
    var days: [Int: CaseHistory.Run] = [:]
    for run in history.runs where firstDay...lastDay ~= run.at.day {
      let day = run.at.day
      // A day with several runs shows the worst.
      if let other = days[day], other.state.urgency < run.state.urgency { continue }
      days[day] = run
    }
    guard !days.isEmpty else { return "<span class=\"runs\"></span>" }
    let counts = DriftState.byUrgency.compactMap { state -> String? in
      let count = days.values.count { $0.state == state }
      return count > 0 ? "\(count) \(state.words)" : nil
    }
    let runs = "\(days.count.of("run")): \(counts.joined(separator: ", "))"
    let width = Self.dayCountMax * 6
    var svg = "<svg class=\"runs\" viewBox=\"0 0 \(width) 18\" role=\"img\""
    svg += " aria-label=\"\(runs)\">"
    for day in firstDay...lastDay {
      let x = (day - firstDay) * 6
      guard let run = days[day] else {
        svg += "<rect class=\"none\" x=\"\(x + 2)\" y=\"16\" width=\"1\" height=\"1\"/>"
        continue
      }
      let height = run.state.height
      svg += "<rect class=\"\(run.state.rawValue)\" x=\"\(x)\" y=\"\(17 - height)\" width=\"4\""
      svg += " height=\"\(height)\" rx=\"1\">"
      svg += "<title>\(PageReport.escaped(run.words))</title></rect>"
    }
    return svg + "</svg>"
  }
}

extension CaseHistory.Run {
  /// Its day, state and worst finding: `2026-11-21: drifting, found status 500`
  var words: String {
    let worst = findings.min { $0.severity < $1.severity }
    let reason = (worst?.message ?? reason).map { ", \($0)" } ?? ""
    return "\(at.date): \(state.words)\(reason)"
  }
}

/// Latencies as a line, from zero to the longest.
struct LatencyDrawing {
  private static let countMax = 45
  private static let (width, height) = (90, 18)

  private let latencies: [Duration]

  init(of latencies: [Duration]) { self.latencies = latencies.suffix(Self.countMax) }

  var svg: String {
    guard let last = latencies.last, let longest = latencies.max(), longest > .zero else {
      return "<span class=\"latency\"></span><span class=\"time\"></span>"
    }
    let points = latencies.enumerated().map { index, latency in
      let x = latencies.count > 1 ? index * Self.width / (latencies.count - 1) : Self.width
      let level = (latency / longest * Double(Self.height - 2)).rounded()
      let y = Self.height - Int(clamping: level)
      return "\(x + 2),\(y)"
    }
    let words =
      "latency of \(latencies.count.of("run")), the last \(last.words),"
      + " the longest \(longest.words)"
    var svg = "<svg class=\"latency\" viewBox=\"0 0 \(Self.width + 4) \(Self.height + 2)\""
    svg += " role=\"img\" aria-label=\"\(words)\"><title>\(words)</title>"
    svg += "<polyline points=\"\(points.joined(separator: " "))\"/>"
    let end = (points.last ?? "0,0").split(separator: ",")
    svg += "<circle cx=\"\(end[0])\" cy=\"\(end[1])\" r=\"2\"/></svg>"
    return svg + "<span class=\"time\">\(last.words)</span>"
  }
}

extension DriftState {
  fileprivate var height: Int {
    switch self {
    case .drifting: 16
    case .changed: 12
    case .passing: 8
    case .unreachable: 5
    case .notRun: 2
    }
  }
}

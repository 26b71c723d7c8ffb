import ContractModel
import Diagnostics
import JSON

/// What is told of a command's runs, and what they come to.
struct RunReport {
  private let words: [String]
  private let required: [CaseID]
  private let caseCount: Int
  private var performances: [Performance] = []

  init(of words: [String], required: [CaseID], in library: ContractLibrary) {
    self.words = words
    self.required = required
    caseCount = library.contracts.reduce(0) { $0 + $1.cases.count }
  }

  mutating func add(_ performance: Performance) { performances.append(performance) }

  /// How the last run went.
  func writeLast(to stream: inout TextStream) {
    guard let performance = performances.last, performance.interruption == nil else { return }
    if let played = performance.played {
      let isGood = performance.findings.isEmpty
      stream.write(isGood ? "pass" : "fail", isGood ? .green : .red)
      stream.write("  \(played.text)  \(performance.counts.requestCount.of("request"))\n")
    }
    for finding in performance.findings {
      Self.write(finding, indent: performance.played == nil ? 0 : 2, to: &stream)
    }
  }

  private static func write(
    _ finding: Performance.Finding, indent: Int, to stream: inout TextStream
  ) {
    let margin = TextLayout.spaces(indent)
    stream.write(line: "\(margin)\(finding.message)")
    if let fix = finding.fix { stream.write(line: "\(margin)  fix: \(fix)") }
    MissReport.writeNearest(finding.nearMisses ?? [], to: &stream, indent: indent + 2)
  }

  private var requestCount: Int { performances.reduce(0) { $0 + $1.counts.requestCount } }

  /// How often each case was asked for, by `dog-ceo/random-images#slow`.
  private var playCounts: [String: Int] {
    performances.reduce(into: [:]) { sums, performance in
      sums.merge(performance.counts.playCounts, uniquingKeysWith: +)
    }
  }

  private var interruption: Int32? { performances.last?.interruption }

  /// The cases that had to be asked for and were not.
  private var missing: [CaseID] {
    let playCounts = playCounts
    return interruption == nil ? required.filter { playCounts[$0.text] == nil } : []
  }

  private var findingCount: Int {
    performances.filter { $0.interruption == nil }
      .reduce(missing.count) { $0 + $1.findings.count }
  }

  var exitCode: ExitCode {
    findingCount > 0 ? .findings : interruption != nil ? .couldNotCheck : .pass
  }

  func writeSummary(to stream: inout TextStream) {
    for played in missing { stream.write(line: "never asked for \(played.text)") }
    if let interruption {
      let name = ChildProcess.Ending.name(ofSignal: interruption)
      stream.write("ended early by \(name), so not everything was checked\n")
    }
    let problems = findingCount == 0 ? "no problems" : findingCount.of("problem")
    let runs = performances.contains { $0.played != nil } ? "\(performances.count.of("run")), " : ""
    stream.write(problems, findingCount == 0 ? nil : .red)
    stream.write(
      " in \(runs)\(requestCount.of("request")), \(playCounts.count) of \(caseCount.of("case"))"
        + " asked for\n")
  }

  func writeJSON(to stream: inout TextStream) {
    var writer = JSONWriter(style: .pretty(indent: 2))
    writer.object { writer in
      writer.member("command", words)
      writer.member("problems", findingCount)
      writer.member("requests", requestCount)
      writer.member("interrupted", interruption.map(ChildProcess.Ending.name(ofSignal:)))
      writer.key("runs")
      writer.array { writer in
        for performance in performances { writer.object { Self.write(performance, to: &$0) } }
      }
      writer.member("missing", missing.map(\.text))
      writer.key("asked")
      writer.object { writer in
        for (played, count) in playCounts.sorted(by: { $0.key < $1.key }) {
          writer.member(played, count)
        }
      }
    }
    stream.write(bytes: writer.bytes + "\n".utf8)
  }

  private static func write(_ performance: Performance, to writer: inout JSONWriter) {
    writer.member("case", performance.played?.text)
    switch performance.ending {
    case .exited(let code):
      writer.member("exitCode", Int(code))
      writer.member("signal", String?.none)
    case .killed(let signal):
      writer.member("exitCode", Int?.none)
      writer.member("signal", ChildProcess.Ending.name(ofSignal: signal))
    }
    writer.member("requests", performance.counts.requestCount)
    writer.key("findings")
    writer.array { writer in
      for finding in performance.findings {
        writer.object { writer in
          writer.member("message", finding.message)
          MissReport.write(finding.nearMisses, to: &writer)
        }
      }
    }
  }
}

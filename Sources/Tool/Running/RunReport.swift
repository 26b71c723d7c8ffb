import UnderstudyContractModel
import UnderstudyCore
import UnderstudyFindings
import UnderstudyHTTP
import UnderstudyJSON
import UnderstudySystem

/// The report of a command's runs, and its result.
struct RunReport {
  let words: [String]
  /// The cases the command is run for; empty when it is run once.
  let cases: [CaseID]
  private let required: [CaseID]
  /// All cases of the contracts.
  let known: [CaseID]
  private(set) var runs: [CheckedRun] = []
  /// Why the command was not run for some cases, by their ids.
  private(set) var skipped: [String: String] = [:]
  let startedAt = Moment.now
  private let start = ContinuousClock.now

  init(of words: [String], _ cases: [CaseID], required: [CaseID], in library: ContractLibrary) {
    self.words = words
    self.cases = cases
    self.required = required
    known = library.contracts.flatMap { contract in
      contract.cases.map { CaseID(contract: contract, caseName: $0.name) }
    }
  }

  mutating func add(_ run: CheckedRun) { runs.append(run) }

  mutating func skip(_ served: CaseID, because reason: String) { skipped[served.text] = reason }

  /// How the last run went.
  func writeLast(to stream: inout TextStream) {
    guard let run = runs.last, run.interruption == nil else { return }
    if let served = run.served {
      let isGood = run.remarks.isEmpty
      stream.write(isGood ? "pass" : "fail", isGood ? .green : .red)
      stream.write("  \(served.text)  \(run.counts.requestCount.of("request"))\n")
    }
    for remark in run.remarks {
      Self.write(remark, indent: run.served == nil ? 0 : 2, to: &stream)
    }
  }

  private static func write(
    _ remark: CheckedRun.Remark, indent: Int, to stream: inout TextStream
  ) {
    let margin = TextLayout.spaces(indent)
    stream.write(line: "\(margin)\(remark.finding.message)")
    if let fix = remark.finding.fix { stream.write(line: "\(margin)  fix: \(fix)") }
    UnmatchedReport.writeNearest(remark.nearMisses ?? [], to: &stream, indent: indent + 2)
  }

  private var requestCount: Int { runs.reduce(0) { $0 + $1.counts.requestCount } }

  private var passedCount: Int { runs.reduce(0) { $0 + $1.counts.passedCount } }

  /// How often each case was requested, by id: `dog-ceo/random-images#slow`.
  var servedCounts: [String: Int] {
    runs.reduce(into: [:]) { sums, run in
      sums.merge(run.counts.servedCounts, uniquingKeysWith: +)
    }
  }

  var duration: Duration { ContinuousClock.now - start }

  var interruption: Int32? { runs.last?.interruption }

  /// The required cases that were not requested.
  var missing: [CaseID] {
    let servedCounts = servedCounts
    return interruption == nil ? required.filter { servedCounts[$0.text] == nil } : []
  }

  private var findingCount: Int { runs.reduce(missing.count) { $0 + $1.remarks.count } }

  var exitCode: ExitCode {
    findingCount > 0
      ? .findings : interruption != nil || !skipped.isEmpty ? .couldNotCheck : .pass
  }

  func writeSummary(to stream: inout TextStream) {
    for (served, reason) in skipped.sorted(by: { $0.key < $1.key }) {
      stream.write(line: "skipped \(served): \(reason)")
    }
    for served in missing { stream.write(line: "never requested \(served.text)") }
    if let interruption {
      stream.write(line: Terminal.endedEarly(by: interruption))
    }
    let problems = findingCount == 0 ? "no problems" : findingCount.of("problem")
    let repeats = runs.contains { $0.served != nil } ? "\(runs.count.of("run")), " : ""
    stream.write(problems, findingCount == 0 ? nil : .red)
    stream.write(
      " in \(repeats)\(requestCount.of("request")), \(servedCounts.count) of \(known.count.of("case"))"
        + " requested\(passedCount == 0 ? "" : ", \(passedCount) passed through")\n")
  }

  func writeJSON(to stream: inout TextStream) {
    var writer = JSONWriter(style: .pretty(indent: 2))
    writer.object { writer in
      writer.member("command", words)
      writer.member("problems", findingCount)
      writer.member("requests", requestCount)
      writer.member("passedThrough", passedCount)
      writer.member("interrupted", interruption.map(SignalWatch.name(of:)))
      writer.list("runs", runs) { writer, run in writer.object { Self.write(run, to: &$0) } }
      writer.list("skipped", skipped.sorted { $0.key < $1.key }) { writer, skipped in
        writer.object { writer in
          writer.member("case", skipped.key)
          writer.member("reason", skipped.value)
        }
      }
      writer.member("missing", missing.map(\.text))
      writer.key("served")
      writer.object { writer in
        for (served, count) in servedCounts.sorted(by: { $0.key < $1.key }) {
          writer.member(served, count)
        }
      }
    }
    stream.write(json: writer.bytes + "\n".utf8)
  }

  private static func write(_ run: CheckedRun, to writer: inout JSONWriter) {
    writer.member("case", run.served?.text)
    switch run.ending {
    case .exited(let code):
      writer.member("exitCode", Int(code))
      writer.member("signal", String?.none)
    case .killed(let signal):
      writer.member("exitCode", Int?.none)
      writer.member("signal", SignalWatch.name(of: signal))
    }
    writer.member("requests", run.counts.requestCount)
    writer.key("findings")
    writer.array { writer in
      for (finding, nearMisses) in run.remarks {
        writer.object { writer in
          writer.member("message", finding.message)
          writer.member("fix", finding.fix)
          UnmatchedReport.write(nearMisses, to: &writer)
        }
      }
    }
  }
}

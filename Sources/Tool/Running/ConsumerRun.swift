import UnderstudyContractModel
import UnderstudyCore
import UnderstudyFakeServer
import UnderstudyFindings
import UnderstudyHTTP
import UnderstudySuite
import UnderstudySystem

/// Runs a command case by case and checks it against the contracts' expectations.
struct ConsumerRun {
  private let name: String
  private let words: [String]
  private let library: ContractLibrary
  private let plan: SuitePlan

  /// - Parameter cases: the selected ones; empty for all.
  init(
    of words: [String], as name: String, _ cases: [CaseID], in library: ContractLibrary
  ) throws(Failure) {
    let commands = library.consumers.filter(\.isCommand).map(\.name)
    guard commands.contains(name) else {
      throw library.consumers.contains { $0.name == name }
        ? .notCommand(name) : .unknownName(name, "command", of: "--consumer", known: commands)
    }
    let meant = Set(cases.map(\.text))
    plan = SuitePlan(library, command: name) { contract, played in
      meant.isEmpty || meant.contains(CaseID(contract: contract, caseName: played.name).text)
    }
    guard !plan.checks.isEmpty else { throw .nothingExpected(of: name) }
    (self.name, self.words, self.library) = (name, words, library)
  }

  func report(_ options: RunOptions) throws(Failure) -> Report {
    let startedAt = Moment.now
    let start = ContinuousClock.now
    let checks = try checks(options) + plan.gaps
    let run = Run(
      command: "understudy run --consumer \(name)", toolVersion: UnderstudyVersion.text,
      plannedCount: checks.count, startedAt: startedAt.rfc3339,
      duration: ContinuousClock.now - start)
    return Report(run, checks: checks)
  }

  /// A signal leaves the remaining cases unchecked.
  private func checks(_ options: RunOptions) throws(Failure) -> [Check] {
    let signals = try SignalWatch.orError()
    let pool = LoopPool(loopCountMax: 1)
    defer { pool.stop() }
    var interruption: Int32?
    var checks: [Check] = []
    for check in plan.checks {
      if interruption == nil {
        let run = try JudgedRun(
          of: words, playing: CaseID(contract: check.contract, caseName: check.played.name),
          as: check, library, options, on: pool, signals)
        interruption = run.interruption
        if interruption == nil, let record = run.record {
          checks.append(
            check.result(
              of: record.ending, journal: record.journal, index: library.index,
              duration: run.duration,
              timeMax: check.timeMax(
                timeScale: options.configuration.timeScale, limit: options.timeout)))
          continue
        }
      }
      checks.append(
        .couldNotCheck(check.identity, at: check.place, because: .endedRun(by: interruption)))
    }
    return checks
  }
}

extension Failure {
  fileprivate static func notCommand(_ name: String) -> Self {
    Self(
      message:
        "found \"\(name)\" for --consumer, which consumers.json does not declare as a command",
      fix: "add \"command\": true to it, or see \"understudy test --consumer \(name)\"")
  }

  fileprivate static func nothingExpected(of name: String) -> Self {
    Self(
      message: "found no case with an \"expect\" for \(name) among those selected",
      fix: "add \"expect\": { \"\(name)\": { \"exitCode\": 0 } } to a case, or name others")
  }

  static func excludes(_ option: String, _ other: String) -> Self {
    Self(
      message: "found both \(option) and \(other), expected one of them", fix: "remove one of them"
    )
  }

  static func needsCases(_ option: String) -> Self {
    Self(
      message: "found \(option) without --consumer or --each-case, which it needs",
      fix: "name cases with --each-case, or a command of consumers.json with --consumer")
  }
}

extension String {
  /// Why a case was not checked.
  static func endedRun(by signal: Int32?) -> Self {
    "\(signal.map(SignalWatch.name(of:)) ?? "something") interrupted the run"
  }
}

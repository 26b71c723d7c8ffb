import UnderstudyConsumers
import UnderstudyContractModel
package import UnderstudyFindings
import UnderstudyJSON

/// Runs mutants in worker processes, starting a new one after each crash or hang.
///
/// The folder changes good responses and looks at what consumers make of them. Read `Mutant` and
/// `MutantPlan`, which makes all mutants of a body; `MutationTarget` and `CommandTarget`, which get
/// the good response to begin with; `MutationWorker`, which runs in the other process; then this
/// file, which starts it. `MutantComparison` says when an outcome is a finding, and `SocketSample`
/// repeats some mutants over sockets. `ReadsLearning` finds what a command reads, by leaving parts
/// out.
///
/// Mutants have ids by which each can be run again, and a seed chooses among them. A process that
/// crashes or hangs costs one mutant: the next process goes on behind it.
package struct MutationRun: Sendable {
  /// How many mutants the consumer handled correctly.
  private struct Score {
    var ids: Set<String> = []
    var survivors: Set<String> = []
  }

  private struct State {
    var planned: [Int: Int] = [:]
    var begun: [Int: Int] = [:]
    var reasons: [Int: String] = [:]
    var findings: [Int: [Finding]] = [:]
    var scores: [String: Score] = [:]
    /// Attempts at a mutant that may have had too little processor time.
    var again: Int?
    var isInterrupted = false
  }

  private let checks: [PlannedCheck]
  private let startupTime: Duration
  private let guardTime: Duration
  private let program: WorkerProgram

  /// - Parameters:
  ///   - program: creates a `MutationWorker` of these checks and runs its instructions.
  ///   - guardTime: the time limit of a mutant.
  package init(
    of checks: [PlannedCheck], by program: WorkerProgram, guardTime: Duration = .seconds(2),
    startupTime: Duration = .seconds(120)
  ) {
    (self.checks, self.guardTime, self.startupTime) = (checks, guardTime, startupTime)
    self.program = program
  }

  /// The results of the checks in order, and the scores of the consumers. Blocks the thread.
  /// `progress` receives the number of mutants done, their total, and the number of failures.
  ///
  /// - Parameter interruption: a descriptor; once it is readable, the run ends with the results so
  ///   far.
  package func results(
    endedBy interruption: Int32 = -1,
    progress: (_ doneCount: Int, _ count: Int, _ findingCount: Int) -> Void = { _, _, _ in }
  ) -> (checks: [Check], scores: [Finding]) {
    var state = State()
    var first: Int? = 0
    while let number = first { first = run(from: number, &state, interruption, progress) }
    let results = checks.indices.map { result(of: $0, state) }
    return (results, scores(state))
  }

  /// The number of the next mutant; `nil` when all are done.
  private func run(
    from first: Int, _ state: inout State, _ interruption: Int32,
    _ progress: (Int, Int, Int) -> Void
  ) -> Int? {
    guard let worker = WorkerProcess(program, .mutants(from: first)) else {
      fail("cannot start a worker process", &state)
      return nil
    }
    var current: (number: Int, check: Int, id: String)?
    var heardAt = ContinuousClock.now
    while true {
      let end = heardAt + (current.map { timeMax(of: checks[$0.check]) } ?? startupTime)
      switch worker.next(until: end, or: interruption) {
      case .line(.planned(let check, let count)) where checks.indices.contains(check):
        heardAt = .now
        state.planned[check] = count
      case .line(.notChecked(let check, let reason)) where checks.indices.contains(check):
        heardAt = .now
        state.reasons[check] = reason
      case .line(.mutant(let number, let check, let id))
      where checks.indices.contains(check) && number >= first && number > current?.number ?? -1:
        (current, heardAt) = ((number, check, id), .now)
        if state.again != number { state.begun[check, default: 0] += 1 }
        state.scores[checks[check].expectation.consumer, default: Score()].ids.insert(id)
        progress(
          state.begun.values.reduce(0, +), state.planned.values.reduce(0, +),
          state.findings.values.reduce(0) { $0 + $1.count })
      case .line(.found(let type, let message)):
        if let current { add(type, message, current, &state) }
      case .line(.finished): return nil
      // A service may write lines too; lines that are not a worker's are ignored.
      case .line: break
      case .interruption:
        state.isInterrupted = true
        return nil
      case .silence:
        guard let current else {
          fail("the worker process sent nothing", &state)
          return nil
        }
        guard state.again == current.number else {
          state.again = current.number
          return current.number
        }
        let limit = timeMax(of: checks[current.check])
        add(.hang, "no outcome within \(limit.words)", current, &state)
        return current.number + 1
      case .end(let words):
        guard let current else {
          fail("the worker process \(words) before its first mutant", &state)
          return nil
        }
        add(.crash, "crashed: \(words)", current, &state)
        return current.number + 1
      }
    }
  }

  /// A command has a time limit of its own, which the worker keeps.
  private func timeMax(of check: PlannedCheck) -> Duration {
    check.command == nil ? guardTime : CommandTarget.timeMax + .seconds(10)
  }

  private func add(
    _ type: FindingType, _ message: String, _ mutant: (number: Int, check: Int, id: String),
    _ state: inout State
  ) {
    let check = checks[mutant.check]
    let isNew =
      state.scores[check.expectation.consumer, default: Score()].survivors.insert(mutant.id)
      .inserted
    // Over a socket it is the same finding.
    guard isNew else { return }
    let name = mutant.id.dropFirst(check.mutantPrefix.count)
    state.findings[mutant.check, default: []].append(
      Finding(
        .error, type, "\(name): \(message)", at: check.expectationPlace,
        fix: "run it alone: understudy test --mutant '\(mutant.id)'"))
  }

  private func fail(_ reason: String, _ state: inout State) {
    for index in checks.indices where state.begun[index] == nil { state.reasons[index] = reason }
  }

  private func result(of index: Int, _ state: State) -> Check {
    let check = checks[index]
    let begunCount = state.begun[index] ?? 0
    if let findings = state.findings[index] {
      return .checked(check.identity, at: check.place, findings: findings)
    }
    if let reason = state.reasons[index] {
      return .couldNotCheck(check.identity, at: check.place, because: reason)
    }
    guard begunCount > 0 || state.isInterrupted else {
      return .notExercised(check.identity, at: check.place, because: "no mutant of it was chosen")
    }
    guard let plannedCount = state.planned[index] else {
      return .couldNotCheck(check.identity, at: check.place, because: "the run was interrupted")
    }
    guard begunCount >= plannedCount else {
      return .couldNotCheck(
        check.identity, at: check.place,
        because: "the run ended after \(begunCount) of \(plannedCount) mutants")
    }
    return .checked(check.identity, at: check.place)
  }

  private func scores(_ state: State) -> [Finding] {
    state.scores.sorted { $0.key < $1.key }.map { name, score in
      let count = score.ids.count - score.survivors.count
      return Finding(
        .note, .mutationScore,
        "\(name) handled \(count) of \(score.ids.count) mutants correctly"
          + " (\(count * 100 / max(1, score.ids.count))%)")
    }
  }
}

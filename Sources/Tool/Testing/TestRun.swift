import UnderstudyCore
import UnderstudyFindings
import UnderstudyHTTP
import UnderstudySuite
import UnderstudySystem

/// A run of the suite, from its first check to its report.
struct TestRun {
  private let plan: SuitePlan
  private let configuration: SuiteConfiguration
  private let mutation: MutationChoice?
  private let showsProgress: Bool
  private let share: Share?
  private let environment: [String]

  /// - Parameters:
  ///   - mutation: the mutated responses served instead of the cases.
  ///   - share: of the plan; `nil` for all of it.
  ///   - environment: of the workers.
  init(
    _ plan: SuitePlan, _ share: Share?, _ configuration: SuiteConfiguration,
    _ mutation: MutationChoice?, environment: [String], showsProgress: Bool
  ) {
    self.environment = environment
    self.plan = share?.plan ?? plan
    self.share = share
    self.configuration = configuration
    self.mutation = mutation
    self.showsProgress = showsProgress
  }

  /// The results when all checks are done or a signal arrives, and the signal.
  ///
  /// - Parameter stale: findings about contracts not checked for too long.
  func report(
    command: String, stale: [Finding]
  ) throws(Failure) -> (report: Report, signal: Int32?) {
    let signals = try SignalWatch.orError()
    let startedAt = Moment.now
    let start = ContinuousClock.now
    let (checks, ownFindings) =
      if let mutation { mutantResults(mutation, signals.descriptor) } else {
        results(signals.descriptor)
      }
    let signal = signals.next()?.number
    signals.letThrough()
    let findings = ownFindings + stale
    let run = Run(
      command: command, toolVersion: UnderstudyVersion.text, seed: configuration.seed,
      shard: share?.shard,
      division: share?.division, plannedCount: share?.plannedCount ?? checks.count,
      startedAt: startedAt.rfc3339, duration: ContinuousClock.now - start)
    return (Report(run, checks: checks, findings: findings), signal)
  }

  private func mutantResults(
    _ choice: MutationChoice, _ interruption: Int32
  ) -> (checks: [Check], scores: [Finding]) {
    var line = ProgressLine(of: "mutants", isShown: showsProgress)
    defer { line.clear() }
    return MutationRun(
      of: plan.checks(for: choice), by: worker(showsOutput: false)
    ).results(endedBy: interruption) { line.show(doneCount: $0, of: $1, failureCount: $2) }
  }

  private func worker(showsOutput: Bool) -> WorkerProgram {
    WorkerProgram(WorkerCommand.words, environment: environment, showsOutput: showsOutput)
  }

  private func results(_ interruption: Int32) -> (checks: [Check], findings: [Finding]) {
    var line = ProgressLine(of: "checks", isShown: showsProgress)
    defer { line.clear() }
    let results = SupervisedRun(
      of: plan.checks, configuration, by: worker(showsOutput: true)
    ).results(endedBy: interruption) {
      line.show(doneCount: $0, of: plan.checks.count, failureCount: $1)
    }
    return (results.checks + plan.gaps, plan.remarks + results.findings)
  }
}

extension Report {
  /// Adds a finding when less than this was exercised.
  func requiring(percent requiredPercent: Int?) -> Report {
    // Rounded down: 100 only when nothing is missing.
    let percent = checks.isEmpty ? 0 : exercisedCount * 100 / checks.count
    guard let requiredPercent, percent < requiredPercent else { return self }
    let finding = Finding(
      .error, .coverage, "found \(percent)% exercised, expected at least \(requiredPercent)%",
      fix: "add \"expect\" to the cases that were not exercised")
    return Report(run, checks: checks, findings: findings + [finding], owners: owners)
  }
}

import FakeServer
import Findings
import Glibc
import HTTP
import Suite

/// A run of the suite, from its first check to its report.
struct TestRun {
  private let plan: SuitePlan
  private let suite: SuiteRun
  private let mutation: MutationChoice?
  private let seed: UInt64
  private let showsProgress: Bool
  private let share: Share?

  /// - Parameters:
  ///   - mutation: the damaged answers that are played instead of the cases.
  ///   - share: of the plan; `nil` when all of it is meant.
  init(
    _ plan: SuitePlan, _ share: Share?, _ suite: SuiteRun, _ mutation: MutationChoice?,
    seed: UInt64, showsProgress: Bool
  ) {
    self.plan = share?.plan ?? plan
    self.share = share
    self.suite = suite
    self.mutation = mutation
    self.seed = seed
    self.showsProgress = showsProgress
  }

  /// - Parameter stale: findings about contracts that were not verified for too long.
  func report(command: String, stale: [Finding]) throws(CommandLineError) -> Report {
    let startedAt = CivilTime(unixSeconds: time(nil))
    let start = ContinuousClock.now
    let (checks, ownFindings) =
      if let mutation { mutantResults(mutation) } else {
        (try checks() + plan.gaps, plan.remarks)
      }
    let findings = ownFindings + stale
    let run = Run(
      command: command, toolVersion: Understudy.version, seed: seed, shard: share?.shard,
      division: share?.division, plannedCount: share?.plannedCount ?? checks.count,
      startedAt: startedAt.rfc3339(), duration: ContinuousClock.now - start)
    return Report(run, checks: checks, findings: findings)
  }

  private func mutantResults(_ choice: MutationChoice) -> (checks: [Check], scores: [Finding]) {
    var line = ProgressLine(of: "mutants", isShown: showsProgress)
    defer { line.clear() }
    return MutationRun(
      of: plan.checks(for: choice), workerWords: MutationWorkerCommand.words
    ).results { line.show(doneCount: $0, of: $1, failureCount: $2) }
  }

  private func checks() throws(CommandLineError) -> [Check] {
    let (plan, suite, showsProgress) = (plan, suite, showsProgress)
    do throws(SystemError) {
      return try Blocking.run { () async throws(SystemError) in
        var line = ProgressLine(of: "checks", isShown: showsProgress)
        defer { line.clear() }
        return try await suite.results(of: plan.checks) {
          line.show(doneCount: $0, of: plan.checks.count, failureCount: $1)
        }
      }
    } catch {
      throw .cannotServe(error)
    }
  }
}

extension Report {
  /// With a finding when less than this was exercised.
  func requiring(percent requiredPercent: Int?) -> Report {
    // Rounded down: 100 only when nothing is missing.
    let percent = checks.isEmpty ? 0 : exercisedCount * 100 / checks.count
    guard let requiredPercent, percent < requiredPercent else { return self }
    let finding = Finding(
      .error, .coverage, "found \(percent)% exercised, expected at least \(requiredPercent)%",
      fix: "say what is expected of the cases that were not exercised")
    return Report(run, checks: checks, findings: findings + [finding], owners: owners)
  }
}

/// A line on the terminal that says how far a run has come.
struct ProgressLine {
  private static let interval = Duration.milliseconds(50)

  private let noun: String
  private let failing: String
  private let isShown: Bool
  private var shownAt: ContinuousClock.Instant?

  init(of noun: String, failing: String = "failed", isShown: Bool) {
    (self.noun, self.failing, self.isShown) = (noun, failing, isShown)
  }

  mutating func show(doneCount: Int, of count: Int, failureCount: Int) {
    let now = ContinuousClock.now
    guard isShown, shownAt.map({ now - $0 >= Self.interval }) ?? true else { return }
    shownAt = now
    let failures = failureCount > 0 ? ", \(failureCount) \(failing)" : ""
    Terminal.show(progress: "\(doneCount) of \(count) \(noun)\(failures)")
  }

  func clear() {
    if shownAt != nil { Terminal.show(progress: "") }
  }
}

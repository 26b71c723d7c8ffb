package import Consumers
package import ContractModel
package import FakeServer
package import Findings
import Transport

/// How checks are run.
package struct SuiteConfiguration: Sendable {
  /// Factor by which delays, and the time-outs that are expected, are multiplied.
  package var timeScale = 1.0
  /// For what the fake draws.
  package var seed: UInt64 = 0
  /// How many checks are under way at the same time.
  package var jobCountMax = 64
  /// How often each check is run.
  package var repeatCount = 1
  /// Whether nothing more is started once a check has failed.
  package var stopsAtFailure = false
  /// How long a check may take beyond the delay its contract asks for.
  package var guardTime: Duration = .seconds(30)

  package init() {}
}

/// Runs checks against one fake over sockets, many at a time, each in a session of its own.
package struct SuiteRun: Sendable {
  private let library: ContractLibrary
  private let configuration: SuiteConfiguration

  package init(_ library: ContractLibrary, _ configuration: SuiteConfiguration) {
    self.library = library
    self.configuration = configuration
  }

  /// A check that was played.
  package struct Play: Sendable {
    package let planned: PlannedCheck
    package let check: Check
    /// What the consumer made of it, the first time that was wrong; `nil` when there was none.
    package let outcome: ConsumerOutcome?
  }

  /// What came of the checks, in their order. `progress` is told of every attempt that is over, one
  /// after the other, and how many have failed.
  package func results(
    of checks: [PlannedCheck],
    progress: (_ doneCount: Int, _ failureCount: Int) -> Void = { _, _ in }
  ) async throws(SystemError) -> [Check] {
    try await plays(of: checks, progress: progress).map(\.check)
  }

  /// The same with what the consumers have made of the answers.
  package func plays(
    of checks: [PlannedCheck],
    progress: (_ doneCount: Int, _ failureCount: Int) -> Void = { _, _ in }
  ) async throws(SystemError) -> [Play] {
    let stage = try await CheckStage.start(library, configuration)
    let attempts = await together(checks, on: stage, progress)
    var plays: [Play] = []
    for (index, check) in checks.enumerated() {
      var judged: [(attempt: Attempt, verdict: Verdict)] = []
      for (round, attempt) in attempts[index].enumerated() {
        guard attempt.doubt != nil else {
          judged.append((attempt, attempt.verdict(isAlone: false)))
          continue
        }
        let again = await stage.play(check, session: "alone-\(round)-\(index)")
        judged.append((again, again.verdict(isAlone: true)))
      }
      let doubtCount = attempts[index].count { $0.doubt != nil }
      plays.append(
        Play(
          planned: check,
          check: check.result(of: judged, attemptCount: judged.count + doubtCount),
          outcome: (judged.first { $0.verdict != .pass } ?? judged.first)?.attempt.outcome))
    }
    await stage.close()
    return plays
  }

  /// The attempts at each check.
  private func together(
    _ checks: [PlannedCheck], on stage: CheckStage, _ progress: (Int, Int) -> Void
  ) async -> [[Attempt]] {
    // The slowest begin first, so that the others pass while they wait.
    let order = checks.indices.sorted { checks[$0].delayMax > checks[$1].delayMax }
    let rounds = (0..<configuration.repeatCount).flatMap { round in order.map { ($0, round) } }
    var attempts = [[Attempt]](repeating: [], count: checks.count)
    var (doneCount, failureCount) = (0, 0)
    await withTaskGroup(of: (index: Int, attempt: Attempt).self) { group in
      var waiting = rounds[...]
      func startNext() {
        guard let (index, round) = waiting.popFirst() else { return }
        group.addTask {
          (index, await stage.play(checks[index], session: "\(round)-\(index)"))
        }
      }
      for _ in 0..<configuration.jobCountMax { startNext() }
      while let (index, attempt) = await group.next() {
        attempts[index].append(attempt)
        doneCount += 1
        if attempt.verdict(isAlone: false) == .fail { failureCount += 1 }
        progress(doneCount, failureCount)
        if failureCount == 0 || !configuration.stopsAtFailure { startNext() }
      }
    }
    return attempts
  }
}

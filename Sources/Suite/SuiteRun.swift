import UnderstudyClient
package import UnderstudyConsumers
package import UnderstudyContractModel
import UnderstudyFakeServer
package import UnderstudyFindings
package import UnderstudySystem

/// Runs checks against one fake over sockets, many at a time, each in its own session.
///
/// The target runs every case of every contract against its consumers. Read `SuitePlan`, which
/// lists the checks and the gaps, and `PlannedCheck`; then this file, `SharedFake`, on which a
/// check runs, at a `FakeAddress`, and `Attempt`, which is how that went. `RunAuthority` is for
/// checks of what breaks in TLS. `RequestComparison` looks at the requests that the consumer sent,
/// and `ShardAssignment` divides a plan among machines. `Workers` runs checks in processes that may
/// crash, and `Mutation` changes the responses. `LearnedReads` and
/// `ResponseReplay` are for commands, whose decoders cannot be watched.
///
/// A run owns one fake and one transport, and closes both. A result that a busy machine could have
/// caused is not final: the check is repeated alone. Checks that nothing exercised are in the plan,
/// too.
package struct SuiteRun: Sendable {
  private let library: ContractLibrary
  private let configuration: SuiteConfiguration

  package init(_ library: ContractLibrary, _ configuration: SuiteConfiguration) {
    self.library = library
    self.configuration = configuration
  }

  /// A check that was served.
  package struct Trial: Sendable {
    package let planned: PlannedCheck
    package let check: Check
    /// The consumer's outcome of the first failing attempt; `nil` when there was none.
    package let outcome: ConsumerOutcome?
  }

  /// An event of a check, identified by its index.
  enum Event: Equatable, Sendable {
    case begun(Int)
    /// An attempt has ended, and more follow.
    case attempted(Int)
    case checked(Int, Check)
  }

  /// The results of the checks, in order.
  package func results(of checks: [PlannedCheck]) async throws(SystemError) -> [Check] {
    try await trials(of: checks).map(\.check)
  }

  /// The results of the checks, in order, with the outcomes of the consumers.
  package func trials(of checks: [PlannedCheck]) async throws(SystemError) -> [Trial] {
    try await trials(of: checks) { _ in }
  }

  /// Without those of checks left to another process. Events may come from any thread.
  func trials(
    of checks: [PlannedCheck], tell: @escaping @Sendable (Event) -> Void
  ) async throws(SystemError) -> [Trial] {
    let fake = try await SharedFake.start(
      library, configuration, speaksTLS: checks.contains(where: \.needsTLS))
    var trials = [Trial?](repeating: nil, count: checks.count)
    func close(
      _ index: Int, _ checked: [(attempt: Attempt, result: CheckResult)], attemptCount: Int
    ) {
      let check = checks[index].result(of: checked, attemptCount: attemptCount)
      trials[index] = Trial(
        planned: checks[index], check: check,
        outcome: (checked.first { $0.result != .pass } ?? checked.first)?.attempt.outcome)
      tell(.checked(index, check))
    }
    let isAlone = configuration.isAlone
    let attempts = await together(checks, on: fake, tell) { index, attempts in
      let isOver =
        attempts.count == configuration.repeatCount
        && (isAlone || attempts.allSatisfy { $0.doubt == nil })
      guard isOver else { return tell(.attempted(index)) }
      // A check that runs alone was lost or hung among others before.
      close(
        index, attempts.map { ($0, $0.result(isAlone: isAlone)) },
        attemptCount: attempts.count + (isAlone ? 1 : 0))
    }
    for (index, check) in checks.enumerated() where trials[index] == nil {
      if configuration.leavesHangs, attempts[index].contains(where: { $0.outcome == nil }) {
        continue
      }
      var checked: [(attempt: Attempt, result: CheckResult)] = []
      for (round, attempt) in attempts[index].enumerated() {
        guard attempt.doubt != nil else {
          checked.append((attempt, attempt.result(isAlone: false)))
          continue
        }
        tell(.begun(index))
        let again = await fake.run(check, session: "alone-\(round)-\(index)")
        tell(.attempted(index))
        checked.append((again, again.result(isAlone: true)))
      }
      let doubtCount = attempts[index].count { $0.doubt != nil }
      close(index, checked, attemptCount: checked.count + doubtCount)
    }
    await fake.close()
    return trials.compactMap(\.self)
  }

  /// The attempts at each check. `ended` receives all so far whenever one ends.
  private func together(
    _ checks: [PlannedCheck], on fake: SharedFake, _ tell: @escaping @Sendable (Event) -> Void,
    ended: (_ index: Int, _ attempts: [Attempt]) -> Void
  ) async -> [[Attempt]] {
    // The slowest start first, so that the others run while they wait.
    let order = checks.indices.sorted { checks[$0].delayMax > checks[$1].delayMax }
    let rounds = (0..<configuration.repeatCount).flatMap { round in order.map { ($0, round) } }
    var attempts = [[Attempt]](repeating: [], count: checks.count)
    var hasFailed = false
    await withTaskGroup(of: (index: Int, attempt: Attempt).self) { group in
      var services = rounds.filter { checks[$0.0].command == nil }[...]
      var commands = rounds.filter { checks[$0.0].command != nil }[...]
      var runningCommandCount = 0
      func startNext() {
        let isCommand =
          !commands.isEmpty && runningCommandCount < configuration.commandCountMax
        guard let (index, round) = isCommand ? commands.popFirst() : services.popFirst() else {
          return
        }
        if isCommand { runningCommandCount += 1 }
        group.addTask {
          tell(.begun(index))
          return (index, await fake.run(checks[index], session: "\(round)-\(index)"))
        }
      }
      for _ in 0..<(configuration.isAlone ? 1 : configuration.jobCountMax) { startNext() }
      while let (index, attempt) = await group.next() {
        if checks[index].command != nil { runningCommandCount -= 1 }
        attempts[index].append(attempt)
        if attempt.result(isAlone: configuration.isAlone) == .fail { hasFailed = true }
        ended(index, attempts[index])
        if !hasFailed || !configuration.stopsAtFailure { startNext() }
      }
    }
    return attempts
  }
}

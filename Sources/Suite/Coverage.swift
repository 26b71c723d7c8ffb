import Consumers
package import ContractModel

/// How much of what could be checked was.
package struct Coverage: Sendable {
  /// Cases × consumers.
  package let exercisedCount: Int
  package let pairCount: Int
  /// Pairs that were not exercised.
  package let missing: [SuitePlan.Gap]
  /// Errors that consumers declare.
  package let provokedCount: Int
  package let errorCount: Int
  /// Those that no contract provokes: `jokes.random: rateLimited`.
  package let unprovoked: [String]

  /// - Parameter declared: the consumers that the run is about.
  package init(_ plan: SuitePlan, _ results: [CheckResult], _ declared: [Consumer]) {
    let unexercised = results.filter { $0.verdict == .notExercised }.map { result in
      SuitePlan.Gap(caseID: result.check.caseID, consumer: result.check.consumer.name)
    }
    missing = unexercised + plan.gaps
    exercisedCount = results.count - unexercised.count
    pairCount = results.count + plan.gaps.count
    let provoked = Set(
      results.filter { $0.verdict != .notExercised }.compactMap { result in
        if case .error(let name, _) = result.check.expectation.outcome {
          "\(result.check.consumer.name): \(name)"
        } else {
          nil
        }
      })
    let errors = declared.flatMap { consumer in
      consumer.errors.map { "\(consumer.name): \($0.name)" }
    }
    unprovoked = errors.filter { !provoked.contains($0) }
    errorCount = errors.count
    provokedCount = errors.count - unprovoked.count
  }

  /// Rounded down: 100 only when nothing is missing.
  package var percent: Int {
    let total = pairCount + errorCount
    return total == 0 ? 0 : (exercisedCount + provokedCount) * 100 / total
  }
}

/// What came of a check.
package struct CheckResult: Sendable {
  package let check: Check
  package let verdict: Verdict
  /// What is wrong, or why nothing can be said; empty for a pass.
  package let complaints: [String]
  /// Of the longest attempt.
  package let duration: Duration

  init(_ check: Check, _ attempts: [Attempt]) {
    self.check = check
    duration = attempts.map(\.duration).max() ?? .zero
    guard let worst = attempts.max(by: { $0.verdict.weight < $1.verdict.weight }) else {
      verdict = .notExercised
      complaints = ["the run ended before it"]
      return
    }
    verdict = worst.verdict
    let count = attempts.count { $0.verdict != .pass }
    let often = attempts.count > 1 && count > 0 ? ["in \(count) of \(attempts.count) runs"] : []
    let why = worst.verdict == .couldNotCheck ? worst.doubt.map { [$0.reason] } ?? [] : []
    complaints = often + why + worst.complaints
  }
}

extension Attempt {
  var verdict: Verdict {
    if complaints.isEmpty { return .pass }
    guard let doubt else { return .fail }
    return isAlone && !doubt.isLasting ? .fail : .couldNotCheck
  }
}

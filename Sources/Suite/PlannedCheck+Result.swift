import UnderstudyFindings

extension PlannedCheck {
  /// The combined result of all attempts: a failure outranks a doubt, and a doubt a pass.
  ///
  /// - Parameter attemptCount: including those repeated because of a doubt.
  func result(of attempts: [(attempt: Attempt, result: CheckResult)], attemptCount: Int) -> Check {
    let duration = attempts.map(\.attempt.duration).max() ?? .zero
    let passCount = attempts.count { $0.result == .pass }
    if let failed = attempts.first(where: { $0.result == .fail }) {
      var findings = failed.attempt.findings
      if passCount > 0 {
        findings.append(
          Finding(
            .error, .flaky, "passed \(passCount) of \(attempts.count) times, expected all",
            at: place))
      }
      return .checked(
        identity, at: place, findings: findings, duration: duration, attemptCount: attemptCount)
    }
    if let open = attempts.first(where: { $0.result == .couldNotCheck }) {
      return .couldNotCheck(
        identity, at: place, because: open.attempt.doubt?.reason ?? "", duration: duration,
        attemptCount: attemptCount)
    }
    guard !attempts.isEmpty else {
      return .notExercised(identity, at: place, because: "the run ended first")
    }
    return .checked(identity, at: place, duration: duration, attemptCount: attemptCount)
  }
}

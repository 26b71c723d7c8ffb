import UnderstudyFindings

extension PlannedCheck {
  /// The combined result of all attempts: a failure outranks a doubt, and a doubt a pass.
  ///
  /// - Parameter attemptCount: including those repeated because of a doubt.
  func result(of attempts: [(attempt: Attempt, verdict: Verdict)], attemptCount: Int) -> Check {
    let duration = attempts.map(\.attempt.duration).max() ?? .zero
    let passCount = attempts.count { $0.verdict == .pass }
    if let failed = attempts.first(where: { $0.verdict == .fail }) {
      var findings = failed.attempt.findings
      if passCount > 0 {
        findings.append(
          Finding(
            .error, .flaky, "passed \(passCount) of \(attempts.count) times, expected all",
            at: place))
      }
      return .judged(
        identity, at: place, findings: findings, duration: duration, attemptCount: attemptCount)
    }
    if let open = attempts.first(where: { $0.verdict == .couldNotCheck }) {
      return .couldNotCheck(
        identity, at: place, because: open.attempt.doubt?.reason ?? "", duration: duration,
        attemptCount: attemptCount)
    }
    guard !attempts.isEmpty else {
      return .notExercised(identity, at: place, because: "the run ended first")
    }
    return .judged(identity, at: place, duration: duration, attemptCount: attemptCount)
  }
}

package import UnderstudyConsumers
package import UnderstudyContractModel
package import UnderstudyFakeServer
package import UnderstudyFindings

/// Of a command that was run by itself, beside a fake of its own.
extension PlannedCheck {
  /// How long the command may take: what its contract says, else `limit`, else much longer than the
  /// answer.
  package func timeMax(timeScale: Double, limit: Duration?) -> Duration {
    expectation.timeout ?? limit ?? SuiteConfiguration().guardTime + delayMax * timeScale
  }

  /// What its run comes to.
  ///
  /// - Parameter ending: `nil` when there was none within `timeMax`.
  package func result(
    of ending: CommandEnding?, journal: [JournalEntry], index: RequestIndex, duration: Duration,
    timeMax: Duration
  ) -> Check {
    let attempt = Attempt(
      self, ending.map { .ended($0) }, journal: journal, refused: [], index: index,
      duration: duration, limit: timeMax)
    return result(of: [(attempt, attempt.verdict(isAlone: true))], attemptCount: 1)
  }
}

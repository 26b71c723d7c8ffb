package import UnderstudyConsumers
package import UnderstudyContractModel
package import UnderstudyFakeServer
package import UnderstudyFindings

/// The check of a command, run alone with its own fake.
extension PlannedCheck {
  /// The time limit of the command: its contract's, else `limit`, else much longer than the answer.
  package func timeMax(timeScale: Double, limit: Duration?) -> Duration {
    expectation.timeout ?? limit ?? SuiteConfiguration().guardTime + delayMax * timeScale
  }

  /// The result of its run.
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

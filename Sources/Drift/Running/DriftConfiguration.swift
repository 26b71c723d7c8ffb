package import UnderstudyFindings

/// How requests to the live APIs are sent.
package struct DriftConfiguration: Sendable {
  /// The lowest severity that fails a check.
  package var failsOn = Finding.Severity.error
  /// The pause between a response that shows a change and the next, which may refute it.
  package var confirmPause: Duration = .seconds(30)
  /// The number of responses compared for a case, at least two. The last is requested only if
  /// another shows a change.
  package var sampleCount = 2
  package static let sampleCountMax = 100
  /// The end of the run, by the clock's `elapsed`.
  package var deadline: Duration = .seconds(600)

  package init() {}
}

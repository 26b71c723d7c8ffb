package import UnderstudyFindings

/// How the live APIs are asked.
package struct DriftConfiguration: Sendable {
  /// The mildest finding that fails a check.
  package var failsOn = Finding.Severity.error
  /// Between an answer that shows a change and the next, which may refute it.
  package var confirmPause: Duration = .seconds(30)
  /// How many answers of a case are compared, two or more. The last is asked for only when one of the
  /// others shows a change.
  package var sampleCount = 2
  package static let sampleCountMax = 100
  /// By the clock's `elapsed`: by then all is over.
  package var deadline: Duration = .seconds(600)

  package init() {}
}

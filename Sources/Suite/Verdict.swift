/// What can be said of a check.
package enum Verdict: String, Sendable, CaseIterable {
  case pass, fail, couldNotCheck, notExercised

  /// Of several attempts the heaviest counts.
  var weight: Int {
    switch self {
    case .pass: 0
    case .notExercised: 1
    case .couldNotCheck: 2
    case .fail: 3
    }
  }
}

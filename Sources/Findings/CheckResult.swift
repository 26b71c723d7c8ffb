/// The result of a check. There are only four: a check without a definite result says so.
package enum CheckResult: String, Hashable, Sendable, CaseIterable {
  case pass
  case fail
  /// It should have been checked but could not be: an upstream was down, or a machine overloaded.
  case couldNotCheck
  /// No request was sent: the case is not live, or no consumer expects anything of the case.
  case notExercised

  /// For a sentence about one check: `could not be checked`.
  package var words: String {
    switch self {
    case .pass: "passed"
    case .fail: "failed"
    case .couldNotCheck: "could not be checked"
    case .notExercised: "not exercised"
    }
  }

  /// The higher of two results on the same check counts.
  var weight: Int {
    switch self {
    case .notExercised: 0
    case .pass: 1
    case .couldNotCheck: 2
    case .fail: 3
    }
  }
}

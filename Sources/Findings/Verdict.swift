/// What became of a check. There is no fifth: whatever is not known to be well says so.
package enum Verdict: String, Hashable, Sendable, CaseIterable {
  case pass
  case fail
  /// It should have been judged and could not be: an upstream was away, a machine too busy.
  case couldNotCheck
  /// Nothing was asked: there is no live side, or nobody expects anything of the case.
  case notExercised

  /// In a sentence about one check: `could not be checked`.
  package var words: String {
    switch self {
    case .pass: "passed"
    case .fail: "failed"
    case .couldNotCheck: "could not be checked"
    case .notExercised: "not exercised"
    }
  }

  /// Which of two verdicts about the same check counts: the higher.
  var weight: Int {
    switch self {
    case .notExercised: 0
    case .pass: 1
    case .couldNotCheck: 2
    case .fail: 3
    }
  }
}

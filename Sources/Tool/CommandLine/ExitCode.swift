/// The result of a run. Scripts rely on these numbers, so they never change their meaning.
public enum ExitCode: Int32, CaseIterable, Sendable {
  /// All is well.
  case pass = 0
  /// Something was found: a failed check, or drift.
  case findings = 1
  /// Wrong usage, a missing path, or contracts that do not load.
  case couldNotRun = 2
  /// Nothing was found, but something could not be checked.
  case couldNotCheck = 3

  var meaning: String {
    switch self {
    case .pass: "No problems."
    case .findings: "Problems were found."
    case .couldNotRun: "Could not run: wrong usage, a missing path, or contracts that do not load."
    case .couldNotCheck: "No problems were found, but something could not be checked."
    }
  }
}

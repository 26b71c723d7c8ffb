/// What a run came to. Scripts build on these numbers, so they never change their meaning.
public enum ExitCode: Int32, CaseIterable, Sendable {
  case pass = 0
  case findings = 1
  case couldNotRun = 2
  case couldNotCheck = 3

  var meaning: String {
    switch self {
    case .pass: "All is well."
    case .findings: "Something was found."
    case .couldNotRun: "It could not run: wrong usage, a missing path, contracts that do not load."
    case .couldNotCheck: "Nothing was found, but something could not be checked."
    }
  }
}

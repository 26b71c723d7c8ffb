import UnderstudyCore
import UnderstudySystem

/// Whether a command gets a network of its own.
enum HermeticChoice: String, CaseIterable {
  /// Or is not run.
  case always
  /// Or is run without.
  case `try`

  /// Whether the system allows it; a warning says so where the command is run without.
  func isPossible(_ terminal: inout Terminal) throws(Failure) -> Bool {
    do throws(EnclosureError) {
      try HermeticNetwork.check()
      return true
    } catch {
      guard self == .try else { throw Failure(error) }
      let message = "the command runs without a network of its own: \(error.message)"
      terminal.writeWarning(Failure(message: message, fix: error.fix))
      return false
    }
  }
}

extension Failure {
  init(_ error: EnclosureError) {
    let without = "run it without such a network where there can be none: --hermetic=try"
    self.init(
      message: "--hermetic is not possible: \(error.message)",
      fix: error.fix.map { "\($0); or \(without)" } ?? without)
  }
}

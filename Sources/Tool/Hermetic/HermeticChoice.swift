import UnderstudyCore
import UnderstudySystem

/// Whether a command gets a network of its own.
enum HermeticChoice: String, CaseIterable {
  /// Or is not run.
  case always
  /// Or is run without.
  case `try`

  static func option(_ description: String) -> Parameter<HermeticChoice?> {
    .option(
      "hermetic", bare: .always, "WHEN", .choice,
      "\(description) (Linux). With try, run it without where the system forbids that.")
  }

  /// Whether it is chosen and the system allows it; a warning says so where the command is run without.
  static func isPossible(
    _ choice: Self?, _ terminal: inout Terminal
  ) throws(Failure) -> Bool {
    guard let choice else { return false }
    do throws(EnclosureError) {
      try HermeticNetwork.check()
      return true
    } catch {
      guard choice == .try else { throw Failure(error) }
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

import UnderstudyCore
import UnderstudySecrets
import UnderstudySystem

/// The output of a command, collected until it is flushed. Tests read it instead.
struct Terminal: Sendable {
  /// Results, for people or other programs.
  var output: TextStream
  /// Errors, warnings and notes.
  var errors: TextStream
  /// The name that commands in its texts have.
  var tool = ToolName.standard
  /// Whether the output is a terminal.
  var isOutputShown = false
  /// Whether that opens addresses behind texts.
  var opensLinks = false
  /// The width of that terminal, if known.
  var columnCount: Int?
  /// Whether a progress line can be shown.
  var showsProgress = false

  init(isOutputColoured: Bool = false, areErrorsColoured: Bool = false) {
    output = TextStream(isColoured: isOutputColoured)
    errors = TextStream(isColoured: areErrorsColoured)
  }

  /// Follows the command line; what the environment says holds for `auto`.
  mutating func color(_ choice: ColorChoice) {
    guard choice != .auto else { return }
    output = TextStream(isColoured: choice == .always)
    output.showsLinks = choice == .always && opensLinks
    errors = TextStream(isColoured: choice == .always)
  }

  /// Programs that apply a patch need its exact bytes; on a screen it is only read. The output of a
  /// CI system's job is both.
  mutating func write(patch: String) {
    if isOutputShown { return output.write(patch) }
    let commandless = patch.commandless
    output.write(bytes: Array(commandless.utf8))
    if commandless != patch {
      errors.write(
        line:
          "the patch cannot be applied: it shows text that a CI system would obey as a command in"
          + " another spelling, so run this without --dry-run")
    }
  }

  static func endedEarly(by signal: Int32) -> String {
    let name = SignalWatch.name(of: signal)
    return "interrupted by \(name), so not everything was checked"
  }

  mutating func writeEndedEarly(by signal: Int32) {
    errors.write(line: Self.endedEarly(by: signal))
  }

  mutating func writeError(_ error: Failure) { write(error, "error:", .red) }

  /// For what does not change the exit code.
  mutating func writeWarning(_ failure: Failure) { write(failure, "warning:", .yellow) }

  private mutating func write(_ error: Failure, _ severity: String, _ style: TextStream.Style) {
    let mask = SecretMask.standard
    errors.write("understudy: ")
    errors.write(severity, style)
    errors.write(line: " \(mask.masked(tool.inserted(in: error.complaint)))")
    if let fix = error.fix {
      errors.write("  fix:", .dim)
      errors.write(line: " \(mask.masked(tool.inserted(in: fix)))")
    }
  }
}

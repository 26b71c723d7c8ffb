import UnderstudyCore
import UnderstudySecrets
import UnderstudySystem

/// What a command has to say, collected until it is flushed: tests read it instead.
struct Terminal: Sendable {
  /// Results, for people or for the next program.
  var output: TextStream
  /// Why there is no result, or what to think of it.
  var errors: TextStream
  /// Whether somebody sees the output at once, and nothing else reads it.
  var isOutputShown = false
  /// Whether somebody sees a line that changes while something goes on.
  var showsProgress = false

  init(isOutputColoured: Bool = false, areErrorsColoured: Bool = false) {
    output = TextStream(isColoured: isOutputColoured)
    errors = TextStream(isColoured: areErrorsColoured)
  }

  /// A patch is taken byte by byte by what reads it; on a screen it is only looked at.
  mutating func write(patch: String) {
    if isOutputShown { output.write(patch) } else { output.write(bytes: Array(patch.utf8)) }
  }

  static func endedEarly(by signal: Int32) -> String {
    let name = SignalWatch.name(of: signal)
    return "ended early by \(name), so not everything was checked"
  }

  mutating func writeEndedEarly(by signal: Int32) {
    errors.write(line: Self.endedEarly(by: signal))
  }

  mutating func writeError(_ error: Failure) {
    let mask = SecretMask.standard
    errors.write("understudy: ")
    errors.write("error:", .red)
    errors.write(line: " \(mask.masked(error.complaint))")
    if let fix = error.fix {
      errors.write("  fix:", .dim)
      errors.write(line: " \(mask.masked(fix))")
    }
  }
}

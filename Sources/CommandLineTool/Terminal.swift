import Diagnostics

/// What a command has to say, collected until it is flushed: tests read it instead.
struct Terminal: Sendable {
  /// Results, for people or for the next program.
  var output: TextStream
  /// Why there is no result, or what to think of it.
  var errors: TextStream
  /// Whether somebody sees a line that changes while something goes on.
  var showsProgress = false

  init(isOutputColoured: Bool = false, areErrorsColoured: Bool = false) {
    output = TextStream(isColoured: isOutputColoured)
    errors = TextStream(isColoured: areErrorsColoured)
  }

  mutating func writeError(_ error: CommandLineError) {
    errors.write("understudy: ")
    errors.write("error:", .red)
    errors.write(line: " \(error.message)")
    if let fix = error.fix {
      errors.write("  fix:", .dim)
      errors.write(line: " \(fix)")
    }
  }
}

import UnderstudyCore
import UnderstudySystem

extension Terminal {
  /// The terminal, pipes or files this process was started with.
  static func standard() -> Terminal {
    let isClever = Environment["TERM"].map { $0 != "dumb" } ?? false
    let wantsColour = isClever && Environment["NO_COLOR"]?.isEmpty ?? true
    var terminal = Terminal(
      isOutputColoured: wantsColour && StandardStream.output.isTerminal,
      areErrorsColoured: wantsColour && StandardStream.error.isTerminal)
    terminal.isOutputShown = StandardStream.output.isTerminal
    terminal.showsProgress = isClever && StandardStream.error.isTerminal
    return terminal
  }

  /// Puts this in place of the line that was shown before, at once.
  static func show(progress text: String) {
    _ = StandardStream.error.write(Array("\r\u{1B}[K\(text)".utf8))
  }

  /// Writes this beside the output at once, for whoever waits.
  static func tell(_ text: String) {
    _ = StandardStream.error.write(Array(text.utf8))
  }

  /// Hands over what was collected, and says whether the readers got it.
  ///
  /// A reader that has left, such as `head`, has what it wanted: that is no failure.
  mutating func flush() -> Bool {
    let failure = StandardStream.output.write(output.bytes)
    output.removeAll()
    if let failure, failure != .brokenPipe {
      writeError(
        Failure(
          message: "cannot write the output: \(failure)",
          fix: "send it where there is room for it"))
    }
    _ = StandardStream.error.write(errors.bytes)
    errors.removeAll()
    return failure == nil || failure == .brokenPipe
  }
}

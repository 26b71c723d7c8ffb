import UnderstudyCore
import UnderstudySystem

extension Terminal {
  /// The terminal, pipes or files of this process.
  static func standard() -> Terminal {
    let isClever = Environment["TERM"].map { $0 != "dumb" } ?? false
    func wantsColor(_ stream: StandardStream) -> Bool {
      ColorChoice.isWanted(onTerminal: stream.isTerminal) { Environment[$0] }
    }
    var terminal = Terminal(
      isOutputColoured: wantsColor(.output), areErrorsColoured: wantsColor(.error))
    terminal.isOutputShown = StandardStream.output.isTerminal
    terminal.opensLinks = isClever && terminal.isOutputShown
    terminal.output.showsLinks = terminal.opensLinks && terminal.output.isColoured
    terminal.columnCount = StandardStream.output.columnCount
    terminal.showsProgress = isClever && StandardStream.error.isTerminal
    return terminal
  }

  /// Replaces the progress line immediately.
  static func show(progress text: String) {
    _ = StandardStream.error.write(Array("\r\u{1B}[K\(text)".utf8))
  }

  /// Writes this to standard error immediately.
  static func tell(_ text: String) {
    _ = StandardStream.error.write(Array(text.utf8))
  }

  /// Writes the collected output, and returns whether that succeeded.
  ///
  /// A reader that closed the pipe, such as `head`, is not a failure.
  mutating func flush() -> Bool {
    let failure = StandardStream.output.write(output.bytes)
    output.removeAll()
    if let failure, failure != .brokenPipe {
      writeError(
        Failure(
          message: "cannot write the output: \(failure)",
          fix: "write it to a place with free space"))
    }
    _ = StandardStream.error.write(errors.bytes)
    errors.removeAll()
    return failure == nil || failure == .brokenPipe
  }
}

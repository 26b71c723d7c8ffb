import UnderstudySystem

/// The display and keyboard of an app.
@MainActor
protocol Console {
  /// Whether it is interactive.
  var isInteractive: Bool { get }
  func write(_ text: String)
  /// Replaces the screen.
  func draw(_ text: String)
  /// The next key; `nil` at the end of input.
  func nextKey() async -> Character?
}

/// The terminal of this process, or the pipe in its place.
///
/// While it exists, keys are read one by one and not echoed.
@MainActor
final class ProcessConsole: Console {
  private static let pause = Duration.milliseconds(20)

  private let terminal = ProcessTerminal()

  var isInteractive: Bool { terminal.isInteractive }

  /// Restores the terminal.
  func close() { terminal.restore() }

  func write(_ text: String) { terminal.write(text) }

  func draw(_ text: String) { write("\u{1B}[H\u{1B}[2J" + text) }

  func nextKey() async -> Character? {
    while !Task.isCancelled {
      switch terminal.read() {
      case .nothingYet: try? await Task.sleep(for: Self.pause)
      // Control-C and Control-D.
      case .end, .byte(3), .byte(4): return nil
      case .byte(let byte): if byte < 0x80 { return Character(UnicodeScalar(byte)) }
      }
    }
    return nil
  }
}

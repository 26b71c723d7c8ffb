import Glibc
import Synchronization

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
  /// Set by a signal, so that the terminal is restored.
  nonisolated private static let isEnded = Atomic(false)
  private static let pause = Duration.milliseconds(20)

  let isInteractive: Bool
  private var found = termios()

  init() {
    isInteractive =
      isatty(STDIN_FILENO) == 1 && isatty(STDOUT_FILENO) == 1
      && tcgetattr(STDIN_FILENO, &found) == 0
    guard isInteractive else { return }
    Self.isEnded.store(false, ordering: .relaxed)
    for number in [SIGTERM, SIGHUP] {
      signal(number) { _ in ProcessConsole.isEnded.store(true, ordering: .relaxed) }
    }
    var raw = found
    // Signals from keys are off too, since they would leave the terminal in this mode.
    raw.c_lflag &= ~tcflag_t(ICANON | ECHO | ISIG)
    tcsetattr(STDIN_FILENO, TCSANOW, &raw)
  }

  /// Restores the terminal.
  func close() {
    if isInteractive { tcsetattr(STDIN_FILENO, TCSANOW, &found) }
  }

  func write(_ text: String) {
    print(text, terminator: "")
    fflush(nil)
  }

  func draw(_ text: String) { write("\u{1B}[H\u{1B}[2J" + text) }

  func nextKey() async -> Character? {
    while !Self.isEnded.load(ordering: .relaxed), !Task.isCancelled {
      var input = pollfd(fd: STDIN_FILENO, events: Int16(POLLIN), revents: 0)
      guard poll(&input, 1, 0) > 0 else {
        try? await Task.sleep(for: Self.pause)
        continue
      }
      var byte: UInt8 = 0
      guard read(STDIN_FILENO, &byte, 1) == 1 else { return nil }
      // Control-C and Control-D.
      if byte == 3 || byte == 4 { return nil }
      if byte < 0x80 { return Character(UnicodeScalar(byte)) }
    }
    return nil
  }
}

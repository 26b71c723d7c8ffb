import Synchronization

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// The terminal of this process, or the pipe in its place, for programs that read keys.
///
/// Public for `showcase`, which sees nothing else of this target but its environment.
public final class ProcessTerminal {
  /// What reading a key gives.
  public enum Input {
    case byte(UInt8)
    case nothingYet, end
  }

  /// Set by a signal, so that the terminal is restored.
  private static let isEnded = Atomic(false)

  /// Whether both its input and its output are a terminal.
  public let isInteractive: Bool
  private var found = termios()

  /// From now on, keys are read one by one and not echoed.
  public init() {
    isInteractive =
      StandardStream.input.isTerminal && StandardStream.output.isTerminal
      && tcgetattr(STDIN_FILENO, &found) == 0
    guard isInteractive else { return }
    Self.isEnded.store(false, ordering: .relaxed)
    for number in [SIGTERM, SIGHUP] {
      signal(number) { _ in ProcessTerminal.isEnded.store(true, ordering: .relaxed) }
    }
    var raw = found
    // Signals from keys are off too, since they would leave the terminal in this mode.
    raw.c_lflag &= ~tcflag_t(ICANON | ECHO | ISIG)
    tcsetattr(STDIN_FILENO, TCSANOW, &raw)
  }

  /// Back to how it was found.
  public func restore() {
    if isInteractive { tcsetattr(STDIN_FILENO, TCSANOW, &found) }
  }

  public func write(_ text: String) {
    print(text, terminator: "")
    fflush(nil)
  }

  /// What has been typed, without waiting for it.
  public func read() -> Input {
    if Self.isEnded.load(ordering: .relaxed) { return .end }
    guard Readiness.isReadable([STDIN_FILENO]) else { return .nothingYet }
    var byte: UInt8 = 0
    return systemRead(STDIN_FILENO, &byte, 1) == 1 ? .byte(byte) : .end
  }
}

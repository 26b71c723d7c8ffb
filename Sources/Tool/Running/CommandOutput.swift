import UnderstudyConsumers
import UnderstudySystem

/// What a command prints: kept to be judged, and handed on to where we print.
struct CommandOutput {
  let stdout: OutputPipe
  let stderr: OutputPipe

  /// With `toErrors` all of it is handed on to where we print errors.
  init(toErrors: Bool) throws(SystemError) {
    stdout = try OutputPipe(to: toErrors ? .error : .output)
    stderr = try OutputPipe(to: .error)
  }

  var pipes: [OutputPipe] { [stdout, stderr] }
}

/// One of a command's streams.
final class OutputPipe {
  private static let chunkByteCount = 1 << 16

  let pipe: Pipe
  private(set) var printed = PrintedText()
  private let target: StandardStream

  init(to target: StandardStream) throws(SystemError) {
    pipe = try Pipe()
    pipe.readWithoutWaiting()
    self.target = target
  }

  /// Takes some of what is there. Whether there was anything.
  func take() -> Bool {
    guard let chunk = pipe.read(byteCountMax: Self.chunkByteCount), !chunk.isEmpty else {
      return false
    }
    printed.append(chunk)
    _ = target.write(Array(chunk))
    return true
  }

  /// Takes what was left behind. Somebody who was not ended may print for ever: no more is taken
  /// than is looked at.
  func takeRest() {
    for _ in 0..<PrintedText.byteCountMax / Self.chunkByteCount where !take() { return }
  }
}

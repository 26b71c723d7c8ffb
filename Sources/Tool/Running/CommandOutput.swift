import UnderstudyConsumers
import UnderstudySystem

/// The output of a command, kept to be judged and passed on to our own output.
struct CommandOutput {
  let stdout: OutputPipe
  let stderr: OutputPipe

  /// With `toErrors`, all of it goes to our standard error.
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

  /// Reads available output. Returns whether there was any.
  func take() -> Bool {
    guard let chunk = pipe.read(byteCountMax: Self.chunkByteCount), !chunk.isEmpty else {
      return false
    }
    printed.append(chunk)
    _ = target.write(Array(chunk))
    return true
  }

  /// Reads the remaining output. A process that is still running may print forever, so this reads
  /// no more than is judged.
  func takeRest() {
    for _ in 0..<PrintedText.byteCountMax / Self.chunkByteCount where !take() { return }
  }
}

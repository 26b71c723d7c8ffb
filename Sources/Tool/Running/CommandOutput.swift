import Glibc
import UnderstudyCLinux
import UnderstudyConsumers
import UnderstudyFakeServer

/// What a command prints: kept to be judged, and handed on to where we print.
struct CommandOutput {
  let stdout: OutputPipe
  let stderr: OutputPipe

  /// With `toErrors` all of it is handed on to where we print errors.
  init(toErrors: Bool) throws(SystemError) {
    stdout = try OutputPipe(to: toErrors ? STDERR_FILENO : STDOUT_FILENO)
    stderr = try OutputPipe(to: STDERR_FILENO)
  }

  var pipes: [OutputPipe] { [stdout, stderr] }
}

/// One of a command's streams.
final class OutputPipe {
  private static let chunkByteCount = 1 << 16

  let readEnd: Int32
  private(set) var writeEnd: Int32
  private(set) var printed = PrintedText()
  private let target: Int32

  init(to target: Int32) throws(SystemError) {
    var ends: [Int32] = [0, 0]
    guard pipe2(&ends, O_CLOEXEC) == 0 else { throw .last("make a pipe") }
    _ = fcntl(ends[0], F_SETFL, O_NONBLOCK)
    (readEnd, writeEnd, self.target) = (ends[0], ends[1], target)
  }

  deinit {
    closeWriteEnd()
    close(readEnd)
  }

  /// Only who prints is to have it, so that the end is seen.
  func closeWriteEnd() {
    if writeEnd >= 0 { close(writeEnd) }
    writeEnd = -1
  }

  /// Takes some of what is there. Whether there was anything.
  func take() -> Bool {
    var chunk = [UInt8](repeating: 0, count: Self.chunkByteCount)
    let count = read(readEnd, &chunk, chunk.count)
    guard count > 0 else { return false }
    printed.append(chunk[..<count])
    _ = Terminal.write(Array(chunk[..<count]), to: target)
    return true
  }

  /// Takes what was left behind. Somebody who was not ended may print for ever: no more is taken
  /// than is looked at.
  func takeRest() {
    for _ in 0..<PrintedText.byteCountMax / Self.chunkByteCount where !take() { return }
  }
}

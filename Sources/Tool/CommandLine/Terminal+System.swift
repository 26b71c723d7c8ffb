import Glibc
import UnderstudyCore

extension Terminal {
  /// The terminal, pipes or files this process was started with.
  static func standard() -> Terminal {
    let isClever = getenv("TERM").map { String(cString: $0) != "dumb" } ?? false
    let wantsColour = isClever && getenv("NO_COLOR").map { $0.pointee == 0 } ?? true
    var terminal = Terminal(
      isOutputColoured: wantsColour && isatty(STDOUT_FILENO) == 1,
      areErrorsColoured: wantsColour && isatty(STDERR_FILENO) == 1)
    terminal.isOutputShown = isatty(STDOUT_FILENO) == 1
    terminal.showsProgress = isClever && isatty(STDERR_FILENO) == 1
    return terminal
  }

  /// Puts this in place of the line that was shown before, at once.
  static func show(progress text: String) {
    _ = write(Array("\r\u{1B}[K\(text)".utf8), to: STDERR_FILENO)
  }

  /// Writes this beside the output at once, for whoever waits.
  static func tell(_ text: String) {
    _ = write(Array(text.utf8), to: STDERR_FILENO)
  }

  /// Hands over what was collected, and says whether the readers got it.
  ///
  /// A reader that has left, such as `head`, has what it wanted: that is no failure.
  mutating func flush() -> Bool {
    let failure = Self.write(output.bytes, to: STDOUT_FILENO)
    output.removeAll()
    if let failure, failure != EPIPE {
      writeError(
        Failure(
          message: "cannot write the output: \(String(cString: strerror(failure)))",
          fix: "send it where there is room for it"))
    }
    _ = Self.write(errors.bytes, to: STDERR_FILENO)
    errors.removeAll()
    return failure == nil || failure == EPIPE
  }

  /// The `errno` of the write that failed, if one did.
  static func write(_ bytes: [UInt8], to descriptor: Int32) -> Int32? {
    // SAFETY: the pointer stays inside the closure, and `written` never passes the buffer's end.
    bytes.withUnsafeBytes { buffer in
      var written = 0
      while written < buffer.count {
        let count = Glibc.write(
          descriptor, UnsafeRawBufferPointer(rebasing: buffer[written...]).baseAddress,
          buffer.count - written)
        if count >= 0 {
          written += count
        } else if errno == EAGAIN {
          var descriptors = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
          _ = poll(&descriptors, 1, -1)
        } else if errno != EINTR {
          return errno
        }
      }
      return nil
    }
  }
}

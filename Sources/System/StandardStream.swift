import Glibc

/// The standard streams of a process.
package enum StandardStream: Int32, Sendable {
  case input, output, error

  package var isTerminal: Bool { isatty(rawValue) == 1 }

  /// Waits until everything is written; returns the error if it fails.
  package func write(_ bytes: [UInt8]) -> Errno? { Self.write(bytes, to: rawValue) }

  static func write(_ bytes: [UInt8], to descriptor: Int32) -> Errno? {
    // SAFETY: the pointer stays inside the closure, and `written` never passes the buffer's end.
    bytes.withUnsafeBytes { buffer in
      var written = 0
      while written < buffer.count {
        let count = Glibc.write(
          descriptor, UnsafeRawBufferPointer(rebasing: buffer[written...]).baseAddress,
          buffer.count - written)
        guard count < 0 else {
          written += count
          continue
        }
        switch Errno.last {
        case .interrupted: break
        case .wouldBlock: _ = Readiness.wait(for: [descriptor], writes: [0])
        case let code: return code
        }
      }
      return nil
    }
  }
}

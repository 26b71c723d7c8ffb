#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// The standard streams of a process.
package enum StandardStream: Int32, Sendable {
  case input, output, error

  package var isTerminal: Bool { isatty(rawValue) == 1 }

  /// The width of its terminal in characters; `nil` if it has none, or does not know it.
  package var columnCount: Int? {
    #if canImport(Darwin)
      // TIOCGWINSZ, a macro that Swift does not import.
      let request: UInt = 0x4008_7468
    #else
      let request = UInt(TIOCGWINSZ)
    #endif
    var size = winsize()
    guard ioctl(rawValue, request, &size) == 0, size.ws_col > 0 else { return nil }
    return Int(size.ws_col)
  }

  /// Waits until everything is written; returns the error if it fails.
  package func write(_ bytes: [UInt8]) -> Errno? {
    bytes.withUnsafeBytes { Self.write($0, to: rawValue) }
  }

  static func write(_ bytes: UnsafeRawBufferPointer, to descriptor: Int32) -> Errno? {
    var rest = bytes
    while !rest.isEmpty {
      let count = systemWrite(descriptor, rest.baseAddress, rest.count)
      let code = count == 0 ? .noSpace : Errno.last
      if count > 0 {
        // SAFETY: what was not written of the caller's bytes, used during the call only.
        rest = UnsafeRawBufferPointer(rebasing: rest[count...])
      } else if code == .wouldBlock {
        _ = Readiness.wait(for: [descriptor], writes: [0])
      } else if code != .interrupted {
        return code
      }
    }
    return nil
  }
}

import UnderstudyHTTP
import UnderstudyTLS

/// A socket that accepts clients, and the handler that responds to them.
///
/// Created anywhere, then owned by its loop and used only on the loop's thread.
final class Listener {
  /// Limits for its clients; times are in nanoseconds.
  struct Limits {
    let message: MessageLimits
    let connectionCountMax: Int
    /// Without a request.
    let idle: Int64
    /// From the first byte of a request to its last.
    let request: Int64
    /// After the last response of a connection.
    let drain: Int64
  }

  /// Refused clients get a reset from the kernel; `refusing` → `listening` is possible, not back
  /// from `closed`.
  enum Phase {
    case listening, refusing, closed
  }

  /// Closed by the loop when listening ends.
  let descriptor: Int32
  let limits: Limits
  /// For clients that begin TLS; `nil` where none may.
  let tls: TLSContext?
  /// Shared with the server's listeners on other loops.
  let bodyRoom: BodyRoom
  /// The factor for pauses within responses.
  let timeScale: Double
  let handler: any RequestHandler
  var phase = Phase.listening
  var isListening: Bool { phase == .listening }
  // `unchecked` is for values used by every request: checking costs as much as parsing the request.
  // The head is written only by parsing, which ends before anything reads it.
  /// The head being parsed or responded, within these limits.
  @exclusivity(unchecked) var head: RequestHead
  /// Whether only requests in progress are still served.
  @exclusivity(unchecked) var isRetiring = false
  /// The number of connected clients, including those being rejected.
  var connectionCount = 0
  var whenEmpty: (@Sendable () -> Void)?

  init(
    descriptor: Int32, limits: Limits, tls: TLSContext?, bodyRoom: BodyRoom, timeScale: Double,
    handler: any RequestHandler
  ) {
    self.descriptor = descriptor
    self.limits = limits
    self.tls = tls
    self.bodyRoom = bodyRoom
    self.timeScale = timeScale
    self.handler = handler
    head = RequestHead(limits: limits.message)
  }
}

import UnderstudyHTTP

/// A socket that takes clients, and who answers them.
///
/// Made anywhere, then owned by its loop and touched on the loop's thread alone.
final class Listener {
  /// What it takes of its clients; times are in nanoseconds.
  struct Limits {
    let message: MessageLimits
    let connectionCountMax: Int
    /// Without a request.
    let idle: Int64
    /// From the first byte of a request to its last.
    let request: Int64
    /// After the last answer of a connection.
    let drain: Int64
  }

  /// Closed by the loop when it is to listen no more.
  let descriptor: Int32
  let limits: Limits
  /// Shared with the server's listeners on other loops.
  let bodyRoom: BodyRoom
  /// Factor by which pauses within answers are multiplied.
  let timeScale: Double
  let handler: any RequestHandler
  var isListening = true
  // Unchecked is what every request touches; to check it costs as much as to parse the request. The
  // head is written by parsing alone, which is over before anything reads it.
  /// The head that is parsed or answered at this moment, within these limits.
  @exclusivity(unchecked) var head: RequestHead
  /// Whether only requests that are under way are still answered.
  @exclusivity(unchecked) var isRetiring = false
  /// Clients that are connected, those being turned away included.
  var connectionCount = 0
  var whenEmpty: (@Sendable () -> Void)?

  init(
    descriptor: Int32, limits: Limits, bodyRoom: BodyRoom, timeScale: Double,
    handler: any RequestHandler
  ) {
    self.descriptor = descriptor
    self.limits = limits
    self.bodyRoom = bodyRoom
    self.timeScale = timeScale
    self.handler = handler
    head = RequestHead(limits: limits.message)
  }
}

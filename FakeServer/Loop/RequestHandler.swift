import UnderstudyCore
import UnderstudyHTTP
import UnderstudyTLS

/// Responds to the requests to a listener, only on the loop's thread.
protocol RequestHandler: TLSGreeter {
  /// Whether it is notified at the end of each turn.
  var followsTurns: Bool { get }

  /// Responds to a complete request.
  func respond(
    _ arrival: Arrival, _ head: borrowing RequestHead, into output: inout ByteBuffer
  ) -> Reply

  /// Responds to an invalid request or, without a refusal, rejects a client because too many are
  /// connected.
  func refuse(_ refusal: Refusal?, at time: Moment, into output: inout ByteBuffer)

  /// What a client is shown that begins TLS in a tunnel.
  func greeting(for name: String, in tunnel: Tunnel) -> TLSGreeting

  /// Changes when clients of TLS may have to begin anew, as those whose handshakes break now.
  func handshakeNumber(in tunnel: Tunnel?) -> Int

  /// Whether the handshake of a client that asks for this name would break now.
  func breaksHandshake(for name: String?, in tunnel: Tunnel?) -> Bool

  /// Called when a client began TLS and did not get to a request.
  func handshakeFailed(_ reason: String, serverName: String?)

  func note(_ event: ResponseEvent, of response: ResponseMark)

  func turnEnded()

  /// Called last, when the loop has dropped the listener.
  func left()
}

/// A complete request and its arrival time. Valid only while it is served.
struct Arrival {
  // SAFETY: the loop keeps both in place until the request is served; ranges are the head's own.
  let head: UnsafeRawBufferPointer
  let body: UnsafeRawBufferPointer
  /// When it was complete.
  let receivedAt: Moment
  /// Whether the connection has to end with this response.
  let isLast: Bool
  /// The descriptor of the connection.
  let connection: Int32
  /// Whether the connection is encrypted.
  let isSecure: Bool
  /// Where it leads, whatever its path and its `Host` say; `nil` for a client that speaks to the
  /// server itself.
  // SAFETY: the connection, or whoever made this, retains it until the request is served.
  unowned(unsafe) let tunnel: Tunnel?

  func bytes(_ range: ByteRange) -> UnsafeRawBufferPointer {
    UnsafeRawBufferPointer(rebasing: head[range.offsets])
  }

  func text(_ range: ByteRange) -> String { head.text(range) }
}

extension UnsafeRawBufferPointer {
  /// The text of a range of these bytes, with invalid UTF-8 repaired.
  func text(_ range: ByteRange) -> String {
    String(decoding: self[range.offsets], as: UTF8.self)
  }
}

/// How a loop continues after a request.
enum Reply {
  /// The bytes are written; the connection ends unless it is kept.
  case written(keepsConnection: Bool)
  /// The bytes are written, and what the client sends from now on is for another host; without a
  /// tunnel, for the server itself.
  case connected(Tunnel?)
  /// Served step by step.
  case script(WireScript, mark: ResponseMark)
  /// Given later by the ticket's holder, from any thread. A response with a mark or an errand is
  /// held: a client that shuts its side is considered gone. The errand is released when nothing
  /// waits for the response any more.
  case later(mark: ResponseMark?, begin: (ResponseTicket) -> Errand?)
}

/// The handler's identification of a response that takes time.
struct ResponseMark: Sendable {
  let number: Int
  /// Responses of one group can be cut off together.
  let group: String
}

/// The progress of a response that takes time.
enum ResponseEvent {
  enum End {
    /// All of it was sent.
    case responded
    /// As the script defines, before all of a response was sent. A stalled connection stays open.
    case cutOff, reset, stalled
    case clientLeft
    /// The connection was given to another server.
    case passedThrough
    /// By a reset, or the end of the server.
    case cancelled
  }

  /// The response has arrived.
  case ready(WireScript)
  /// This many nanoseconds after the request.
  case began(delay: Int64)
  case sent(byteCount: Int)
  case ended(End)
}

/// The right to respond to one request, once, from any thread.
struct ResponseTicket: Sendable {
  /// Called with whether a client still waited for the response, on the loop's thread unless that
  /// has ended.
  typealias Then = @Sendable (_ isTaken: Bool) -> Void

  /// Passes a response to the loop; fails when that has ended, and then `Then` is not called.
  let hand: @Sendable (WireScript, @escaping Then) -> Bool

  func release(_ script: WireScript, then: @escaping Then = { _ in }) {
    if !hand(script, then) { then(false) }
  }

  /// Passes a response to the loop, and returns whether a client still waited for it.
  func release(_ script: WireScript) async -> Bool {
    await withCheckedContinuation { continuation in
      release(script) { continuation.resume(returning: $0) }
    }
  }
}

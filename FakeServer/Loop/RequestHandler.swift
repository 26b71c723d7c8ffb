import UnderstudyCore
import UnderstudyHTTP

/// Answers the requests to a listener, only on the loop's thread.
protocol RequestHandler: AnyObject {
  /// Whether it is notified at the end of each turn.
  var followsTurns: Bool { get }

  /// Answers a complete request.
  func answer(
    _ arrival: Arrival, _ head: borrowing RequestHead, into output: inout ByteBuffer
  ) -> Reply

  /// Answers an invalid request or, without a refusal, rejects a client because too many are
  /// connected. The time is in nanoseconds since 1970.
  func refuse(_ refusal: Refusal?, at time: Moment, into output: inout ByteBuffer)

  func note(_ event: AnswerEvent, of answer: AnswerMark)

  func turnEnded()

  /// Called last, when the loop has dropped the listener.
  func left()
}

/// A complete request and its arrival time. Valid only while it is answered.
struct Arrival {
  // SAFETY: the loop keeps both in place until the request is answered; ranges are the head's own.
  let head: UnsafeRawBufferPointer
  let body: UnsafeRawBufferPointer
  /// When it was complete, in nanoseconds since 1970.
  let receivedAt: Moment
  /// Whether the connection has to end with this answer.
  let isLast: Bool
  /// The descriptor of the connection.
  let connection: Int32

  @inline(__always)
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
  /// Played step by step.
  case script(WireScript, mark: AnswerMark)
  /// Given later by the ticket's holder, from any thread. An answer with a mark or an errand is
  /// held: a client that shuts its side is considered gone. The errand is released when nothing
  /// waits for the answer any more.
  case later(mark: AnswerMark?, begin: (AnswerTicket) -> Errand?)
}

/// The handler's identification of an answer that takes time.
struct AnswerMark: Sendable {
  let number: Int
  /// Answers of one group can be cut off together.
  let group: String
}

/// The progress of an answer that takes time.
enum AnswerEvent {
  enum End {
    /// All of it was sent.
    case answered
    /// As the script defines, before all of an answer was sent. A stalled connection stays open.
    case cutOff, reset, stalled
    case clientLeft
    /// By a reset, or the end of the server.
    case cancelled
  }

  /// The answer has arrived.
  case ready(WireScript)
  /// This many nanoseconds after the request.
  case began(delay: Int64)
  case sent(byteCount: Int)
  case ended(End)
}

/// The right to answer one request, once, from any thread.
struct AnswerTicket: Sendable {
  /// Called with whether a client still waited for the answer, on the loop's thread unless that has
  /// ended.
  typealias Then = @Sendable (_ isTaken: Bool) -> Void

  /// Passes an answer to the loop; fails when that has ended, and then `Then` is not called.
  let hand: @Sendable (WireScript, @escaping Then) -> Bool

  func release(_ script: WireScript, then: @escaping Then = { _ in }) {
    if !hand(script, then) { then(false) }
  }

  /// The same for callers that can wait.
  func release(_ script: WireScript) async -> Bool {
    await withCheckedContinuation { continuation in
      release(script) { continuation.resume(returning: $0) }
    }
  }
}

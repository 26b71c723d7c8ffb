import UnderstudyCore
import UnderstudyHTTP

/// What a loop asks of whoever answers the requests to a listener, on the loop's thread alone.
protocol RequestHandler: AnyObject {
  /// Whether it wants to know when a turn has ended.
  var followsTurns: Bool { get }

  /// Answers a complete request.
  func answer(
    _ arrival: Arrival, _ head: borrowing RequestHead, into output: inout ByteBuffer
  ) -> Reply

  /// Answers what is no request or, without a refusal, a client that has to go before it has asked,
  /// because there are too many. The time is in nanoseconds since 1970.
  func refuse(_ refusal: Refusal?, at time: Moment, into output: inout ByteBuffer)

  func note(_ event: AnswerEvent, of answer: AnswerMark)

  func turnEnded()

  /// No more is asked: the loop has left the listener.
  func left()
}

/// A complete request as it came, and when. Valid only while it is answered.
struct Arrival {
  // SAFETY: the loop keeps both in place until the request is answered; ranges are the head's own.
  let head: UnsafeRawBufferPointer
  let body: UnsafeRawBufferPointer
  /// When it was complete, in nanoseconds since 1970.
  let receivedAt: Moment
  /// Whether the connection has to end with this answer.
  let isLast: Bool

  @inline(__always)
  func bytes(_ range: ByteRange) -> UnsafeRawBufferPointer {
    UnsafeRawBufferPointer(rebasing: head[range.offsets])
  }

  func text(_ range: ByteRange) -> String { head.text(range) }
}

extension UnsafeRawBufferPointer {
  /// The text of a part of these bytes, repaired where it is no UTF-8.
  func text(_ range: ByteRange) -> String {
    String(decoding: self[range.offsets], as: UTF8.self)
  }
}

/// What a loop has to do to answer.
enum Reply {
  /// The bytes are written; this was the last of the connection unless it is kept.
  case written(keepsConnection: Bool)
  /// To be played step by step.
  case script(WireScript, mark: AnswerMark)
  /// Given later by whoever gets the ticket, from any thread. With a mark it is an answer that is
  /// held: a client that shuts its side is taken to have given up. What `begin` gives is let go of
  /// when nobody waits any more.
  case later(mark: AnswerMark?, begin: (AnswerTicket) -> AnyObject?)
}

/// What the handler calls an answer that takes its time.
struct AnswerMark: Sendable {
  let number: Int
  /// Answers of one group can be broken off together.
  let group: String
}

/// How an answer goes on that takes its time.
enum AnswerEvent {
  enum End {
    /// All of it was sent.
    case answered
    /// As the script asks, before all of an answer was sent. What stalled stays open.
    case cutOff, reset, stalled
    case clientLeft
    /// By a reset, or the end of the server.
    case cancelled
  }

  /// It is there, and has this status.
  case ready(status: Int)
  /// So many nanoseconds after the request.
  case began(delay: Int64)
  case sent(byteCount: Int)
  case ended(End)
}

/// The right to answer one request, once, from any thread.
struct AnswerTicket: Sendable {
  /// Told on the loop's thread whether there was still somebody to play the answer to.
  typealias Then = @Sendable (_ isTaken: Bool) -> Void

  /// Hands an answer to the loop; fails when that has ended, and then nobody is told anything.
  let hand: @Sendable (WireScript, @escaping Then) -> Bool

  func release(_ script: WireScript, then: @escaping Then = { _ in }) {
    _ = hand(script, then)
  }

  /// The same for those who can wait.
  func release(_ script: WireScript) async -> Bool {
    await withCheckedContinuation { continuation in
      if !hand(script, { continuation.resume(returning: $0) }) {
        continuation.resume(returning: false)
      }
    }
  }
}

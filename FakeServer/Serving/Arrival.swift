import UnderstudyHTTP

/// A complete request as it came, and when. Valid only while it is answered.
struct Arrival {
  // SAFETY: the loop keeps both in place until the request is answered; ranges are the head's own.
  let head: UnsafeRawBufferPointer
  let body: UnsafeRawBufferPointer
  let moment: Moment
  /// When it was complete, in nanoseconds since 1970.
  let receivedAt: Int64

  @inline(__always)
  func bytes(_ range: ByteRange) -> UnsafeRawBufferPointer {
    UnsafeRawBufferPointer(rebasing: head[range.offsets])
  }

  /// The text of a part of the head, repaired where it is no UTF-8.
  func text(_ range: ByteRange) -> String {
    String(decoding: head[range.offsets], as: UTF8.self)
  }
}

/// What a loop has to do to answer.
enum Reply {
  /// The bytes are written; this was the last of the connection unless it is kept.
  case written(keepsConnection: Bool)
  /// To be played step by step, after a delay in nanoseconds.
  case script(WireScript, mark: Player.Mark, delay: Int64)
  /// Given later by whoever gets the ticket, from any thread. With a mark it is an answer that is
  /// held: a client that shuts its side is taken to have given up. What `begin` gives is let go of
  /// when nobody waits any more.
  case later(mark: Player.Mark?, begin: (Ticket) -> AnyObject?)
}

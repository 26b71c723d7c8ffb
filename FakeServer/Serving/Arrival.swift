import HTTP

/// A complete request as it came, and when. Valid only while it is answered.
struct Arrival {
  // SAFETY: the loop lends both while it answers, and nothing that outlives that keeps them.
  let head: UnsafeRawBufferPointer
  let body: UnsafeRawBufferPointer
  let moment: Moment

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
  case script(WireScript, record: JournalRing.Slot, delay: Int64)
}

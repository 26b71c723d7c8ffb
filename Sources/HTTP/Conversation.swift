/// The state of one connection on the server's side: takes what arrived and returns what to do
/// next.
///
///     readingHead ──head──▶ readingBody ──last byte──▶ responding ──responded──▶ readingHead
///          │                     │                         │ the last one
///          └──────refused────────┴───────▶ responding ──────┴─────▶ draining ──▶ closed
///
/// Requests are served one at a time: pipelined bytes stay in the buffer until `responded`. It
/// does no I/O and has no clock; the caller refuses a head that is too slow.
///
/// The target reads HTTP/1.1 as RFC 9112 has it, strict wherever two servers might disagree about
/// the end of a message. Read this file, then `RequestHead`, whose extensions read it in order:
/// `RequestHead+Parsing`, `RequestHead+RequestLine`, `RequestHead+Meaning`. `BodyFraming` says how
/// a body ends and `BodyReader` reads it; `ByteScan` searches sixteen bytes at a time. `Refusal`
/// lists every reason for refusing a request. `ReceivedResponse` reads what servers send, for
/// tests and for commands that talk to a running server.
///
/// Input may end anywhere, and everything has a limit in `MessageLimits`. Nothing of a request is
/// copied: results are ranges of the caller's bytes, which are read only within their bounds.
package struct Conversation: Sendable {
  /// What the owner of the connection does next. It has all the I/O, so that this type needs no
  /// socket.
  package enum Action: Hashable, Sendable {
    /// Nothing to do until something else happens.
    case wait
    /// The head is complete and a body follows: send `100 Continue` if requested, and go on.
    case readBody(sendsContinue: Bool)
    /// A piece of the body: keep it, and go on.
    case keep(Range<Int>)
    /// The request is complete.
    case response
    /// Send the reason as the last response.
    case refuse(Refusal)
    /// Continue with pipelined bytes, or wait for the next request.
    case readHead
    /// Shut down writing and pass on what still arrives, so that no reset overtakes the response.
    case drain
    case close
  }

  private enum State: Sendable {
    case readingHead(scanned: Int)
    case readingBody(BodyReader)
    case responding
    case draining(bytesLeft: Int)
    case closed
  }

  private let drainBytesMax: Int
  private var state = State.readingHead(scanned: 0)
  private var hasInputEnded = false
  /// Whether another request may follow the current one; the response announces it.
  package private(set) var keepsAlive = true

  package init(limits: MessageLimits) { drainBytesMax = limits.drainBytesMax }

  // SAFETY: bytes are read only within their bounds, and none are kept.

  /// Processes the bytes from `offset` on, and moves it past what was consumed.
  ///
  /// A head is consumed only when it is complete; `head` then counts from the old `offset`.
  package mutating func receive(
    _ bytes: UnsafeRawBufferPointer, from offset: inout Int, into head: inout RequestHead
  ) -> Action {
    switch state {
    case .readingHead(let scanned):
      guard offset < bytes.count || hasInputEnded else { return .wait }
      return receiveHead(bytes, from: &offset, into: &head, scanned: scanned)
    case .readingBody(var reader):
      let step = reader.next(bytes, from: &offset)
      state = .readingBody(reader)
      switch step {
      case .needsMore: return hasInputEnded ? close() : .wait
      case .data(let range): return .keep(range)
      case .complete: return beginResponse()
      case .malformed(let refusal): return refuse(refusal)
      }
    case .draining(let bytesLeft):
      let count = bytes.count - offset
      offset = bytes.count
      guard count < bytesLeft else { return close() }
      state = .draining(bytesLeft: bytesLeft - count)
      return .wait
    case .responding: return .wait
    case .closed: return .close
    }
  }

  private mutating func receiveHead(
    _ bytes: UnsafeRawBufferPointer, from offset: inout Int, into head: inout RequestHead,
    scanned: Int
  ) -> Action {
    var scanned = scanned
    switch head.parse(UnsafeRawBufferPointer(rebasing: bytes[offset...]), scanned: &scanned) {
    case .incomplete:
      state = .readingHead(scanned: scanned)
      return hasInputEnded ? close() : .wait
    case .malformed(let refusal):
      return refuse(refusal)
    case .complete(let byteCount):
      offset += byteCount
      keepsAlive = head.keepsAlive
      if case .none = head.body { return beginResponse() }
      var reader = BodyReader(head.body, limits: head.limits)
      // Given no bytes, the reader still reports whether there is a body and whether it is allowed.
      var start = 0
      switch reader.next(UnsafeRawBufferPointer(start: nil, count: 0), from: &start) {
      case .complete: return beginResponse()
      case .malformed(let refusal): return refuse(refusal)
      case .needsMore, .data:
        state = .readingBody(reader)
        // A client that has started sending the body is not waiting.
        return .readBody(sendsContinue: head.expectsContinue && offset == bytes.count)
      }
    }
  }

  private mutating func beginResponse() -> Action {
    state = .responding
    return .response
  }

  /// Ends the current request, for a reason found here or by the caller.
  package mutating func refuse(_ refusal: Refusal) -> Action {
    keepsAlive = false
    state = .responding
    return .refuse(refusal)
  }

  /// The response is sent; `isLast` if the connection ends with it.
  package mutating func responded(isLast: Bool) -> Action {
    guard isLast || !keepsAlive else {
      state = .readingHead(scanned: 0)
      return .readHead
    }
    keepsAlive = false
    // Nothing can still arrive and cause a reset.
    guard !hasInputEnded else { return close() }
    state = .draining(bytesLeft: drainBytesMax)
    return .drain
  }

  /// The response to a `CONNECT` is sent: what follows is a conversation of its own.
  package mutating func connected() {
    state = .readingHead(scanned: 0)
    keepsAlive = true
  }

  /// The client sends nothing more, and everything it sent was passed to `receive`. It may still
  /// read: its requests are served.
  package mutating func inputEnded() -> Action {
    hasInputEnded = true
    if case .responding = state { return .wait }
    return close()
  }

  private mutating func close() -> Action {
    state = .closed
    return .close
  }
}

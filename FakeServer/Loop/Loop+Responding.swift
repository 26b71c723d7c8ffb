import UnderstudyCore
import UnderstudyHTTP
import UnderstudySystem
import UnderstudyTLS

extension Loop {
  // SAFETY: both ranges of bytes belong to the caller and are not kept.

  /// Responds to a complete request, immediately unless the response takes time.
  mutating func respond(
    _ slot: Int, of listener: Listener, _ headBytes: UnsafeRawBufferPointer,
    body: UnsafeRawBufferPointer
  ) {
    let connection = connections[slot]
    connection.pointee.since = now
    if connection.pointee.isRequestUnderWay {
      connection.pointee.isRequestUnderWay = false
      setDeadline(slot, after: listener.limits.idle)
    }
    let isSecure = connection.pointee.tls != nil
    let arrival = Arrival(
      head: headBytes, body: body, receivedAt: wallNow,
      isLast: listener.isRetiring || isSecure && mustBeginAnew(slot),
      connection: connection.pointee.descriptor, isSecure: isSecure,
      tunnel: connection.pointee.tunnel)
    switch listener.handler.respond(arrival, listener.head, into: &replies) {
    case .written(let keepsConnection):
      conclude(slot, isLast: !keepsConnection)
    case .connected(let tunnel):
      connection.pointee.conversation.connected()
      connection.pointee.tunnel = tunnel
      connection.pointee.mayBeginTLS = listener.tls != nil
      connection.pointee.phase = .reading
    case .script(let script, let mark):
      let delay = script.delayConfigured.nanoseconds(scaledBy: listener.timeScale)
      // A turn may have taken a while: a delay does not start before its request.
      let requestedAt = delay > 0 ? currentTime : now
      connection.pointee.phase = .responding
      connection.pointee.pending = PendingResponse(
        script: script, mark: mark, due: requestedAt + delay, requestedAt: requestedAt)
    case .later(let mark, let begin): awaitResponse(slot, mark, begin)
    }
  }

  mutating func refuse(_ slot: Int, _ refusal: Refusal) {
    connections[slot].pointee.listener.handler.refuse(refusal, at: wallNow, into: &replies)
    conclude(slot, isLast: true)
  }

  /// After the response: continues with the next request or closes the connection.
  private mutating func conclude(_ slot: Int, isLast: Bool) {
    let connection = connections[slot]
    switch connection.pointee.conversation.responded(isLast: isLast) {
    case .drain: beginDraining(slot)
    case .close: connection.pointee.closesOnceSent = true
    default: connection.pointee.phase = .reading
    }
  }

  /// Continues a response until it has to wait or is done.
  mutating func serve(_ slot: Int) {
    guard let connection = connections.find(slot), connection.pointee.output.isEmpty,
      var pending = connection.pointee.pending, !pending.isStalled, pending.ticket == 0
    else { return }
    guard pending.due <= now else { return setDeadline(slot, at: pending.due) }
    let listener = connection.pointee.listener
    if !pending.hasBegun {
      pending.hasBegun = true
      note(.began(delay: now - pending.requestedAt), of: pending, on: listener)
    }
    while let step = pending.script.nextJoined() {
      switch step {
      case .send(let bytes):
        guard send(bytes, to: slot, of: pending) else { return }
      case .piece:
        switch nextPiece(slot, of: &pending) {
        case .bytes(let bytes): guard send(bytes, to: slot, of: pending) else { return }
        case .later: return
        case .end: continue
        }
      case .pause(let duration):
        pending.due += duration.nanoseconds(scaledBy: listener.timeScale)
        guard pending.due > now else { continue }
        connection.pointee.pending = pending
        setDeadline(slot, at: pending.due)
        return watch(slot)
      case .stall:
        pending.isStalled = true
        connection.pointee.pending = pending
        timers.cancel(slot)
        note(.ended(.stalled), of: pending, on: listener)
        if connection.pointee.hasHungUp { return clientLeft(slot) }
        if listener.isRetiring { return drop(slot) }
        return watch(slot)
      }
    }
    finish(slot, pending)
  }

  /// Sends a part of a response. Fails when no more can be sent now, or ever.
  private mutating func send(
    _ bytes: ArraySlice<UInt8>, to slot: Int, of pending: PendingResponse
  ) -> Bool {
    let connection = connections[slot]
    let listener = connection.pointee.listener
    connection.pointee.pending = pending
    bytes.withUnsafeBytes { transmit(slot, $0) }
    guard connections.find(slot) != nil else { return false }
    note(.sent(byteCount: bytes.count), of: pending, on: listener)
    if !connection.pointee.output.isEmpty { waitForRoom(slot) }
    return connection.pointee.output.isEmpty
  }

  private mutating func finish(_ slot: Int, _ pending: PendingResponse) {
    let connection = connections[slot]
    if case .handOver(let passage) = pending.script.end {
      note(.ended(.passedThrough), of: pending, on: connection.pointee.listener)
      return handOver(slot, to: passage)
    }
    connection.pointee.pending = nil
    connection.pointee.since = now
    setDeadline(slot, after: connection.pointee.listener.limits.idle)
    switch pending.script.end {
    case .reset:
      note(.ended(.reset), of: pending, on: connection.pointee.listener)
      connection.pointee.phase = .resetting
      resetOnceDelivered(slot)
    case .handOver, .close, .closeSilently, .keepOpen:
      let isLast = pending.script.end != .keepOpen
      if pending.script.end == .closeSilently { connection.pointee.tls?.endSilently() }
      let end: ResponseEvent.End = pending.script.breaksOff ? .cutOff : .responded
      note(.ended(end), of: pending, on: connection.pointee.listener)
      conclude(slot, isLast: isLast)
      settle(slot)
    }
  }

  func note(_ event: ResponseEvent, of pending: PendingResponse, on listener: Listener) {
    if let mark = pending.mark { listener.handler.note(event, of: mark) }
  }

  /// Resets the connection once the client's machine has everything sent before, since a reset
  /// would discard it. A client that does not take it is not waited for long.
  mutating func resetOnceDelivered(_ slot: Int) {
    let connection = connections[slot]
    let waited = now - connection.pointee.since
    let waitMax = connection.pointee.listener.limits.drain
    let descriptor = connection.pointee.descriptor
    if waited < waitMax, Socket.unacknowledgedByteCount(descriptor) > 0 {
      setDeadline(slot, after: min(max(waited, 1_000_000), waitMax - waited))
      return watch(slot)
    }
    Socket.resetOnClose(descriptor)
    drop(slot)
  }
}

// MARK: - Responses that come later

extension Loop {
  /// Hands a request to the ticket's holder. Until then the connection has no deadline.
  mutating func awaitResponse(
    _ slot: Int, _ mark: ResponseMark?, _ begin: (ResponseTicket) -> Errand?
  ) {
    ticketCount += 1
    let connection = connections[slot]
    var pending = PendingResponse(
      script: WireScript(delayConfigured: .zero, end: .keepOpen), mark: mark, due: now,
      requestedAt: now)
    pending.ticket = ticketCount
    timers.cancel(slot)
    let token = connections.token(of: slot)
    // The response is posted to the loop, so it cannot arrive before this returns.
    pending.errand = begin(
      ResponseTicket { [handle, number = ticketCount] script, then in
        handle.mailbox.post { loop in then(loop.release(script, to: token, number)) }
      })
    pending.isStalled = mark != nil || pending.errand != nil
    connection.pointee.phase = .responding
    connection.pointee.pending = pending
  }

  /// Serves the response for a ticket. Fails when the client has left, the server is closed, or the
  /// ticket was used.
  private mutating func release(_ script: WireScript, to token: UInt64, _ number: UInt64) -> Bool {
    guard let slot = connections.slot(of: token),
      let waiting = connections[slot].pointee.pending, waiting.ticket == number
    else { return false }
    let listener = connections[slot].pointee.listener
    note(.ready(script), of: waiting, on: listener)
    let delay = script.delayConfigured.nanoseconds(scaledBy: listener.timeScale)
    let due = max(now, waiting.requestedAt + delay)
    connections[slot].pointee.pending = PendingResponse(
      script: script, mark: waiting.mark, due: due, requestedAt: waiting.requestedAt)
    if due > now { setDeadline(slot, at: due) } else { serve(slot) }
    return true
  }

  /// Cuts off marked responses in progress of a listener, for one group or all, and closes their
  /// connections.
  mutating func cancelResponses(of number: Int, group: String?) {
    for slot in connections.slots where connections[slot].pointee.listener === listeners[number] {
      guard let mark = connections[slot].pointee.pending?.mark, group == nil || mark.group == group
      else { continue }
      breakOff(slot)
    }
  }
}

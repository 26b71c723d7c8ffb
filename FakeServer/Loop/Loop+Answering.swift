import UnderstudyHTTP
import UnderstudySystem

extension Loop {
  // SAFETY: both stretches belong to the caller and are not kept.

  /// Answers a complete request, at once unless the answer takes its time.
  mutating func answer(
    _ slot: Int, of listener: Listener, _ headBytes: UnsafeRawBufferPointer,
    body: UnsafeRawBufferPointer
  ) {
    let connection = connections[slot]
    connection.pointee.since = now
    if connection.pointee.isRequestUnderWay {
      connection.pointee.isRequestUnderWay = false
      setDeadline(slot, after: listener.limits.idle)
    }
    let arrival = Arrival(
      head: headBytes, body: body, receivedAt: wallNow, isLast: listener.isRetiring)
    switch listener.handler.answer(arrival, listener.head, into: &replies) {
    case .written(let keepsConnection):
      conclude(slot, isLast: !keepsConnection)
    case .script(let script, let mark):
      let delay = script.delayAsked.nanoseconds(scaledBy: listener.timeScale)
      // A turn may have lasted for a while: a delay does not begin before its request.
      let requestedAt = delay > 0 ? currentTime : now
      connection.pointee.phase = .answering
      connection.pointee.player = Player(
        script: script, mark: mark, due: requestedAt + delay, requestedAt: requestedAt)
    case .later(let mark, let begin): awaitAnswer(slot, mark, begin)
    }
  }

  mutating func refuse(_ slot: Int, _ refusal: Refusal) {
    connections[slot].pointee.listener.handler.refuse(refusal, at: wallNow, into: &replies)
    conclude(slot, isLast: true)
  }

  /// The answer is written: on to the next request, or to the end of the connection.
  private mutating func conclude(_ slot: Int, isLast: Bool) {
    let connection = connections[slot]
    switch connection.pointee.conversation.answered(isLast: isLast) {
    case .drain: beginDraining(slot)
    case .close: connection.pointee.closesOnceSent = true
    default: connection.pointee.phase = .reading
    }
  }

  /// Plays an answer on from where it stands, until it has to wait or is done.
  mutating func play(_ slot: Int) {
    guard let connection = connections.find(slot), connection.pointee.output.isEmpty,
      var player = connection.pointee.player, !player.isStalled, player.ticket == 0
    else { return }
    guard player.due <= now else { return setDeadline(slot, at: player.due) }
    let listener = connection.pointee.listener
    if !player.hasBegun {
      player.hasBegun = true
      note(.began(delay: now - player.requestedAt), of: player, on: listener)
    }
    while let step = player.script.nextJoined() {
      switch step {
      case .send(let bytes):
        connection.pointee.player = player
        bytes.withUnsafeBytes { transmit(slot, $0) }
        guard connections.find(slot) != nil else { return }
        note(.sent(byteCount: bytes.count), of: player, on: listener)
        if !connection.pointee.output.isEmpty { return waitForRoom(slot) }
      case .pause(let duration):
        player.due += duration.nanoseconds(scaledBy: listener.timeScale)
        guard player.due > now else { continue }
        connection.pointee.player = player
        setDeadline(slot, at: player.due)
        return watch(slot)
      case .stall:
        player.isStalled = true
        connection.pointee.player = player
        timers.cancel(slot)
        note(.ended(.stalled), of: player, on: listener)
        if connection.pointee.hasHungUp { return clientLeft(slot) }
        if listener.isRetiring { return drop(slot) }
        return watch(slot)
      }
    }
    finish(slot, player)
  }

  private mutating func finish(_ slot: Int, _ player: Player) {
    let connection = connections[slot]
    connection.pointee.player = nil
    connection.pointee.since = now
    setDeadline(slot, after: connection.pointee.listener.limits.idle)
    switch player.script.end {
    case .reset:
      note(.ended(.reset), of: player, on: connection.pointee.listener)
      connection.pointee.phase = .resetting
      resetOnceDelivered(slot)
    case .close, .keepOpen:
      let isLast = player.script.end == .close
      let end: AnswerEvent.End = player.script.breaksOff ? .cutOff : .answered
      note(.ended(end), of: player, on: connection.pointee.listener)
      conclude(slot, isLast: isLast)
      settle(slot)
    }
  }

  func note(_ event: AnswerEvent, of player: Player, on listener: Listener) {
    if let mark = player.mark { listener.handler.note(event, of: mark) }
  }

  /// Resets the connection when the client's machine has all that was sent before, which a reset
  /// would throw away on its way; a client that does not take it is not waited for long.
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

// MARK: - Answers that come later

extension Loop {
  /// Leaves a request to whoever gets the ticket. Until then no deadline runs for the connection.
  mutating func awaitAnswer(
    _ slot: Int, _ mark: AnswerMark?, _ begin: (Ticket) -> AnyObject?
  ) {
    ticketCount += 1
    let connection = connections[slot]
    var player = Player(
      script: WireScript(delayAsked: .zero, end: .keepOpen), mark: mark, due: now, requestedAt: now)
    player.isStalled = mark != nil
    player.ticket = ticketCount
    connection.pointee.phase = .answering
    connection.pointee.player = player
    timers.cancel(slot)
    let token = connections.token(of: slot)
    // The answer comes by way of the loop, and so not before this is over.
    connection.pointee.player?.errand = begin(
      Ticket { [handle, number = ticketCount] script, then in
        handle.mailbox.post { loop in then(loop.release(script, to: token, number)) }
      })
  }

  /// Plays the answer a ticket is for. Fails when the client has left, the server is closed, or the
  /// ticket was used.
  private mutating func release(_ script: WireScript, to token: UInt64, _ number: UInt64) -> Bool {
    guard let slot = connections.slot(of: token),
      let waiting = connections[slot].pointee.player, waiting.ticket == number
    else { return false }
    let listener = connections[slot].pointee.listener
    if let status = script.status { note(.ready(status: status), of: waiting, on: listener) }
    let delay = script.delayAsked.nanoseconds(scaledBy: listener.timeScale)
    let due = max(now, waiting.requestedAt + delay)
    connections[slot].pointee.player = Player(
      script: script, mark: waiting.mark, due: due, requestedAt: waiting.requestedAt)
    if due > now { setDeadline(slot, at: due) } else { play(slot) }
    return true
  }

  /// Breaks off the answers of a listener that are under way and marked, of one group or of all;
  /// their connections end.
  mutating func cancelAnswers(of number: Int, group: String?) {
    for slot in connections.slots where connections[slot].pointee.listener === listeners[number] {
      guard let mark = connections[slot].pointee.player?.mark, group == nil || mark.group == group
      else { continue }
      breakOff(slot)
    }
  }
}

import Glibc
import UnderstudyHTTP

extension Loop {
  // SAFETY: both stretches belong to the caller and are not kept.

  /// Answers a complete request, at once when the answer is ready and has nothing to wait for.
  mutating func answer(
    _ slot: Int, of seat: Seat, _ headBytes: UnsafeRawBufferPointer, body: UnsafeRawBufferPointer
  ) {
    let connection = connections[slot]
    connection.pointee.since = now
    if connection.pointee.isRequestUnderWay {
      connection.pointee.isRequestUnderWay = false
      setDeadline(slot, after: seat.limits.idle)
    }
    let arrival = Arrival(head: headBytes, body: body, moment: moment, receivedAt: wallNow)
    if seat.answerAtOnce(arrival, seat.head, into: &replies) {
      conclude(slot, isLast: false)
    } else {
      answerInFull(slot, of: seat, arrival)
    }
  }

  @inline(never)
  private mutating func answerInFull(_ slot: Int, of seat: Seat, _ arrival: Arrival) {
    let connection = connections[slot]
    switch seat.answer(arrival, seat.head, into: &replies) {
    case .written(let keepsConnection):
      conclude(slot, isLast: !keepsConnection)
    case .script(let script, let mark, let delay):
      // A turn may have lasted for a while: a delay does not begin before its request.
      let requestedAt = delay > 0 ? currentTime : now
      connection.pointee.phase = .answering
      connection.pointee.player = Player(
        script: script, mark: mark, due: requestedAt + delay, requestedAt: requestedAt)
    case .later(let mark, let begin): awaitAnswer(slot, mark, begin)
    }
  }

  mutating func refuse(_ slot: Int, _ refusal: Refusal) {
    connections[slot].pointee.seat.refuse(refusal, moment, at: wallNow, into: &replies)
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
    let seat = connection.pointee.seat
    let record = player.record
    if !player.hasBegun {
      player.hasBegun = true
      seat.noteBegin(record, delay: now - player.requestedAt)
    }
    while let step = player.script.nextJoined() {
      switch step {
      case .send(let bytes):
        connection.pointee.player = player
        bytes.withUnsafeBytes { transmit(slot, $0) }
        guard connections.find(slot) != nil else { return }
        seat.noteSent(record, byteCount: bytes.count)
        if !connection.pointee.output.isEmpty { return waitForRoom(slot) }
      case .pause(let duration):
        player.due += seat.scaled(duration)
        guard player.due > now else { continue }
        connection.pointee.player = player
        setDeadline(slot, at: player.due)
        return watch(slot)
      case .stall:
        player.isStalled = true
        connection.pointee.player = player
        timers.cancel(slot)
        seat.note(record, .stalled)
        if connection.pointee.hasHungUp { return clientLeft(slot) }
        if seat.isRetiring { return drop(slot) }
        return watch(slot)
      }
    }
    finish(slot, player)
  }

  private mutating func finish(_ slot: Int, _ player: Player) {
    let connection = connections[slot]
    connection.pointee.player = nil
    connection.pointee.since = now
    setDeadline(slot, after: connection.pointee.seat.limits.idle)
    switch player.script.end {
    case .reset:
      connection.pointee.seat.note(player.record, .reset)
      connection.pointee.phase = .resetting
      resetOnceDelivered(slot)
    case .close, .keepOpen:
      let isLast = player.script.end == .close
      connection.pointee.seat.note(player.record, player.script.breaksOff ? .cutOff : .answered)
      conclude(slot, isLast: isLast)
      settle(slot)
    }
  }

  /// Resets the connection when the client's machine has all that was sent before, which a reset
  /// would throw away on its way; a client that does not take it is not waited for long.
  mutating func resetOnceDelivered(_ slot: Int) {
    let connection = connections[slot]
    let waited = now - connection.pointee.since
    let waitMax = connection.pointee.seat.limits.drain
    let descriptor = connection.pointee.descriptor
    if waited < waitMax, Socket.unacknowledgedByteCount(descriptor) > 0 {
      setDeadline(slot, after: min(max(waited, 1_000_000), waitMax - waited))
      return watch(slot)
    }
    Socket.resetOnClose(descriptor)
    drop(slot)
  }
}

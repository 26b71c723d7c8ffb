import Glibc
import HTTP

extension Loop {
  /// Answers a complete request, at once when the answer is ready and has nothing to wait for.
  mutating func answer(
    _ slot: Int, _ headBytes: UnsafeRawBufferPointer, body: UnsafeRawBufferPointer
  ) {
    let connection = connections[slot]
    connection.pointee.isRequestUnderWay = false
    connection.pointee.since = now
    let arrival = Arrival(head: headBytes, body: body, moment: moment, receivedAt: wallNow)
    switch connection.pointee.seat.answer(arrival, head, into: &replies) {
    case .written(let keepsConnection):
      conclude(slot, isLast: !keepsConnection)
    case .script(let script, let record, let delay):
      connection.pointee.phase = .answering
      connection.pointee.player = Player(
        script: script, record: record, due: now + delay, requestedAt: now)
      if delay > 0 {
        setDeadline(slot, at: now + delay)
      } else {
        connection.pointee.afterwards = .playOn
      }
    case .later(let record, let begin): begin(awaitAnswer(slot, record))
    }
  }

  mutating func refuse(_ slot: Int, _ refusal: Refusal) {
    connections[slot].pointee.seat.refuse(refusal, moment, into: &replies)
    conclude(slot, isLast: true)
  }

  /// The answer is written: on to the next request, or to the end of the connection.
  private mutating func conclude(_ slot: Int, isLast: Bool) {
    let connection = connections[slot]
    switch connection.pointee.conversation.answered(isLast: isLast) {
    case .drain: beginDraining(slot)
    case .close: connection.pointee.afterwards = .close
    default: connection.pointee.phase = .reading
    }
  }

  /// Plays an answer on from where it stands, until it has to wait or is done.
  mutating func play(_ slot: Int) {
    guard let connection = connections.find(slot), var player = connection.pointee.player,
      player.ticket == 0
    else { return }
    let seat = connection.pointee.seat
    if !player.hasBegun {
      player.hasBegun = true
      seat.noteBegin(player.record, delay: now - player.requestedAt)
    }
    while let step = player.script.next() {
      switch step {
      case .send(let bytes):
        connection.pointee.player = player
        bytes.withUnsafeBytes { transmit(slot, $0) }
        guard connections.find(slot) != nil else { return }
        seat.noteSent(player.record, byteCount: bytes.count)
        if !connection.pointee.output.isEmpty {
          connection.pointee.afterwards = .playOn
          return watch(slot)
        }
      case .pause(let duration):
        player.due += seat.scaled(duration)
        connection.pointee.player = player
        setDeadline(slot, at: player.due)
        return watch(slot)
      case .stall:
        player.isStalled = true
        connection.pointee.player = player
        timers.cancel(slot)
        seat.note(player.record, .stalled)
        if connection.pointee.hasPeerLeft { return clientLeft(slot) }
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
      Socket.resetOnClose(connection.pointee.descriptor)
      drop(slot)
    case .close, .keepOpen:
      let isLast = player.script.end == .close
      connection.pointee.seat.note(player.record, isLast ? .cutOff : .answered)
      conclude(slot, isLast: isLast)
      settle(slot)
    }
  }
}

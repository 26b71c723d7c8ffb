/// The right to answer one request, once, from any thread.
struct Ticket: Sendable {
  let loop: EventLoop
  fileprivate let connection: UInt64
  fileprivate let number: UInt64

  /// Lets the answer be played; `then` is told, on the loop's thread, whether there was still
  /// somebody to play it to. Not called when the loop has ended. `status` is for the journal, if the
  /// request was noted without one.
  func release(
    _ script: WireScript, delay: Int64 = 0, status: Int? = nil,
    then: @escaping @Sendable (_ isTaken: Bool) -> Void = { _ in }
  ) {
    loop.post { then($0.release(self, script, delay: delay, status: status)) }
  }

  /// The same for those who can wait.
  func release(_ script: WireScript, delay: Int64 = 0) async -> Bool {
    await loop.ask { $0.release(self, script, delay: delay) } ?? false
  }
}

extension Loop {
  /// Leaves a request to whoever gets the ticket. Until then no deadline runs for the connection.
  mutating func awaitAnswer(
    _ slot: Int, _ mark: Player.Mark?, _ begin: (Ticket) -> AnyObject?
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
      Ticket(loop: handle, connection: token, number: ticketCount))
  }

  /// Plays the answer a ticket is for, its delay counted from the request. Fails when the client
  /// has left, the server is closed, or the ticket was used.
  fileprivate mutating func release(
    _ ticket: Ticket, _ script: WireScript, delay: Int64, status: Int? = nil
  ) -> Bool {
    guard let slot = connections.slot(of: ticket.connection),
      let waiting = connections[slot].pointee.player, waiting.ticket == ticket.number
    else { return false }
    if let status { connections[slot].pointee.seat.note(waiting.mark?.slot, status: status) }
    let due = max(now, waiting.requestedAt + delay)
    connections[slot].pointee.player = Player(
      script: script, mark: waiting.mark, due: due, requestedAt: waiting.requestedAt)
    if due > now { setDeadline(slot, at: due) } else { play(slot) }
    return true
  }

  /// Breaks off the answers of a server that are under way and in its journal, of one session or of
  /// all; their connections end.
  mutating func cancelPending(of seat: Seat, session: String?) {
    for slot in connections.slots where connections[slot].pointee.seat === seat {
      guard let mark = connections[slot].pointee.player?.mark,
        session == nil || mark.session == session
      else { continue }
      breakOff(slot)
    }
  }
}

import UnderstudySystem

extension Loop {
  /// What comes next of a body whose pieces come over time.
  enum NextPiece {
    case bytes(ArraySlice<UInt8>)
    /// The connection waits until it is woken.
    case later
    case end
  }

  mutating func nextPiece(_ slot: Int, of pending: inout PendingResponse) -> NextPiece {
    guard let stream = pending.script.pieces else { return .end }
    let token = connections.token(of: slot)
    let piece = stream.source.next { [handle] in handle.post { $0.pieceIsThere(token) } }
    let wasIdle = pending.isIdle
    pending.isIdle = false
    pending.due = now
    switch piece {
    case .bytes(let bytes): return .bytes(stream.framed(bytes))
    case .end:
      pending.script.pieces = nil
      return .end
    case .later:
      let filler = stream.source.filler
      // Its time has passed, since nobody has woken it.
      if wasIdle { return .bytes(stream.framed(filler.bytes)) }
      pending.isIdle = true
      pending.due = now + filler.after.nanoseconds
      waitForPiece(slot, pending)
      return .later
    }
  }

  private mutating func waitForPiece(_ slot: Int, _ pending: PendingResponse) {
    let connection = connections[slot]
    connection.pointee.pending = pending
    if connection.pointee.hasHungUp { return clientLeft(slot) }
    setDeadline(slot, at: pending.due)
    watch(slot)
  }

  private mutating func pieceIsThere(_ token: UInt64) {
    guard let slot = connections.slot(of: token),
      connections[slot].pointee.pending?.isIdle ?? false
    else { return }
    connections[slot].pointee.pending?.isIdle = false
    connections[slot].pointee.pending?.due = now
    serve(slot)
  }
}

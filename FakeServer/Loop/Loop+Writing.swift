import UnderstudyHTTP
import UnderstudySystem
import UnderstudyTLS

extension Loop {
  /// Sends the responses of this turn, and continues with what follows.
  mutating func settle(_ slot: Int) {
    defer { replies.clear() }
    guard connections.find(slot) != nil else { return }
    transmit(slot, replies.bytes)
    guard let connection = connections.find(slot) else { return }
    if connection.pointee.output.isEmpty { sent(slot) } else { waitForRoom(slot) }
  }

  /// Sends bytes, encrypted if the connection is; the rest waits with the connection.
  mutating func transmit(_ slot: Int, _ bytes: UnsafeRawBufferPointer) {
    guard bytes.count > 0, let connection = connections.find(slot) else { return }
    if connection.pointee.tls == nil { pass(slot, bytes) } else { encrypt(slot, bytes) }
  }

  /// Passes bytes to the kernel.
  mutating func pass(_ slot: Int, _ bytes: UnsafeRawBufferPointer) {
    guard let connection = connections.find(slot) else { return }
    guard connection.pointee.output.isEmpty else {
      return connection.pointee.output.append(bytes)
    }
    guard let count = Socket.send(connection.pointee.descriptor, bytes) else {
      return clientLeft(slot)
    }
    // SAFETY: the kernel took no more than it was given; the rest is copied at once.
    let rest = UnsafeRawBufferPointer(rebasing: bytes[count...])
    connection.pointee.output.append(rest)
  }

  /// Called when the kernel has room for more.
  mutating func flush(_ slot: Int) {
    guard let connection = connections.find(slot) else { return }
    let bytes = connection.pointee.output.bytes
    if bytes.count > 0 {
      guard let count = Socket.send(connection.pointee.descriptor, bytes) else {
        return clientLeft(slot)
      }
      connection.pointee.output.consume(count)
      if count > 0 { connection.pointee.since = now }
      guard connection.pointee.output.isEmpty else { return }
      setDeadline(slot, after: connection.pointee.patience)
    }
    sent(slot)
  }

  /// Waits because the kernel takes no more: the client has to read.
  mutating func waitForRoom(_ slot: Int) {
    let connection = connections[slot]
    connection.pointee.since = now
    _ = hasClientRead(slot)
    setDeadline(slot, after: connection.pointee.patience)
    watch(slot)
  }

  /// Whether the client has read anything since the last call. The kernel reports room only when
  /// there is a lot of it, which a slow client may take very long to make.
  private func hasClientRead(_ slot: Int) -> Bool {
    let connection = connections[slot]
    let count = Socket.unacknowledgedByteCount(connection.pointee.descriptor)
    defer { connection.pointee.unacknowledgedByteCount = count }
    return count != connection.pointee.unacknowledgedByteCount
  }

  /// Called when everything is passed to the kernel.
  private mutating func sent(_ slot: Int) {
    let connection = connections[slot]
    guard !connection.pointee.closesOnceSent else { return drop(slot) }
    switch connection.pointee.phase {
    case .draining: shutWriting(slot)
    case .resetting: break
    case .responding:
      guard let pending = connection.pointee.pending, !pending.isStalled else { return watch(slot) }
      if pending.due <= now { return resumeSoon(slot) }
      setDeadline(slot, at: pending.due)
      watch(slot)
    case .reading:
      if connection.pointee.listener.isRetiring, connection.pointee.waitsForNothing {
        return drop(slot)
      }
      let hasMore = !connection.pointee.input.isEmpty && !connection.pointee.isRequestUnderWay
      if hasMore { resumeSoon(slot) }
      if connection.pointee.tls != nil, !hasMore, hasEndedTLS(slot) { return }
      watch(slot)
    }
  }

  /// Updates the poller's interest in a connection.
  mutating func watch(_ slot: Int) {
    guard let connection = connections.find(slot) else { return }
    var interest: Poller.Interest =
      switch connection.pointee.phase {
      case .reading:
        connection.pointee.isReady || connection.pointee.request?.waitsForRoom == true ? [] : .reads
      case .draining: .reads
      case .responding: connection.pointee.hasHungUp ? [] : .hangUps
      case .resetting: []
      }
    if !connection.pointee.output.isEmpty {
      interest = connection.pointee.phase == .responding ? interest.union(.writes) : .writes
    }
    guard interest != connection.pointee.watched else { return }
    connection.pointee.watched = interest
    poller.change(
      connection.pointee.descriptor, token: connections.token(of: slot), interest)
  }

  /// The client left before everything was sent.
  mutating func clientLeft(_ slot: Int) {
    guard let connection = connections.find(slot) else { return }
    if let pending = connection.pointee.pending {
      note(.ended(.clientLeft), of: pending, on: connection.pointee.listener)
    }
    drop(slot)
  }

  /// Ends a connection whose response is cut off; a stalled response has already ended.
  mutating func breakOff(_ slot: Int) {
    guard let connection = connections.find(slot) else { return }
    if let pending = connection.pointee.pending, !pending.hasStalled {
      note(.ended(.cancelled), of: pending, on: connection.pointee.listener)
    }
    drop(slot)
  }

  /// Closes a connection at once. Bytes in the kernel are still delivered, unless a reset was
  /// requested.
  mutating func drop(_ slot: Int) {
    guard let connection = connections.find(slot) else { return }
    if connection.pointee.tls != nil { leaveTLS(slot) }
    poller.forget(connection.pointee.descriptor)
    Socket.close(connection.pointee.descriptor)
    remove(slot)
  }

  /// Forgets a connection, whose descriptor belongs to somebody else or to nobody.
  mutating func remove(_ slot: Int) {
    let connection = connections[slot]
    timers.cancel(slot)
    connection.pointee.input.removeAll()
    connection.pointee.output.removeAll()
    let listener = connection.pointee.listener
    connections.remove(slot)
    listener.connectionCount -= 1
    if listener.connectionCount == 0, let whenEmpty = listener.whenEmpty {
      listener.whenEmpty = nil
      whenEmpty()
    }
  }
}

// MARK: - Deadlines

extension Loop {
  mutating func setDeadline(_ slot: Int, after nanoseconds: Int64) {
    setDeadline(slot, at: now + nanoseconds)
  }

  /// Deadlines are never early: they are rounded up to the timers' milliseconds.
  mutating func setDeadline(_ slot: Int, at time: Int64) {
    timers.set(slot, at: (time + 999_999) / 1_000_000)
  }

  mutating func deadlinePassed(_ slot: Int) {
    let connection = connections[slot]
    let isBlocked = !connection.pointee.output.isEmpty
    switch connection.pointee.phase {
    case .responding where !isBlocked: return serve(slot)
    case .draining where !isBlocked: return drop(slot)
    case .resetting: return resetOnceDelivered(slot)
    default: break
    }
    let due = connection.pointee.since + connection.pointee.patience
    guard due <= now else { return setDeadline(slot, at: due) }
    if isBlocked, hasClientRead(slot) { return waitForRoom(slot) }
    guard connection.pointee.isRequestUnderWay, !isBlocked else { return clientLeft(slot) }
    if connection.pointee.tls?.state == .handshaking {
      return endHandshake(slot, because: "it took too long")
    }
    let waitsForRoom = connection.pointee.request?.waitsForRoom == true
    let refusal: Refusal = waitsForRoom ? .noRoomForBody : .tooSlow
    _ = connection.pointee.conversation.refuse(refusal)
    refuse(slot, refusal)
    settle(slot)
  }
}

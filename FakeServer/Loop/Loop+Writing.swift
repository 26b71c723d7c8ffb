import CLinux
import Glibc
import HTTP

extension Loop {
  /// Sends what was replied in this turn, and sees to what comes after it.
  mutating func settle(_ slot: Int) {
    defer { replies.clear() }
    guard connections.find(slot) != nil else { return }
    transmit(slot, replies.bytes)
    guard let connection = connections.find(slot) else { return }
    if connection.pointee.output.isEmpty { sent(slot) } else { watch(slot) }
  }

  /// Gives bytes to the kernel; what it does not take waits with the connection.
  mutating func transmit(_ slot: Int, _ bytes: UnsafeRawBufferPointer) {
    guard bytes.count > 0, let connection = connections.find(slot) else { return }
    guard connection.pointee.output.isEmpty else {
      return connection.pointee.output.append(bytes)
    }
    let count = send(
      connection.pointee.descriptor, bytes.baseAddress, bytes.count, Int32(MSG_NOSIGNAL))
    guard count >= 0 || clinux_errno() == EAGAIN else { return clientLeft(slot) }
    let rest = UnsafeRawBufferPointer(rebasing: bytes[max(0, count)...])
    connection.pointee.output.append(rest)
  }

  /// There is room for more in the kernel.
  mutating func flush(_ slot: Int) {
    guard let connection = connections.find(slot) else { return }
    let bytes = connection.pointee.output.bytes
    if bytes.count > 0 {
      let count = send(
        connection.pointee.descriptor, bytes.baseAddress, bytes.count,
        Int32(MSG_NOSIGNAL))
      guard count >= 0 || clinux_errno() == EAGAIN else { return clientLeft(slot) }
      connection.pointee.output.consume(max(0, count))
    }
    if connection.pointee.output.isEmpty { sent(slot) }
  }

  /// Everything that was to be sent is with the kernel.
  private mutating func sent(_ slot: Int) {
    let connection = connections[slot]
    switch connection.pointee.afterwards {
    case .close: drop(slot)
    case .reset:
      Socket.resetOnClose(connection.pointee.descriptor)
      drop(slot)
    case .playOn:
      connection.pointee.afterwards = .readOn
      ready.append(connections.token(of: slot))
    case .readOn:
      switch connection.pointee.phase {
      case .draining: shutWriting(slot)
      case .answering: watch(slot)
      case .reading:
        if connection.pointee.hasPeerLeft { return drop(slot) }
        let hasMore = !connection.pointee.input.isEmpty && !connection.pointee.isRequestUnderWay
        if hasMore { ready.append(connections.token(of: slot)) }
        watch(slot)
      }
    }
  }

  /// Tells the poller what matters for a connection now.
  mutating func watch(_ slot: Int) {
    guard let connection = connections.find(slot) else { return }
    var interest: Poller.Interest =
      switch connection.pointee.phase {
      case .reading: connection.pointee.output.isEmpty ? .reads : []
      case .draining: connection.pointee.output.isEmpty ? .reads : []
      case .answering: connection.pointee.hasPeerLeft ? [] : .hangUps
      }
    if !connection.pointee.output.isEmpty { interest.insert(.writes) }
    guard interest != connection.pointee.watched else { return }
    connection.pointee.watched = interest
    poller.change(
      connection.pointee.descriptor, token: connections.token(of: slot), interest)
  }

  /// The client went away before everything was said.
  mutating func clientLeft(_ slot: Int) {
    guard let connection = connections.find(slot) else { return }
    if let player = connection.pointee.player {
      connection.pointee.seat.note(player.record, .clientLeft)
    }
    drop(slot)
  }

  /// Ends a connection at once. Bytes already with the kernel are still delivered, unless a reset
  /// was asked for.
  mutating func drop(_ slot: Int) {
    guard let connection = connections.find(slot) else { return }
    timers.cancel(slot)
    connection.pointee.freeBuffers()
    close(connection.pointee.descriptor)
    connections.remove(slot)
  }
}

// MARK: - Deadlines

extension Loop {
  mutating func setDeadline(_ slot: Int, after nanoseconds: Int64) {
    setDeadline(slot, at: now + nanoseconds)
  }

  /// Deadlines are never early: they are rounded up to the timers' millisecond.
  mutating func setDeadline(_ slot: Int, at time: Int64) {
    timers.set(slot, at: (time + 999_999) / 1_000_000)
  }

  mutating func deadlinePassed(_ slot: Int) {
    let connection = connections[slot]
    let limits = connection.pointee.seat.limits
    switch connection.pointee.phase {
    case .answering where connection.pointee.output.isEmpty: play(slot)
    case .draining: drop(slot)
    case .reading, .answering:
      let isReceiving = connection.pointee.isRequestUnderWay
      let due = connection.pointee.since + (isReceiving ? limits.request : limits.idle)
      guard due <= now else { return setDeadline(slot, at: due) }
      guard isReceiving, connection.pointee.output.isEmpty else { return drop(slot) }
      _ = connection.pointee.conversation.refuse(.tooSlow)
      refuse(slot, .tooSlow)
      settle(slot)
    }
  }
}

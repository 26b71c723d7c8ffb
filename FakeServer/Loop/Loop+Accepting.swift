import Synchronization
import UnderstudyHTTP
import UnderstudySystem

extension Loop {
  /// How many clients are accepted before others are served again.
  static let acceptsPerTurnMax = 64
  /// How many clients are rejected at the same time; further ones wait in the kernel.
  private static let refusedCountMax = 64
  private static let acceptPause: Int64 = 50_000_000

  /// Starts to accept clients of a listener.
  mutating func listen(_ listener: Listener) -> Int {
    let number = nextListener
    nextListener += 1
    listeners[number] = listener
    if listener.handler.followsTurns { followers.append(listener.handler) }
    _ = poller.add(listener.descriptor, token: Self.token(.listener, UInt64(number)))
    return number
  }

  /// Closes a listener and drops its clients. Returns how many were connected.
  @discardableResult
  mutating func leave(_ number: Int) -> Int {
    guard let listener = listeners.removeValue(forKey: number) else { return 0 }
    stopListening(listener)
    let slots = slots(of: listener)
    for slot in slots { breakOff(slot) }
    listener.handler.left()
    followers.removeAll { $0 === listener.handler }
    return slots.count
  }

  /// Stops accepting clients. Idle clients are closed now, others after their response. `whenEmpty`
  /// is called when the last has left.
  mutating func retire(_ number: Int, whenEmpty: @escaping @Sendable () -> Void) {
    guard let listener = listeners[number] else { return whenEmpty() }
    // Clients connected before get a response; later ones could keep this from ending.
    acceptSome(number, countMax: Socket.backlog)
    stopListening(listener)
    listener.isRetiring = true
    for slot in slots(of: listener) {
      if connections[slot].pointee.phase == .reading { readable(slot) }
      if connections.find(slot)?.pointee.waitsForNothing ?? false { breakOff(slot) }
    }
    if listener.connectionCount == 0 { whenEmpty() } else { listener.whenEmpty = whenEmpty }
  }

  private mutating func stopListening(_ listener: Listener) {
    guard listener.phase != .closed else { return }
    if listener.isListening { poller.remove(listener.descriptor) }
    listener.phase = .closed
    Socket.close(listener.descriptor)
  }

  /// Accepts new clients of a listener from now on, or refuses them; clients that are connected
  /// stay. Fails when the port cannot be listened on again.
  mutating func accept(_ accepts: Bool, on number: Int) -> Bool {
    guard let listener = listeners[number], listener.phase != .closed,
      listener.isListening != accepts
    else { return true }
    if accepts {
      guard Socket.listenAgain(listener.descriptor) else { return false }
      listener.phase = .listening
      return poller.add(listener.descriptor, token: Self.token(.listener, UInt64(number)))
    }
    // A socket that was shut down is always ready, which would keep the loop busy.
    poller.remove(listener.descriptor)
    listener.phase = .refusing
    Socket.refuseClients(listener.descriptor)
    return true
  }

  private func slots(of listener: Listener) -> [Int] {
    connections.slots.filter { connections[$0].pointee.listener === listener }
  }

  mutating func acceptSome(_ number: Int, countMax: Int = acceptsPerTurnMax) {
    guard let listener = listeners[number], listener.isListening else { return }
    for _ in 0..<countMax {
      guard listener.connectionCount < listener.limits.connectionCountMax + Self.refusedCountMax
      else {
        return pauseAccepting(number, listener)
      }
      switch Socket.accept(listener.descriptor) {
      case .client(let descriptor): welcome(descriptor, listener)
      case .nobody: return
      case .gone: continue
      case .exhausted: return pauseAccepting(number, listener)
      }
    }
  }

  private mutating func welcome(_ descriptor: Int32, _ listener: Listener) {
    let isTooMany = listener.connectionCount >= listener.limits.connectionCountMax
    Socket.sendAtOnce(descriptor)
    let slot = connections.insert(Connection(descriptor: descriptor, listener: listener, now: now))
    listener.connectionCount += 1
    guard poller.add(descriptor, token: connections.token(of: slot)) else { return drop(slot) }
    if isTooMany {
      listener.handler.refuse(nil, at: wallNow, into: &replies)
      _ = connections[slot].pointee.conversation.responded(isLast: true)
      beginDraining(slot)
      settle(slot)
    } else {
      setDeadline(slot, after: listener.limits.idle)
      // The request has often arrived already: reading now saves a turn.
      readable(slot)
    }
  }

  /// Ignores clients that cannot be accepted now; repeated events for them would keep the loop
  /// busy.
  private mutating func pauseAccepting(_ number: Int, _ listener: Listener) {
    poller.change(listener.descriptor, token: Self.token(.listener, UInt64(number)), [])
    acceptsAgainAt = now + Self.acceptPause
  }

  mutating func acceptAgain() {
    acceptsAgainAt = nil
    for (number, listener) in listeners where listener.isListening {
      poller.change(listener.descriptor, token: Self.token(.listener, UInt64(number)), .reads)
    }
  }
}

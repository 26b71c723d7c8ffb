import Glibc
import Synchronization
import UnderstudyCLinux
import UnderstudyHTTP

extension Loop {
  /// So many clients are accepted before others are served again.
  static let acceptsPerTurnMax = 64
  /// So many are being turned away at the same time; further ones wait with the kernel.
  private static let refusedCountMax = 64
  private static let acceptPause: Int64 = 50_000_000

  /// Lets a server listen here. The seat owns the descriptor from now on.
  mutating func seat(_ seat: Seat) -> Int {
    let number = nextSeat
    nextSeat += 1
    seats[number] = seat
    if seat.reporter != nil { reportingSeats.append(seat) }
    _ = poller.add(seat.listener, token: Self.token(.listener, UInt64(number)))
    return number
  }

  /// Ends a server here: no more clients, and those connected are left. Returns how many there were.
  @discardableResult
  mutating func leave(_ number: Int) -> Int {
    guard let seat = seats.removeValue(forKey: number) else { return 0 }
    stopListening(seat)
    let slots = slots(of: seat)
    for slot in slots { breakOff(slot) }
    seat.core.leftJournal.withLock { $0 += seat.rawEntries { _ in true } }
    seat.reporter?.report()
    reportingSeats.removeAll { $0 === seat }
    return slots.count
  }

  /// Takes no more clients and leaves those that wait for nothing; others once they have their
  /// answer. `whenEmpty` is called when the last has gone.
  mutating func retire(_ number: Int, whenEmpty: @escaping @Sendable () -> Void) {
    guard let seat = seats[number] else { return whenEmpty() }
    // Whoever was connected before may count on an answer; later ones could keep this from ending.
    acceptSome(number, countMax: Socket.backlog)
    stopListening(seat)
    seat.isRetiring = true
    for slot in slots(of: seat) {
      if connections[slot].pointee.phase == .reading { readable(slot) }
      if connections.find(slot)?.pointee.waitsForNothing ?? false { breakOff(slot) }
    }
    if seat.connectionCount == 0 { whenEmpty() } else { seat.whenEmpty = whenEmpty }
  }

  private mutating func stopListening(_ seat: Seat) {
    guard seat.isListening else { return }
    seat.isListening = false
    poller.remove(seat.listener)
    close(seat.listener)
  }

  private func slots(of seat: Seat) -> [Int] {
    connections.slots.filter { connections[$0].pointee.seat === seat }
  }

  mutating func acceptSome(_ number: Int, countMax: Int = acceptsPerTurnMax) {
    guard let seat = seats[number], seat.isListening else { return }
    for _ in 0..<countMax {
      guard seat.connectionCount < seat.limits.connectionCountMax + Self.refusedCountMax else {
        return pauseAccepting(number, seat)
      }
      let descriptor = accept4(
        seat.listener, nil, nil, Int32(SOCK_NONBLOCK.rawValue | SOCK_CLOEXEC.rawValue))
      if descriptor >= 0 {
        welcome(descriptor, seat)
        continue
      }
      switch clinux_errno() {
      case EAGAIN: return
      case EMFILE, ENFILE, ENOBUFS, ENOMEM: return pauseAccepting(number, seat)
      // This client is gone again; the next may not be.
      default: continue
      }
    }
  }

  private mutating func welcome(_ descriptor: Int32, _ seat: Seat) {
    let isTooMany = seat.connectionCount >= seat.limits.connectionCountMax
    Socket.setOption(descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, 1)
    let slot = connections.insert(Connection(descriptor: descriptor, seat: seat, now: now))
    seat.connectionCount += 1
    guard poller.add(descriptor, token: connections.token(of: slot)) else { return drop(slot) }
    if isTooMany {
      seat.refuseClient(moment, at: wallNow, into: &replies)
      _ = connections[slot].pointee.conversation.answered(isLast: true)
      beginDraining(slot)
      settle(slot)
    } else {
      setDeadline(slot, after: seat.limits.idle)
      // The request is often there already: reading now saves a turn.
      readable(slot)
    }
  }

  /// Looks away from clients that cannot be accepted now; to be told of them again and again would
  /// keep the loop from everything else.
  private mutating func pauseAccepting(_ number: Int, _ seat: Seat) {
    poller.change(seat.listener, token: Self.token(.listener, UInt64(number)), [])
    acceptsAgainAt = now + Self.acceptPause
  }

  mutating func acceptAgain() {
    acceptsAgainAt = nil
    for (number, seat) in seats where seat.isListening {
      poller.change(seat.listener, token: Self.token(.listener, UInt64(number)), .reads)
    }
  }
}

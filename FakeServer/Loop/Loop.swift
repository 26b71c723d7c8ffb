import CLinux
import Glibc
import HTTP

/// What an event loop owns: its poller, timers, connections and the servers that listen on it.
///
/// Lives on the loop's thread and is touched nowhere else; others post jobs to its mailbox.
struct Loop: ~Copyable {
  /// What a poller's token stands for, in its highest bits.
  private enum Kind: UInt64 {
    case connection, listener, mailbox
  }

  private static let kindShift: UInt64 = 62
  private static let inputByteCount = 64 << 10

  let poller: Poller
  var timers: TimerWheel
  var connections = ConnectionTable()
  var seats: [Int: Seat] = [:]
  /// Monotonic nanoseconds, read once for everything that happens in one turn.
  var now: Int64
  var isEnding = false
  /// The time of this turn, as answers tell it.
  var moment: Moment
  /// The same in nanoseconds since 1970.
  var wallNow: Int64 = 0
  var head = RequestHead()
  let handle: EventLoop
  private var nextSeat = 0
  var ticketCount: UInt64 = 0
  /// Where arriving bytes are put first; only what is left of a request is kept with its connection.
  let arrivals: UnsafeMutableRawBufferPointer
  /// What is to be sent to the connection that is dealt with at this moment.
  var replies: [UInt8] = []
  /// Tokens of connections that can go on at once: an answer to be played, requests sent ahead.
  var ready: [UInt64] = []

  init(handle: EventLoop) throws(SystemError) {
    self.handle = handle
    now = handle.clock.monotonic()
    moment = Moment(unixSeconds: 0)
    poller = try Poller()
    timers = TimerWheel(now: now / 1_000_000)
    // SAFETY: freed by deinit; each read is bounded by its size and only what was read is used.
    arrivals = .allocate(byteCount: Self.inputByteCount, alignment: 64)
    _ = poller.add(handle.mailbox.descriptor, token: Self.token(.mailbox, 0))
  }

  deinit { arrivals.deallocate() }

  private static func token(_ kind: Kind, _ value: UInt64) -> UInt64 {
    kind.rawValue << kindShift | value
  }

  /// Serves until the loop is told to end, then leaves every connection.
  mutating func run() {
    while !isEnding { turn() }
    for job in handle.mailbox.close() { job(&self) }
    for number in Array(seats.keys) { leave(number) }
  }

  /// Waits for the next events and deadlines and deals with them.
  private mutating func turn() {
    let timeout = timers.nextTick.map { max(0, $0 * 1_000_000 - handle.clock.monotonic()) } ?? -1
    let eventCount = poller.wait(nanoseconds: timeout)
    updateTime()
    for index in 0..<eventCount { handleEvent(poller.event(at: index)) }
    advanceTimers()
    resumeReady()
  }

  /// Goes on with what can, one after the other: each may make others ready, none nests in another.
  private mutating func resumeReady() {
    while let token = ready.popLast() {
      guard let slot = connections.slot(of: token) else { continue }
      if connections[slot].pointee.phase == .answering {
        play(slot)
      } else {
        processInput(slot)
        settle(slot)
      }
    }
  }

  mutating func updateTime() {
    now = handle.clock.monotonic()
    wallNow = handle.clock.wall()
    moment.update(unixSeconds: Int(wallNow / 1_000_000_000))
  }

  private mutating func advanceTimers() {
    let tick = now / 1_000_000
    while let slot = timers.popDue(at: tick) {
      if connections.find(slot) != nil { deadlinePassed(slot) }
    }
  }

  private mutating func handleEvent(_ event: Poller.Event) {
    let value = event.token & (1 << Self.kindShift - 1)
    switch Kind(rawValue: event.token >> Self.kindShift) {
    case .connection:
      guard let slot = connections.slot(of: value) else { return }
      if event.isWritable { flush(slot) }
      guard connections.slot(of: value) != nil else { return }
      if event.isReadable || event.hasFailed { readable(slot) }
    case .listener: acceptAll(Int(value))
    case .mailbox: for job in handle.mailbox.take() { job(&self) }
    case nil: break
    }
  }
}

// MARK: - Servers

extension Loop {
  /// Lets a server listen here. The seat owns the descriptor from now on.
  mutating func seat(_ seat: Seat) -> Int {
    let number = nextSeat
    nextSeat += 1
    seats[number] = seat
    _ = poller.add(seat.listener, token: Self.token(.listener, UInt64(number)))
    return number
  }

  /// Ends a server here: no more clients, and those connected are left. Returns how many there were.
  @discardableResult
  mutating func leave(_ number: Int) -> Int {
    guard let seat = seats.removeValue(forKey: number) else { return 0 }
    poller.remove(seat.listener)
    close(seat.listener)
    let slots = connections.slots.filter { connections[$0].pointee.seat === seat }
    for slot in slots {
      seat.note(connections[slot].pointee.player?.record, .cancelled)
      drop(slot)
    }
    return slots.count
  }

  private mutating func acceptAll(_ number: Int) {
    guard let seat = seats[number] else { return }
    while true {
      let descriptor = accept4(
        seat.listener, nil, nil, Int32(SOCK_NONBLOCK.rawValue | SOCK_CLOEXEC.rawValue))
      guard descriptor >= 0 else { return }
      guard connections.count < seat.limits.connectionCountMax else {
        seat.refusedCount += 1
        close(descriptor)
        continue
      }
      Socket.setOption(descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, 1)
      let slot = connections.insert(Connection(descriptor: descriptor, seat: seat, now: now))
      guard poller.add(descriptor, token: connections.token(of: slot)) else {
        drop(slot)
        continue
      }
      setDeadline(slot, after: seat.limits.idle)
      // The request is often there already: reading now saves a turn.
      readable(slot)
    }
  }
}

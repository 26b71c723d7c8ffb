import UnderstudyCore
import UnderstudyHTTP
import UnderstudySystem

/// What an event loop owns: its poller, timers, connections and listeners.
///
/// Lives on the loop's thread and is touched nowhere else; others post jobs to its mailbox.
struct Loop: ~Copyable {
  /// What a poller's token stands for, in its highest bits.
  enum Kind: UInt64 {
    case connection, listener, mailbox
  }

  private static let kindShift: UInt64 = 62
  private static let inputByteCount = 64 << 10

  let poller: Poller
  var timers: TimerWheel
  var connections = ConnectionTable()
  var listeners: [Int: Listener] = [:]
  /// Handlers that follow each turn.
  var followers: [any RequestHandler] = []
  /// Monotonic nanoseconds, read once for everything that happens in one turn.
  var now: Int64
  /// The same in nanoseconds since 1970.
  var wallNow = Moment.epoch
  var isEnding = false
  /// When to look again for clients that could not be accepted.
  var acceptsAgainAt: Int64?
  let handle: EventLoop
  var nextListener = 0
  var ticketCount: UInt64 = 0
  /// Where arriving bytes are put first; only what is left of a request is kept with its connection.
  let arrivals: UnsafeMutableRawBufferPointer
  /// What is to be sent to the connection that is dealt with at this moment.
  var replies = ByteBuffer()
  /// Tokens of connections that can go on at once: an answer to be played, requests sent ahead.
  private var ready: [UInt64] = []
  /// Those whose turn it is.
  private var resumed: [UInt64] = []

  init(handle: EventLoop) throws(SystemError) {
    self.handle = handle
    now = handle.clock.monotonic()
    poller = try Poller()
    timers = TimerWheel(now: now / 1_000_000)
    // SAFETY: freed by deinit; each read is bounded by its size and only what was read is used.
    arrivals = .allocate(byteCount: Self.inputByteCount, alignment: 64)
    _ = poller.add(handle.mailbox.descriptor, token: Self.token(.mailbox, 0))
  }

  deinit {
    arrivals.deallocate()
    var replies = replies
    replies.removeAll()
  }

  static func token(_ kind: Kind, _ value: UInt64) -> UInt64 {
    kind.rawValue << kindShift | value
  }

  /// Serves until the loop is told to end, then leaves every connection.
  mutating func run() {
    while !isEnding { turn() }
    for job in handle.mailbox.close() { job(&self) }
    for number in Array(listeners.keys) { leave(number) }
  }

  /// Waits for the next events and deadlines and deals with them.
  private mutating func turn() {
    let eventCount = poller.wait(nanoseconds: timeout)
    updateTime()
    for index in 0..<eventCount { handleEvent(poller.event(at: index)) }
    advanceTimers()
    if let time = acceptsAgainAt, time <= now { acceptAgain() }
    resumeReady()
    for handler in followers { handler.turnEnded() }
  }

  /// How long nothing has to be done unless an event comes; negative: for ever.
  private var timeout: Int64 {
    guard ready.isEmpty else { return 0 }
    let deadline = timers.nextTick.map { $0 * 1_000_000 } ?? .max
    let next = min(deadline, acceptsAgainAt ?? .max)
    return next == .max ? -1 : max(0, next - currentTime)
  }

  /// Lets a connection go on after everything else that waits at this moment.
  mutating func resumeSoon(_ slot: Int) {
    let connection = connections[slot]
    guard !connection.pointee.isReady else { return }
    connection.pointee.isReady = true
    ready.append(connections.token(of: slot))
  }

  /// Goes on with what can, each connection once: whoever has more to do waits until all others had
  /// their turn.
  private mutating func resumeReady() {
    swap(&ready, &resumed)
    for token in resumed {
      guard let slot = connections.slot(of: token) else { continue }
      connections[slot].pointee.isReady = false
      switch connections[slot].pointee.phase {
      case .answering: play(slot)
      case .reading:
        processInput(slot)
        settle(slot)
      case .draining, .resetting: break
      }
    }
    resumed.removeAll(keepingCapacity: true)
  }

  /// Monotonic nanoseconds at this very moment, which may be later than `now`.
  var currentTime: Int64 { handle.clock.monotonic() }

  mutating func updateTime() {
    now = currentTime
    wallNow = handle.clock.wall()
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
      if event.hasHungUp { connections[slot].pointee.hasHungUp = true }
      switch connections[slot].pointee.phase {
      case .reading, .draining: if event.isReadable || event.hasFailed { readable(slot) }
      case .answering, .resetting: noticeClient(slot, hasFailed: event.hasFailed)
      }
    case .listener: acceptSome(Int(value))
    case .mailbox: for job in handle.mailbox.take() { job(&self) }
    case nil: break
    }
  }
}

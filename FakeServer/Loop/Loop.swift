import UnderstudyCore
import UnderstudyHTTP
import UnderstudySystem
import UnderstudyTLS

/// The state of an event loop: its poller, timers, connections and listeners.
///
/// Used only on the loop's thread; others post jobs to its mailbox. The folder serves HTTP/1.1 over
/// sockets and knows no contracts: a `RequestHandler` gets each complete request, and writes bytes,
/// returns a `WireScript` of steps, or responds later.
///
/// Read `EventLoop`, which owns the thread, then this file and `Connection`, and the extensions in
/// the order of a request: `Loop+Accepting`, `Loop+Reading`, `Loop+Responding`, `Loop+Pieces`,
/// `Loop+Writing`. Bytes of a client that begins TLS pass through `Loop+TLS` on both ways.
///
/// Nothing here blocks: what takes time is a deadline in `timers`, or a `ResponseTicket` by which
/// another thread responds. Slots of connections are used again, so events and jobs name one by a
/// token with its generation, and those that come too late find nothing.
struct Loop: ~Copyable {
  /// The kind of a poller's token, in its highest bits.
  enum Kind: UInt64 {
    case connection, listener, mailbox
  }

  private static let kindShift: UInt64 = 62
  private static let inputByteCount = 64 << 10

  let poller: Poller
  var timers: TimerWheel
  var laterJobs: LaterJobs
  var connections = ConnectionTable()
  var listeners: [Int: Listener] = [:]
  /// Handlers that are notified after each turn.
  var followers: [any RequestHandler] = []
  /// Monotonic nanoseconds, read once for each turn.
  var now: Int64
  /// The wall clock's time when `now` was read.
  var wallNow = Moment.epoch
  var isEnding = false
  /// When to retry accepting clients.
  var acceptsAgainAt: Int64?
  let handle: EventLoop
  var nextListener = 0
  var ticketCount: UInt64 = 0
  /// The buffer for incoming bytes; only incomplete requests are kept with their connections.
  let arrivals: UnsafeMutableRawBufferPointer
  /// Made when the first client begins TLS.
  var tlsBuffers: TLSBuffers?
  /// Bytes to send to the current connection.
  var replies = ByteBuffer()
  /// Tokens of connections that can continue at once, with a response or pipelined requests.
  private var ready: [UInt64] = []
  /// Connections to continue in this turn.
  private var resumed: [UInt64] = []

  init(handle: EventLoop) throws(SystemError) {
    self.handle = handle
    now = handle.clock.monotonic()
    poller = try Poller()
    timers = TimerWheel(now: now / 1_000_000)
    laterJobs = LaterJobs(now: now / 1_000_000)
    // SAFETY: freed by deinit; each read is limited to its size, and only read bytes are used.
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

  /// Serves until the loop is told to end, then closes every connection.
  mutating func run() {
    while !isEnding { turn() }
    for job in handle.mailbox.close() { job(&self) }
    for number in Array(listeners.keys) { leave(number) }
  }

  /// Waits for the next events and deadlines and handles them.
  private mutating func turn() {
    let timeout = timeout()
    let eventCount = poller.wait(nanoseconds: timeout)
    updateTime()
    for index in 0..<eventCount { handleEvent(poller.event(at: index)) }
    advanceTimers()
    runLaterJobs()
    if let time = acceptsAgainAt, time <= now { acceptAgain() }
    resumeReady()
    for handler in followers { handler.turnEnded() }
  }

  /// How long nothing has to be done without an event; negative means forever.
  private mutating func timeout() -> Int64 {
    guard ready.isEmpty else { return 0 }
    let tick = min(timers.nextTick ?? .max, laterJobs.nextTick ?? .max)
    let deadline = tick == .max ? .max : tick * 1_000_000
    let next = min(deadline, acceptsAgainAt ?? .max)
    return next == .max ? -1 : max(0, next - currentTime)
  }

  /// Continues a connection after everything else that is due now.
  mutating func resumeSoon(_ slot: Int) {
    let connection = connections[slot]
    guard !connection.pointee.isReady else { return }
    connection.pointee.isReady = true
    ready.append(connections.token(of: slot))
  }

  /// Continues ready connections, each once: one with more to do waits until all others had their
  /// turn.
  private mutating func resumeReady() {
    swap(&ready, &resumed)
    for token in resumed {
      guard let slot = connections.slot(of: token) else { continue }
      connections[slot].pointee.isReady = false
      switch connections[slot].pointee.phase {
      case .responding: serve(slot)
      case .reading:
        processInput(slot)
        settle(slot)
      case .draining, .resetting: break
      }
    }
    resumed.removeAll(keepingCapacity: true)
  }

  /// The current time in monotonic nanoseconds, which may be later than `now`.
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
      case .responding, .resetting: noticeClient(slot, hasFailed: event.hasFailed)
      }
    case .listener: acceptSome(Int(value))
    case .mailbox: for job in handle.mailbox.take() { job(&self) }
    case nil: break
    }
  }
}

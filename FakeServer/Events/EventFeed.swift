import Synchronization
import UnderstudyCore
import UnderstudyHTTP
import UnderstudySecrets
import UnderstudySystem

/// What happens on a server, for the clients that listen to it.
///
/// Any thread may use it. Nothing is collected before the first client listens, nor once the last
/// has left for a while. Threads that serve clients only put events into a queue; another thread
/// writes them out and wakes listeners. All listeners read one queue of written events, each at its
/// own place: who is too slow, or returns too late, is told how much it has missed.
///
/// `FeedEvent` lists what can happen and writes it without secrets, as server-sent events.
/// `BoundedQueue` limits both queues by number and size. Numbers of events have no gaps, so a gap
/// in a queue is exactly what was dropped.
final class EventFeed: Sendable {
  struct Limits {
    /// Limits both queues: events that wait to be written out, and written ones.
    var countMax = 10_000
    var byteCountMax = 8 << 20
    /// How long events are collected for clients that may return.
    var lingerMax: Duration = .seconds(60)
  }

  fileprivate struct Arrived {
    let id: UInt64
    let event: FeedEvent
    let session: String?
  }

  fileprivate struct State {
    var arrived: BoundedQueue<Arrived>
    var written: BoundedQueue<WrittenEvent>
    /// Numbers without gaps; a gap in a queue means dropped events.
    var lastID: UInt64 = 0
    /// The last number before collecting began: what happened until then is unknown.
    var startID: UInt64 = 0
    var writtenID: UInt64 = 0
    var isWriting = false
    var isClosed = false
    var listenerCount = 0
    var listeners: [Int: EventListener] = [:]
    /// When the last listener left.
    var leftAt: Int64 = 0
  }

  private let limits: Limits
  private let mask: SecretMask
  private let messageLimits: MessageLimits
  private let collecting = Atomic(false)
  private let state: Mutex<State>

  init(_ limits: Limits, _ mask: SecretMask, _ messageLimits: MessageLimits) {
    self.limits = limits
    self.mask = mask
    self.messageLimits = messageLimits
    state = Mutex(
      State(
        arrived: BoundedQueue(countMax: limits.countMax, byteCountMax: limits.byteCountMax),
        written: BoundedQueue(countMax: limits.countMax, byteCountMax: limits.byteCountMax)))
  }

  /// Whether somebody may want to know of events.
  var isCollecting: Bool { collecting.load(ordering: .relaxed) }

  /// - Parameter session: `nil` for what concerns the whole server; requests know their own.
  func add(_ event: @autoclosure () -> FeedEvent, session: String? = nil) {
    guard isCollecting else { return }
    let event = event()
    let mustStart = state.withLock { state in
      guard goesOn(&state) else { return false }
      state.lastID += 1
      state.arrived.append(
        Arrived(id: state.lastID, event: event, session: session), byteCount: event.byteCount)
      defer { state.isWriting = true }
      return !state.isWriting
    }
    if mustStart { EventLoop.inBackground { self.write() } }
  }

  /// Stops collecting when nobody has listened for a while.
  private func goesOn(_ state: inout State) -> Bool {
    let isOver =
      state.listeners.isEmpty
      && SystemClock.monotonic - state.leftAt > limits.lingerMax.nanoseconds
    if isOver || state.isClosed {
      collecting.store(false, ordering: .relaxed)
      state.arrived.removeAll()
      state.written.removeAll()
      return false
    }
    return true
  }

  /// Writes out what has arrived, on a thread that serves no clients.
  private func write() {
    var writer = FeedWriter(mask, messageLimits)
    while true {
      let arrived = state.withLock { state in
        let arrived = state.arrived.takeFirst(100)
        state.isWriting = !arrived.isEmpty
        return arrived
      }
      guard !arrived.isEmpty else { return }
      let written = arrived.map { writer.written($0.event, id: $0.id, session: $0.session) }
      let wakes = state.withLock { $0.add(written) }
      for wake in wakes { wake() }
    }
  }

  /// Ends the responses of all listeners after what has happened so far.
  func close(then: @escaping @Sendable () -> Void) {
    state.withLock { $0.isClosed = true }
    end { _ in
      true
    } then: {
      then()
    }
  }

  /// Ends the responses of those that listen to one session only.
  func end(session: String) {
    end {
      $0 == session
    } then: {
    }
  }

  private func end(
    _ isMeant: @escaping @Sendable (_ session: String?) -> Bool,
    then: @escaping @Sendable () -> Void
  ) {
    let isNeeded = state.withLock { state in
      let numbers = state.listeners.filter { isMeant($0.value.session) }.keys
      for number in numbers { state.listeners[number]?.endID = state.lastID }
      return !numbers.isEmpty
    }
    guard isNeeded else { return then() }
    EventLoop.inBackground { [self] in
      write()
      for wake in state.withLock({ $0.wakes { $0.endID != nil } }) { wake() }
      then()
    }
  }
}

// MARK: - Listening

extension EventFeed {
  typealias Wake = @Sendable () -> Void

  /// One client's place among the events.
  fileprivate struct EventListener {
    /// `nil` for the events of all sessions.
    let session: String?
    /// The number of the last event that it got or need not get.
    var lastID: UInt64
    /// Whether it has missed events that nobody has counted.
    var hasMissedSome: Bool
    /// The last event that it gets, if its response is to end.
    var endID: UInt64?
    /// Set while it waits and has all that is written.
    var wake: Wake?

    func hears(_ event: WrittenEvent) -> Bool {
      session == nil || event.session == nil || event.session == session
    }
  }

  /// The events from now on, or those after one that the client got before.
  ///
  /// - Parameter session: `nil` for the events of all sessions.
  func listen(session: String?, after lastID: UInt64?) -> any PieceSource {
    state.withLock { state in
      if !state.isClosed, !(isCollecting && goesOn(&state)) {
        // Numbers grow from one run of the server to the next.
        let now = UInt64(clamping: Moment.now.microseconds)
        state.startID = max(state.lastID + 1, now)
        (state.lastID, state.writtenID) = (state.startID, state.startID)
        collecting.store(true, ordering: .relaxed)
      }
      let isKnown = lastID.map { state.startID...state.lastID ~= $0 } ?? true
      state.listenerCount += 1
      state.listeners[state.listenerCount] = EventListener(
        session: session, lastID: isKnown ? lastID ?? state.lastID : state.startID,
        hasMissedSome: !isKnown, endID: state.isClosed ? state.lastID : nil)
      return ListenerPieces(number: state.listenerCount, feed: self)
    }
  }

  /// The response of one listener, who leaves with it.
  private final class ListenerPieces: PieceSource {
    private let number: Int
    private let feed: EventFeed

    init(number: Int, feed: EventFeed) {
      self.number = number
      self.feed = feed
    }

    deinit {
      feed.state.withLock { state in
        state.listeners[number] = nil
        state.leftAt = SystemClock.monotonic
      }
    }

    var filler: (bytes: [UInt8], after: Duration) { (Array(":\n\n".utf8), .seconds(15)) }

    func next(wake: @escaping Wake) -> Piece {
      feed.state.withLock { $0.next(number, wake: wake) }
    }
  }
}

extension EventFeed.State {
  private static let pieceByteCount = 64 << 10

  /// Returns whom to wake.
  fileprivate mutating func add(_ new: [WrittenEvent]) -> [EventFeed.Wake] {
    guard let newID = new.last?.id else { return [] }
    let hasGap = newID - writtenID != UInt64(new.count)
    writtenID = newID
    for event in new { written.append(event, byteCount: event.bytes.count) }
    let wakes = wakes { listener in
      hasGap || listener.endID != nil || new.contains(where: listener.hears)
    }
    // The others need nothing of this.
    for (number, listener) in listeners where listener.wake != nil {
      listeners[number]?.lastID = newID
    }
    return wakes
  }

  fileprivate mutating func wakes(
    where isMeant: (EventFeed.EventListener) -> Bool
  ) -> [EventFeed.Wake] {
    var wakes: [EventFeed.Wake] = []
    for (number, listener) in listeners {
      guard let wake = listener.wake, isMeant(listener) else { continue }
      listeners[number]?.wake = nil
      wakes.append(wake)
    }
    return wakes
  }

  fileprivate mutating func next(_ number: Int, wake: @escaping EventFeed.Wake) -> Piece {
    guard var listener = listeners[number] else { return .end }
    defer { listeners[number] = listener }
    var bytes: [UInt8] = []
    if listener.hasMissedSome {
      listener.hasMissedSome = false
      bytes += WrittenEvent.skipped(nil, before: listener.lastID + 1)
    }
    var index = written.partitioningIndex { $0.id > listener.lastID }
    let endID = listener.endID ?? .max
    while index < written.endIndex, bytes.count < Self.pieceByteCount, listener.lastID < endID {
      let event = written[index]
      let missedCount = event.id - listener.lastID - 1
      if missedCount > 0 { bytes += WrittenEvent.skipped(missedCount, before: event.id) }
      if listener.hears(event) { bytes += event.bytes }
      listener.lastID = event.id
      index += 1
    }
    if !bytes.isEmpty { return .bytes(bytes) }
    if listener.lastID >= endID { return .end }
    listener.wake = wake
    return .later
  }
}

extension RandomAccessCollection where Index == Int {
  /// The first index of an element for which this is true, as it is for all after it.
  fileprivate func partitioningIndex(_ isAfter: (Element) -> Bool) -> Int {
    var (low, high) = (startIndex, endIndex)
    while low < high {
      let middle = (low + high) / 2
      if isAfter(self[middle]) { high = middle } else { low = middle + 1 }
    }
    return low
  }
}

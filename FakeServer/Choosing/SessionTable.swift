/// The sessions of a server besides the main one.
///
/// Clients create them by name, so their number is limited: the least recently used one is deleted.
/// Sessions that the admin API has controlled go last, so that with a token, nobody without it can
/// push them out by naming others.
struct SessionTable {
  private struct Entry {
    let session: Session
    var usedAt: Int
    var isControlled = false

    /// Whether it makes room first.
    func isBefore(_ other: Entry) -> Bool {
      isControlled == other.isControlled ? usedAt < other.usedAt : other.isControlled
    }
  }

  private let countMax: Int
  private let seed: UInt64
  private let starting: StartingState
  private let events: EventFeed
  private var entries: [String: Entry] = [:]
  /// Increases with each use, in place of a clock.
  private var useCount = 0
  /// Whether a deleted session may have left requests in the request log.
  private var hasForgotten = false

  init(countMax: Int, seed: UInt64, starting: StartingState, events: EventFeed) {
    self.countMax = max(1, countMax)
    self.seed = seed
    self.starting = starting
    self.events = events
  }

  var names: [String] { Array(entries.keys) }

  var all: [Session] { entries.values.map(\.session) }

  subscript(name: String) -> Session? { entries[name]?.session }

  /// The session of this name, created on first use, and the one deleted to make room.
  ///
  /// - Parameter sequence: the number of the last request.
  mutating func session(
    named name: String, after sequence: UInt64
  ) -> (Session, forgotten: Session?) {
    useCount += 1
    if let entry = entries[name] {
      entries[name]?.usedAt = useCount
      return (entry.session, nil)
    }
    var forgotten: Session?
    if entries.count >= countMax,
      let oldest = entries.min(by: { $0.value.isBefore($1.value) })
    {
      forgotten = entries.removeValue(forKey: oldest.key)?.session
      hasForgotten = true
    }
    let session = Session(
      name: name, starting: starting, journalStart: hasForgotten ? 0 : sequence, seed: seed,
      events: events)
    entries[name] = Entry(session: session, usedAt: useCount)
    return (session, forgotten)
  }

  /// Called when the admin API has let somebody control a session.
  mutating func noteControl(of name: String) { entries[name]?.isControlled = true }

  mutating func remove(_ name: String) {
    entries[name] = nil
  }

  mutating func removeAll() -> [Session] {
    defer { entries = [:] }
    return all
  }
}

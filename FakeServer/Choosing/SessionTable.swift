/// The sessions of a server beside the main one.
///
/// Clients make them by naming them, so there are never more than so many: then the one that was
/// not used for the longest time is forgotten.
struct SessionTable {
  private struct Entry {
    let session: Session
    var usedAt: Int
  }

  private let countMax: Int
  private var entries: [String: Entry] = [:]
  /// Grows with each use, in place of a clock.
  private var useCount = 0
  /// Whether a session that had to make room may have left requests in the journal.
  private var hasForgotten = false

  init(countMax: Int) {
    self.countMax = max(1, countMax)
  }

  var names: [String] { Array(entries.keys) }

  var all: [Session] { entries.values.map(\.session) }

  /// The session of this name, made when it is first asked for, and the one that had to make room.
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
      let oldest = entries.min(by: { $0.value.usedAt < $1.value.usedAt })
    {
      forgotten = entries.removeValue(forKey: oldest.key)?.session
      hasForgotten = true
    }
    let session = Session(name: name, journalStart: hasForgotten ? 0 : sequence)
    entries[name] = Entry(session: session, usedAt: useCount)
    return (session, forgotten)
  }

  mutating func remove(_ name: String) {
    entries[name] = nil
  }

  mutating func removeAll() -> [Session] {
    defer { entries = [:] }
    return all
  }
}

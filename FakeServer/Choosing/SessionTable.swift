/// The sessions of a server beside the main one.
///
/// Clients make them by naming them, so there are never more than so many: then the one that was
/// not used for the longest time is forgotten.
struct SessionTable {
  private struct Place {
    let session: Session
    var usedAt: Int
  }

  private let countMax: Int
  private var places: [String: Place] = [:]
  /// Grows with each use, in place of a clock.
  private var useCount = 0
  /// Whether a session that had to make room may have left requests in the journal.
  private var hasForgotten = false

  init(countMax: Int) {
    self.countMax = max(1, countMax)
  }

  var names: [String] { Array(places.keys) }

  var all: [Session] { places.values.map(\.session) }

  /// The session of this name, made when it is first asked for, and the one that had to make room.
  ///
  /// - Parameter sequence: the number of the last request.
  mutating func session(
    named name: String, after sequence: UInt64
  ) -> (Session, forgotten: Session?) {
    useCount += 1
    if let place = places[name] {
      places[name]?.usedAt = useCount
      return (place.session, nil)
    }
    var forgotten: Session?
    if places.count >= countMax, let oldest = places.min(by: { $0.value.usedAt < $1.value.usedAt })
    {
      forgotten = places.removeValue(forKey: oldest.key)?.session
      hasForgotten = true
    }
    let session = Session(name: name, journalStart: hasForgotten ? 0 : sequence)
    places[name] = Place(session: session, usedAt: useCount)
    return (session, forgotten)
  }

  mutating func remove(_ name: String) {
    places[name] = nil
  }

  mutating func removeAll() -> [Session] {
    defer { places = [:] }
    return all
  }
}

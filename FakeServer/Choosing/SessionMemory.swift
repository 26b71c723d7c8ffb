import UnderstudyContractModel

/// The named strings that the cases of a session's upstreams set and ask for.
struct SessionMemory: Sendable {
  /// More than a session may keep.
  struct Full: Error, Hashable {
    /// What there would be too much of: `10,000 names`.
    let limit: String
  }

  static let nameCountMax = 10_000
  static let byteCountMax = 64 << 20

  /// What the upstreams have whose state nobody has set.
  private let starting: StartingState
  private var changed: [String: UpstreamState] = [:]
  private var nameCount = 0
  private var byteCount = 0

  init(_ starting: StartingState = StartingState()) { self.starting = starting }

  /// The state of an upstream.
  subscript(_ upstreamName: String) -> UpstreamState {
    changed[upstreamName] ?? starting[upstreamName] ?? UpstreamState()
  }

  /// By upstream and name.
  var values: [String: [String: String]] {
    starting.all.merging(changed) { $1 }.mapValues(\.texts)
  }

  /// Sets or forgets names, all of them or none.
  mutating func change(
    _ upstreamName: String, _ changes: [(name: String, value: String?)]
  ) throws(Full) {
    let place = place(of: upstreamName)
    let counts = counted(changes, at: place)
    // Forgetting always helps.
    if counts.nameCount > nameCount, counts.nameCount > Self.nameCountMax {
      throw Full(limit: "10,000 names")
    }
    if counts.byteCount > byteCount, counts.byteCount > Self.byteCountMax {
      throw Full(limit: "64 MB")
    }
    apply(changes, at: place, counts)
  }

  /// Sets the names of a scenario, which no client can make too many.
  mutating func set(_ values: [StateValue], of upstreamName: String) {
    let place = place(of: upstreamName)
    let changes = values.map { (name: $0.name, value: $0.value as String?) }
    apply(changes, at: place, counted(changes, at: place))
  }

  private typealias Place = Dictionary<String, UpstreamState>.Index

  /// Where the session's own state of an upstream is, which begins as that of all.
  private mutating func place(of upstreamName: String) -> Place {
    while true {
      if let place = changed.index(forKey: upstreamName) { return place }
      let state = starting[upstreamName] ?? UpstreamState()
      changed[upstreamName] = state
      for (name, text) in state.texts {
        nameCount += 1
        byteCount += Self.byteCount(name, text)
      }
    }
  }

  private mutating func apply(
    _ changes: [(name: String, value: String?)], at place: Place,
    _ counts: (nameCount: Int, byteCount: Int)
  ) {
    (nameCount, byteCount) = counts
    for (name, value) in changes { changed.values[place][name] = value }
  }

  private func counted(
    _ changes: [(name: String, value: String?)], at place: Place
  ) -> (nameCount: Int, byteCount: Int) {
    var (nameCount, byteCount) = (nameCount, byteCount)
    var replaced: [String: String?] = [:]
    for (name, value) in changes {
      let old = replaced[name] ?? changed.values[place][name]
      nameCount += (value == nil ? 0 : 1) - (old == nil ? 0 : 1)
      byteCount += Self.byteCount(name, value) - Self.byteCount(name, old)
      // Only another change can be of the same name.
      if changes.count > 1 { replaced[name] = .some(value) }
    }
    return (nameCount, byteCount)
  }

  private static func byteCount(_ name: String, _ value: String?) -> Int {
    value.map { name.utf8.count + $0.utf8.count } ?? 0
  }
}

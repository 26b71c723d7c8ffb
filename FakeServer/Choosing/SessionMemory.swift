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
    begin(upstreamName)
    let counts = counted(upstreamName, changes)
    // Forgetting always helps.
    if counts.nameCount > nameCount, counts.nameCount > Self.nameCountMax {
      throw Full(limit: "10,000 names")
    }
    if counts.byteCount > byteCount, counts.byteCount > Self.byteCountMax {
      throw Full(limit: "64 MB")
    }
    apply(changes, of: upstreamName, counts)
  }

  /// Sets the names of a scenario, which no client can make too many.
  mutating func set(_ values: [StateValue], of upstreamName: String) {
    begin(upstreamName)
    let changes = values.map { (name: $0.name, value: $0.value as String?) }
    apply(changes, of: upstreamName, counted(upstreamName, changes))
  }

  /// Makes what the upstream begins with the session's own.
  private mutating func begin(_ upstreamName: String) {
    guard changed[upstreamName] == nil else { return }
    let state = starting[upstreamName] ?? UpstreamState()
    changed[upstreamName] = state
    for (name, text) in state.texts {
      nameCount += 1
      byteCount += Self.byteCount(name, text)
    }
  }

  private mutating func apply(
    _ changes: [(name: String, value: String?)], of upstreamName: String,
    _ counts: (nameCount: Int, byteCount: Int)
  ) {
    (nameCount, byteCount) = counts
    for (name, value) in changes { changed[upstreamName]?[name] = value }
  }

  private func counted(
    _ upstreamName: String, _ changes: [(name: String, value: String?)]
  ) -> (nameCount: Int, byteCount: Int) {
    var (nameCount, byteCount) = (nameCount, byteCount)
    var replaced: [String: String?] = [:]
    for (name, value) in changes {
      let old = replaced[name] ?? changed[upstreamName]?[name]
      nameCount += (value == nil ? 0 : 1) - (old == nil ? 0 : 1)
      byteCount += Self.byteCount(name, value) - Self.byteCount(name, old)
      replaced[name] = .some(value)
    }
    return (nameCount, byteCount)
  }

  private static func byteCount(_ name: String, _ value: String?) -> Int {
    value.map { name.utf8.count + $0.utf8.count } ?? 0
  }
}

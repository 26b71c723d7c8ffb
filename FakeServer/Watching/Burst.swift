/// Events that come close together, and when they are over: what changes many files is one change.
///
/// Reads no clock; times are monotonic nanoseconds.
struct Burst {
  static let quiet: Int64 = 30_000_000
  static let lengthMax: Int64 = 300_000_000

  private var first: Int64?
  private var last: Int64 = 0

  mutating func note(at now: Int64) {
    if first == nil { first = now }
    last = now
  }

  /// When it counts as over; `nil` when nothing has come.
  var due: Int64? {
    first.map { min(last + Self.quiet, $0 + Self.lengthMax) }
  }

  mutating func end() { first = nil }
}

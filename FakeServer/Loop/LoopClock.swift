import UnderstudyCore
import UnderstudySystem

/// What time it is for a loop; tests put one of their own in its place.
struct LoopClock: Sendable {
  /// Nanoseconds that only ever grow.
  let monotonic: @Sendable () -> Int64
  let wall: @Sendable () -> Moment

  static let system = LoopClock(monotonic: { SystemClock.monotonic }, wall: { .now })
}

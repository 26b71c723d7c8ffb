import UnderstudyCore
import UnderstudySystem

/// A loop's clock; tests replace it with their own.
struct LoopClock: Sendable {
  /// Nanoseconds that never decrease.
  let monotonic: @Sendable () -> Int64
  let wall: @Sendable () -> Moment

  static let system = LoopClock(monotonic: { SystemClock.monotonic }, wall: { .now })
}

import Glibc

/// What time it is; tests put one of their own in its place.
struct Clock: Sendable {
  /// Nanoseconds that only ever grow.
  let monotonic: @Sendable () -> Int64
  /// Nanoseconds since 1970.
  let wall: @Sendable () -> Int64

  static let system = Clock(
    monotonic: { Clock.read(CLOCK_MONOTONIC) }, wall: { Clock.read(CLOCK_REALTIME) })

  private static func read(_ clock: clockid_t) -> Int64 {
    var time = timespec()
    clock_gettime(clock, &time)
    return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
  }
}

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// The clocks of the machine.
package enum SystemClock {
  /// Nanoseconds that only increase.
  package static var monotonic: Int64 { read(CLOCK_MONOTONIC) }
  /// Nanoseconds since 1970.
  package static var wall: Int64 { read(CLOCK_REALTIME) }

  private static func read(_ clock: clockid_t) -> Int64 {
    var time = timespec()
    clock_gettime(clock, &time)
    return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
  }
}

extension Duration {
  /// Thirty years: longer durations are clamped, so that adding one to any time cannot overflow.
  private static let nanosecondsMax: Int64 = 1_000_000_000_000_000_000

  package var nanoseconds: Int64 {
    guard components.seconds < Self.nanosecondsMax / 1_000_000_000 else {
      return Self.nanosecondsMax
    }
    return components.seconds * 1_000_000_000 + components.attoseconds / 1_000_000_000
  }

  /// The duration times a factor, at least 0.
  package func nanoseconds(scaledBy factor: Double) -> Int64 {
    Int64(min(max(0, Double(nanoseconds) * factor), Double(Self.nanosecondsMax)))
  }
}

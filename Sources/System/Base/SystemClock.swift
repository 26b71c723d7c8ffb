#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// The clocks of the machine.
package enum SystemClock {
  /// Nanoseconds that only increase.
  package static var monotonic: Int64 {
    let time = read(CLOCK_MONOTONIC)
    return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
  }
  /// Microseconds since 1970. Nanoseconds would overflow in the year 2262.
  package static var wallMicroseconds: Int64 { microseconds(read(CLOCK_REALTIME)) }

  static func microseconds(_ time: timespec) -> Int64 {
    // A clock that is set wrong may show any second; no date is written after the year 9999.
    let seconds = min(max(Int64(time.tv_sec), -62_167_219_200), 253_402_300_799)
    return seconds * 1_000_000 + Int64(time.tv_nsec) / 1_000
  }

  private static func read(_ clock: clockid_t) -> timespec {
    var time = timespec()
    clock_gettime(clock, &time)
    return time
  }
}

extension Duration {
  /// Thirty years: longer durations are clamped, so that adding one to any time cannot overflow.
  private static let nanosecondsMax: Int64 = 1_000_000_000_000_000_000
  private static let secondsMax = nanosecondsMax / 1_000_000_000

  package var nanoseconds: Int64 {
    guard components.seconds < Self.secondsMax else { return Self.nanosecondsMax }
    guard components.seconds > -Self.secondsMax else { return -Self.nanosecondsMax }
    return components.seconds * 1_000_000_000 + components.attoseconds / 1_000_000_000
  }

  /// The duration times a factor, at least 0.
  package func nanoseconds(scaledBy factor: Double) -> Int64 {
    let scaled = (Double(nanoseconds) * factor).rounded(.down)
    guard scaled > 0 else { return 0 }
    return min(Int64(exactly: scaled) ?? .max, Self.nanosecondsMax)
  }
}

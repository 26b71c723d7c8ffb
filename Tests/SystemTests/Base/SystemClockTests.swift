import Testing

@testable import UnderstudySystem

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

@Suite struct SystemClockTests {
  @Test(
    "a clock may show any year",
    arguments: [
      (1_800_000_000, 1_800_000_000_000_009), (9_300_000_000, 9_300_000_000_000_009),
      (Int.max, 253_402_300_799_000_009), (Int.min, -62_167_219_199_999_991),
    ])
  func years(second: Int, microseconds: Int) {
    let time = timespec(tv_sec: second, tv_nsec: 9_999)
    #expect(SystemClock.microseconds(time) == microseconds)
  }

  @Test("no duration and no factor is too large for nanoseconds")
  func durations() {
    let thirtyYears: Int64 = 1_000_000_000_000_000_000
    #expect(Duration.seconds(Int.max).nanoseconds == thirtyYears)
    #expect(Duration.seconds(Int.min).nanoseconds == -thirtyYears)
    for factor in [Double.nan, -Double.infinity, -1] {
      #expect(Duration.seconds(1).nanoseconds(scaledBy: factor) == 0)
    }
    for factor in [Double.infinity, Double(1e19)] {
      #expect(Duration.seconds(1).nanoseconds(scaledBy: factor) == thirtyYears)
    }
    #expect(Duration.seconds(3).nanoseconds(scaledBy: 0.5) == 1_500_000_000)
  }
}

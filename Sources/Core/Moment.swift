import UnderstudySystem

/// A point in time by the wall clock, to the microsecond, as `Date` and `Retry-After` name one.
public struct Moment: Hashable, Sendable {
  /// Since 1970, in UTC.
  public let microseconds: Int64

  /// The moment this many microseconds after the beginning of 1970.
  @inlinable public init(microseconds: Int64) { self.microseconds = microseconds }

  /// The moment this many seconds after the beginning of 1970, moved into the years 0 to 9999.
  public init(unixSeconds: Int) {
    let seconds = min(max(unixSeconds, -62_167_219_200), 253_402_300_799)
    self.init(microseconds: Int64(seconds) * 1_000_000)
  }

  /// Reads a date as ``httpDate`` spells it, such as one in `Retry-After`; `nil` if it is not one.
  ///
  /// The two older forms of dates, which nobody has sent for decades, are not read.
  public init?(httpDate text: String) {
    let words = text.split(separator: " ")
    guard words.count == 6, let month = CivilTime.months.firstIndex(of: String(words[2])) else {
      return nil
    }
    let clock = words[4].split(separator: ":").compactMap { Int($0) }
    guard clock.count == 3, let day = Int(words[1]), let year = Int(words[3]),
      1_970...9_999 ~= year, 1...31 ~= day, clock.allSatisfy({ 0...60 ~= $0 })
    else { return nil }
    let days = CivilTime.days(year: year, month: month + 1, day: day)
    self.init(unixSeconds: ((days * 24 + clock[0]) * 60 + clock[1]) * 60 + clock[2])
    // Any other mistake shows when the date is written again.
    guard httpDate == text else { return nil }
  }

  /// The beginning of 1970.
  @inlinable public static var epoch: Moment { Moment(microseconds: 0) }

  /// The time by the clock of this machine.
  public static var now: Moment { Moment(microseconds: SystemClock.wallMicroseconds) }

  /// Since 1970, rounded down.
  public var unixSeconds: Int {
    let (seconds, rest) = Int(microseconds).quotientAndRemainder(dividingBy: 1_000_000)
    return rest < 0 ? seconds - 1 : seconds
  }

  /// As in the Date field: `Sun, 06 Nov 1994 08:49:37 GMT` (RFC 9110, section 5.6.7).
  public var httpDate: String { CivilTime(unixSeconds: unixSeconds).httpDate }

  /// In UTC, to the second: `2026-01-31T23:59:59Z`.
  package var rfc3339: String { CivilTime(unixSeconds: unixSeconds).rfc3339() }

  /// In UTC, to the millisecond: `2026-01-31T23:59:59.007Z`.
  public var exactRFC3339: String {
    let seconds = unixSeconds
    let milliseconds = Int(microseconds / 1_000) - seconds * 1_000
    return CivilTime(unixSeconds: seconds).rfc3339(fraction: ".\(milliseconds.digits(3))")
  }

  /// In UTC: `2026-01-31`.
  package var date: String { CivilTime(unixSeconds: unixSeconds).date }
}

extension Moment: Comparable {
  /// Whether the first is the earlier one.
  public static func < (left: Self, right: Self) -> Bool {
    left.microseconds < right.microseconds
  }

  package static func + (moment: Self, duration: Duration) -> Self {
    Self(microseconds: moment.microseconds + duration.nanoseconds / 1_000)
  }

  package static func - (moment: Self, duration: Duration) -> Self {
    moment + duration * -1
  }

  package static func - (left: Self, right: Self) -> Duration {
    .microseconds(left.microseconds - right.microseconds)
  }
}

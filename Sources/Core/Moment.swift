import UnderstudySystem

/// A point in time by the wall clock, to the microsecond.
package struct Moment: Hashable, Sendable {
  /// Since 1970.
  package let microseconds: Int64

  package init(microseconds: Int64) { self.microseconds = microseconds }

  /// Moved to the years of four digits.
  package init(unixSeconds: Int) {
    let seconds = min(max(unixSeconds, -62_167_219_200), 253_402_300_799)
    self.init(microseconds: Int64(seconds) * 1_000_000)
  }

  /// That a date means which is spelled as `httpDate`, such as one in `Retry-After`. The two older
  /// forms of dates, which nobody has sent for decades, are none.
  package init?(httpDate text: String) {
    let words = text.split(separator: " ")
    guard words.count == 6, let month = CivilTime.months.firstIndex(of: String(words[2])) else {
      return nil
    }
    let clock = words[4].split(separator: ":").compactMap { Int($0) }
    guard clock.count == 3, let day = Int(words[1]), let year = Int(words[3]),
      1_970...9_999 ~= year, 1...31 ~= day, clock.allSatisfy({ 0...60 ~= $0 })
    else { return nil }
    // Counted in years that begin in March, as `CivilTime` counts.
    let marchYear = month < 2 ? year - 1 : year
    let leapDays = marchYear / 4 - marchYear / 100 + marchYear / 400
    let dayOfYear = (153 * ((month + 10) % 12) + 2) / 5 + day - 1
    let days = 365 * marchYear + leapDays + dayOfYear - 719_468
    self.init(unixSeconds: ((days * 24 + clock[0]) * 60 + clock[1]) * 60 + clock[2])
    // Whatever is wrong in another way does not come back as it was.
    guard httpDate == text else { return nil }
  }

  package static var epoch: Moment { Moment(microseconds: 0) }

  package static var now: Moment { Moment(microseconds: SystemClock.wall / 1_000) }

  /// Since 1970, rounded down.
  package var unixSeconds: Int {
    let (seconds, rest) = Int(microseconds).quotientAndRemainder(dividingBy: 1_000_000)
    return rest < 0 ? seconds - 1 : seconds
  }

  /// As in the Date field: `Sun, 06 Nov 1994 08:49:37 GMT` (RFC 9110, section 5.6.7).
  package var httpDate: String { CivilTime(unixSeconds: unixSeconds).httpDate }

  /// In UTC, to the second: `2026-01-31T23:59:59Z`.
  package var rfc3339: String { CivilTime(unixSeconds: unixSeconds).rfc3339() }

  /// In UTC, to the millisecond: `2026-01-31T23:59:59.007Z`.
  package var exactRFC3339: String {
    let seconds = unixSeconds
    let milliseconds = Int(microseconds / 1_000) - seconds * 1_000
    return CivilTime(unixSeconds: seconds).rfc3339(fraction: ".\(milliseconds.digits(3))")
  }

  /// In UTC: `2026-01-31`.
  package var date: String { CivilTime(unixSeconds: unixSeconds).date }
}

extension Moment: Comparable {
  package static func < (left: Self, right: Self) -> Bool {
    left.microseconds < right.microseconds
  }

  package static func - (left: Self, right: Self) -> Duration {
    .microseconds(left.microseconds - right.microseconds)
  }
}

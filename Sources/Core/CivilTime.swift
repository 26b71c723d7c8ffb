/// A second of one place in the proleptic Gregorian calendar; in UTC unless seconds of local time
/// are given.
package struct CivilTime {
  let year: Int
  let month: Int
  let day: Int
  let hour: Int
  let minute: Int
  let second: Int
  /// Sunday is 0.
  let weekday: Int

  init(unixSeconds: Int) {
    let (days, time) = unixSeconds.dividedDown(by: 86_400)
    // Counts from 1 March of year 0: leap days then come last in a year, and the lengths of months
    // follow one rule.
    let (era, dayOfEra) = (days + 719_468).dividedDown(by: 146_097)
    let leapDays = dayOfEra / 1_460 - dayOfEra / 36_524 + dayOfEra / 146_096
    let yearOfEra = (dayOfEra - leapDays) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let monthFromMarch = (5 * dayOfYear + 2) / 153
    day = dayOfYear - (153 * monthFromMarch + 2) / 5 + 1
    month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
    year = era * 400 + yearOfEra + (month <= 2 ? 1 : 0)
    (hour, minute, second) = (time / 3_600, time / 60 % 60, time % 60)
    // 1970 began on a Thursday.
    weekday = (days + 4).dividedDown(by: 7).remainder
  }

  /// The days from 1970 to a day of the calendar. The day may lie outside of its month.
  package static func days(year: Int, month: Int, day: Int) -> Int {
    let (era, yearOfEra) = (month <= 2 ? year - 1 : year).dividedDown(by: 400)
    let dayOfYear = (153 * ((month + 9) % 12) + 2) / 5 + day - 1
    let dayOfEra = 365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
    return era * 146_097 + dayOfEra - 719_468
  }

  /// From 1 to 12.
  package static func dayCount(ofMonth month: Int, in year: Int) -> Int {
    switch month {
    case 2: isLeap(year) ? 29 : 28
    case 4, 6, 9, 11: 30
    default: 31
    }
  }

  static func isLeap(_ year: Int) -> Bool {
    year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
  }

  /// As in the Date field: `Sun, 06 Nov 1994 08:49:37 GMT` (RFC 9110, section 5.6.7). Years must
  /// have four digits.
  var httpDate: String {
    "\(Self.weekdays[weekday]), \(day.digits(2)) \(Self.months[month - 1]) \(year.digits(4)) "
      + "\(hour.digits(2)):\(minute.digits(2)):\(second.digits(2)) GMT"
  }

  /// RFC 3339, with an optional fraction after the seconds: `2026-01-31T23:59:59Z`.
  func rfc3339(fraction: String = "", zone: String = "Z") -> String {
    "\(date)T\(hour.digits(2)):\(minute.digits(2)):\(second.digits(2))\(fraction)\(zone)"
  }

  /// `2026-01-31`
  var date: String { "\(year.digits(4))-\(month.digits(2))-\(day.digits(2))" }

  static let weekdays = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"]
  package static let months = [
    "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
  ]
}

extension Int {
  /// Rounds the quotient down, so that the remainder is never negative.
  func dividedDown(by divisor: Int) -> (quotient: Int, remainder: Int) {
    let (quotient, remainder) = quotientAndRemainder(dividingBy: divisor)
    return remainder < 0 ? (quotient - 1, remainder + divisor) : (quotient, remainder)
  }

  /// Padded with leading zeros.
  package func digits(_ count: Int) -> String {
    let text = String(self)
    return String(repeating: "0", count: Swift.max(0, count - text.utf8.count)) + text
  }
}

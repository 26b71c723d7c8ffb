/// A second as the Date field spells it: `Sun, 06 Nov 1994 08:49:37 GMT` (RFC 9110, section 5.6.7).
///
/// Written once a second at most, however often it is sent.
package struct HTTPDate: Sendable {
  package static let byteCount = 29

  /// Since 1970.
  package private(set) var seconds: Int
  private(set) var bytes: InlineArray<29, UInt8>

  /// The same bytes, for those who keep them.
  package var text: [UInt8] { (0..<Self.byteCount).map { bytes[$0] } }

  /// Seconds outside the years 1970 to 9999 are moved to the nearest of these.
  package init(seconds: Int) {
    self.seconds = seconds
    bytes = Self.format(seconds)
  }

  package mutating func update(to seconds: Int) {
    if seconds != self.seconds { self = HTTPDate(seconds: seconds) }
  }

  private static func format(_ seconds: Int) -> InlineArray<29, UInt8> {
    let lastSecond = 253_402_300_799
    let seconds = min(max(seconds, 0), lastSecond)
    let (days, second) = seconds.quotientAndRemainder(dividingBy: 86_400)
    let (year, month, day) = civil(days)
    var bytes = InlineArray<29, UInt8>(repeating: .space)
    var count = 0
    func append(_ text: StaticString, from start: Int, count textCount: Int) {
      for k in 0..<textCount { bytes[count + k] = text.utf8Start[start + k] }
      count += textCount
    }
    func append(_ number: Int, digits: Int, then end: UInt8) {
      var rest = number
      for k in (0..<digits).reversed() {
        bytes[count + k] = .zero + UInt8(rest % 10)
        rest /= 10
      }
      bytes[count + digits] = end
      count += digits + 1
    }
    // 1970 began on a Thursday.
    append("SunMonTueWedThuFriSat", from: (days + 4) % 7 * 3, count: 3)
    append(", ", from: 0, count: 2)
    append(day, digits: 2, then: .space)
    append("JanFebMarAprMayJunJulAugSepOctNovDec", from: (month - 1) * 3, count: 3)
    append(" ", from: 0, count: 1)
    append(year, digits: 4, then: .space)
    append(second / 3_600, digits: 2, then: .colon)
    append(second / 60 % 60, digits: 2, then: .colon)
    append(second % 60, digits: 2, then: .space)
    append("GMT", from: 0, count: 3)
    return bytes
  }

  /// The date of a day since 1970, by the proleptic Gregorian calendar.
  ///
  /// Counted from the first of March of the year 0, so that leap days come last in a year and the
  /// lengths of months follow one rule.
  private static func civil(_ days: Int) -> (year: Int, month: Int, day: Int) {
    let (era, dayOfEra) = (days + 719_468).quotientAndRemainder(dividingBy: 146_097)
    let leapDays = dayOfEra / 1_460 - dayOfEra / 36_524 + dayOfEra / 146_096
    let yearOfEra = (dayOfEra - leapDays) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let monthFromMarch = (5 * dayOfYear + 2) / 153
    let day = dayOfYear - (153 * monthFromMarch + 2) / 5 + 1
    let month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
    return (era * 400 + yearOfEra + (month <= 2 ? 1 : 0), month, day)
  }
}

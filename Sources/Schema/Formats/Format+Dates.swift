import UnderstudyCore

extension Format {
  /// RFC 3339's `date-time`.
  static func isDateTime(_ text: Span<UInt8>) -> Bool {
    isPlainDateTime(text)
      || text.count > 10 && isDate(text, at: 0) && text[10] | 0x20 == UInt8(ascii: "t")
        && isTime(text, at: 11)
  }

  /// Whether it is one of the most common form, `2024-01-31T12:00:00Z`.
  private static func isPlainDateTime(_ text: Span<UInt8>) -> Bool {
    guard text.count == 20, let date = EightBytes(text, at: 0).digits(in: .date),
      let middle = EightBytes(text, at: 8).digits(in: .dayAndHour),
      let time = EightBytes(text, at: 12).digits(in: .endOfTime)
    else { return false }
    let (month, day) = (date.number(at: 5), middle.number(at: 0))
    return 1...12 ~= month && day >= 1
      && (day <= 28 || day <= CivilTime.dayCount(ofMonth: month, in: year(in: date)))
      && middle.number(at: 3) < 24 && middle.number(at: 6) < 60 && time.number(at: 5) < 60
  }

  private static func year(in date: EightBytes) -> Int {
    date.number(at: 0) * 100 + date.number(at: 2)
  }

  /// RFC 3339's `full-date`.
  static func isDate(_ text: Span<UInt8>) -> Bool { text.count == 10 && isDate(text, at: 0) }

  private static func isDate(_ text: Span<UInt8>, at start: Int) -> Bool {
    guard text.count >= start + 10, let digits = EightBytes(text, at: start).digits(in: .date),
      let day = twoDigits(text, at: start + 8)
    else { return false }
    let month = digits.number(at: 5)
    guard 1...12 ~= month, day >= 1 else { return false }
    if day <= 28 { return true }
    return day <= CivilTime.dayCount(ofMonth: month, in: year(in: digits))
  }

  /// RFC 3339's `full-time`.
  static func isTime(_ text: Span<UInt8>) -> Bool { isTime(text, at: 0) }

  /// Second 60 is valid only just before midnight in UTC, when leap seconds occur.
  private static func isTime(_ text: Span<UInt8>, at start: Int) -> Bool {
    guard text.count >= start + 9, let digits = EightBytes(text, at: start).digits(in: .time)
    else { return false }
    let (hour, minute, second) = (digits.number(at: 0), digits.number(at: 3), digits.number(at: 6))
    guard hour < 24, minute < 60, second <= 60 else { return false }
    var end = start + 8
    if text[end] == UInt8(ascii: ".") {
      let fraction = end + 1
      end = fraction
      while end < text.count, text[end].isDigit { end += 1 }
      guard end > fraction else { return false }
    }
    guard let offset = offsetMinutes(text, at: end) else { return false }
    return second < 60 || (hour * 60 + minute - offset + 1440 * 2) % 1440 == 1439
  }

  /// `Z` or `+01:30`, in minutes.
  private static func offsetMinutes(_ text: Span<UInt8>, at start: Int) -> Int? {
    guard start < text.count else { return nil }
    let sign = text[start]
    if sign | 0x20 == UInt8(ascii: "z") { return text.count == start + 1 ? 0 : nil }
    guard sign == UInt8(ascii: "+") || sign == UInt8(ascii: "-"), text.count == start + 6,
      let hour = twoDigits(text, at: start + 1), text[start + 3] == UInt8(ascii: ":"),
      let minute = twoDigits(text, at: start + 4), hour < 24, minute < 60
    else { return nil }
    let minutes = hour * 60 + minute
    return sign == UInt8(ascii: "-") ? -minutes : minutes
  }

  private static func twoDigits(_ text: Span<UInt8>, at start: Int) -> Int? {
    let (tens, ones) = (text[start], text[start + 1])
    guard tens.isDigit, ones.isDigit else { return nil }
    return Int(tens - UInt8(ascii: "0")) * 10 + Int(ones - UInt8(ascii: "0"))
  }

  /// RFC 3339's `duration`: units in order and without gaps, weeks alone.
  static func isDuration(_ bytes: ArraySlice<UInt8>) -> Bool {
    var rest = bytes
    guard rest.popFirst() == UInt8(ascii: "P"), !rest.isEmpty else { return false }
    if rest.last == UInt8(ascii: "W") {
      return rest.count > 1 && rest.dropLast().allSatisfy(\.isDigit)
    }
    guard let date = components(&rest, units: "YMD".utf8) else { return false }
    guard let mark = rest.popFirst() else { return date > 0 }
    guard mark == UInt8(ascii: "T"), let time = components(&rest, units: "HMS".utf8)
    else { return false }
    return time > 0 && rest.isEmpty
  }

  /// Reads numbers with their units; returns how many, or `nil` when they are out of order.
  private static func components(_ rest: inout ArraySlice<UInt8>, units: String.UTF8View) -> Int? {
    var expected = units[...]
    var count = 0
    while let first = rest.first, first.isDigit {
      rest = rest.drop(while: \.isDigit)
      guard let unit = rest.popFirst(), let index = expected.firstIndex(of: unit) else {
        return nil
      }
      if count > 0, index != expected.startIndex { return nil }
      expected = expected[expected.index(after: index)...]
      count += 1
    }
    return count
  }
}

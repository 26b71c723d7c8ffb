extension Format {
  /// RFC 3339's `date-time`.
  static func isDateTime(_ bytes: ArraySlice<UInt8>) -> Bool {
    let date = bytes.prefix(10)
    var rest = bytes.dropFirst(10)
    guard isDate(date), let mark = rest.popFirst() else { return false }
    return mark | 0x20 == UInt8(ascii: "t") && isTime(rest)
  }

  /// RFC 3339's `full-date`.
  static func isDate(_ bytes: ArraySlice<UInt8>) -> Bool {
    var rest = bytes
    guard let century = twoDigits(&rest), let year = twoDigits(&rest),
      rest.popFirst() == UInt8(ascii: "-"), let month = twoDigits(&rest),
      rest.popFirst() == UInt8(ascii: "-"), let day = twoDigits(&rest), rest.isEmpty
    else { return false }
    return 1...12 ~= month && 1...days(ofMonth: month, year: century * 100 + year) ~= day
  }

  private static func days(ofMonth month: Int, year: Int) -> Int {
    switch month {
    case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
    case 4, 6, 9, 11: 30
    default: 31
    }
  }

  /// RFC 3339's `full-time`. Second 60 is only good where UTC's midnight is near, since that is
  /// where leap seconds go.
  static func isTime(_ bytes: ArraySlice<UInt8>) -> Bool {
    var rest = bytes
    guard let hour = twoDigits(&rest), rest.popFirst() == UInt8(ascii: ":"),
      let minute = twoDigits(&rest), rest.popFirst() == UInt8(ascii: ":"),
      let second = twoDigits(&rest), hour < 24, minute < 60, second <= 60
    else { return false }
    if rest.first == UInt8(ascii: ".") {
      rest = rest.dropFirst()
      let fraction = rest.prefix(while: isDigit)
      guard !fraction.isEmpty else { return false }
      rest = rest[fraction.endIndex...]
    }
    guard let offset = offsetMinutes(rest) else { return false }
    let minuteOfDay = (hour * 60 + minute - offset + 1440 * 2) % 1440
    return second < 60 || minuteOfDay == 1439
  }

  /// `Z` or `+01:30`, in minutes.
  private static func offsetMinutes(_ bytes: ArraySlice<UInt8>) -> Int? {
    var rest = bytes
    guard let sign = rest.popFirst() else { return nil }
    if sign | 0x20 == UInt8(ascii: "z") { return rest.isEmpty ? 0 : nil }
    guard sign == UInt8(ascii: "+") || sign == UInt8(ascii: "-"), let hour = twoDigits(&rest),
      rest.popFirst() == UInt8(ascii: ":"), let minute = twoDigits(&rest), rest.isEmpty,
      hour < 24, minute < 60
    else { return nil }
    let minutes = hour * 60 + minute
    return sign == UInt8(ascii: "-") ? -minutes : minutes
  }

  private static func twoDigits(_ rest: inout ArraySlice<UInt8>) -> Int? {
    guard let tens = rest.popFirst(), let ones = rest.popFirst(), isDigit(tens), isDigit(ones)
    else { return nil }
    return Int(tens - UInt8(ascii: "0")) * 10 + Int(ones - UInt8(ascii: "0"))
  }

  /// RFC 3339's `duration`: units in order and without gaps, weeks alone.
  static func isDuration(_ bytes: ArraySlice<UInt8>) -> Bool {
    var rest = bytes
    guard rest.popFirst() == UInt8(ascii: "P"), !rest.isEmpty else { return false }
    if rest.last == UInt8(ascii: "W") {
      return rest.count > 1 && rest.dropLast().allSatisfy(isDigit)
    }
    guard let date = components(&rest, units: "YMD".utf8) else { return false }
    guard let mark = rest.popFirst() else { return date > 0 }
    guard mark == UInt8(ascii: "T"), let time = components(&rest, units: "HMS".utf8)
    else { return false }
    return time > 0 && rest.isEmpty
  }

  /// Reads numbers with their units, and answers how many, or `nil` when they are out of order.
  private static func components(
    _ rest: inout ArraySlice<UInt8>, units: String.UTF8View
  ) -> Int? {
    var expected = units[...]
    var count = 0
    while let first = rest.first, isDigit(first) {
      rest = rest.drop(while: isDigit)
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

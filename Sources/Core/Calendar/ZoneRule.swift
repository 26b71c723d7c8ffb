/// How a zone's offset changes every year, as POSIX writes it: `CET-1CEST,M3.5.0,M10.5.0/3`.
struct ZoneRule: Sendable {
  private enum Day {
    /// From 1 to 365, without 29 February.
    case ofCommonYear(Int)
    /// From 0 to 365.
    case ofYear(Int)
    /// Week 5 is the last one; Sunday is 0.
    case weekday(Int, week: Int, month: Int)
  }

  /// When clocks change, by the time they show before.
  private struct Change {
    let day: Day
    let time: Int
  }

  private let standard: Int
  private let daylight: (offset: Int, start: Change, end: Change)?

  /// `nil` for text that is not such a rule.
  init?(_ text: ArraySlice<UInt8>) {
    var parser = Parser(rest: text)
    guard parser.skipName(), let offset = parser.time(hourMax: 24) else { return nil }
    standard = -offset
    if parser.rest.isEmpty {
      daylight = nil
      return
    }
    guard parser.skipName() else { return nil }
    var summer = standard + 3_600
    if parser.rest.first != .comma {
      guard let offset = parser.time(hourMax: 24) else { return nil }
      summer = -offset
    }
    guard let start = parser.change(), let end = parser.change(), parser.rest.isEmpty else {
      return nil
    }
    daylight = (summer, start, end)
  }

  func offset(at unixSeconds: Int) -> Int {
    guard let daylight else { return standard }
    let year = CivilTime(unixSeconds: unixSeconds + standard).year
    let start = Self.second(of: daylight.start, in: year) - standard
    let end = Self.second(of: daylight.end, in: year) - daylight.offset
    let isDaylight =
      start < end
      ? start <= unixSeconds && unixSeconds < end
      : !(end <= unixSeconds && unixSeconds < start)
    return isDaylight ? daylight.offset : standard
  }

  /// In local time.
  private static func second(of change: Change, in year: Int) -> Int {
    let day: Int
    switch change.day {
    case .ofCommonYear(let number):
      let leapDay = CivilTime.isLeap(year) && number >= 60 ? 1 : 0
      day = CivilTime.days(year: year, month: 1, day: number + leapDay)
    case .ofYear(let number): day = CivilTime.days(year: year, month: 1, day: number + 1)
    case .weekday(let weekday, let week, let month):
      let first = CivilTime.days(year: year, month: month, day: 1)
      let next = CivilTime.days(
        year: month == 12 ? year + 1 : year, month: month == 12 ? 1 : month + 1, day: 1)
      // 1970 began on a Thursday.
      let firstWeekday = (first + 4).dividedDown(by: 7).remainder
      let start = first + (weekday - firstWeekday + 7) % 7
      day = (0..<week).map { start + 7 * $0 }.last { $0 < next } ?? start
    }
    return day * 86_400 + change.time
  }
}

extension ZoneRule {
  private struct Parser {
    var rest: ArraySlice<UInt8>

    /// Letters, or anything between `<` and `>`.
    mutating func skipName() -> Bool {
      if take(.less) {
        guard let end = rest.firstIndex(of: .greater) else { return false }
        rest = rest[end...].dropFirst()
        return true
      }
      let name = rest.prefix(while: \.isLetter)
      rest = rest.dropFirst(name.count)
      return name.count >= 3
    }

    /// `[+-]hh[:mm[:ss]]`
    mutating func time(hourMax: Int) -> Int? {
      let isNegative = take(.hyphen)
      if !isNegative { _ = take(.plus) }
      guard var seconds = number(in: 0...hourMax).map({ $0 * 3_600 }) else { return nil }
      for unit in [60, 1] where take(.colon) {
        guard let count = number(in: 0...59) else { return nil }
        seconds += count * unit
      }
      return isNegative ? -seconds : seconds
    }

    /// `,M3.5.0/3`, `,J60` or `,59`, at 02:00 unless a time follows.
    mutating func change() -> Change? {
      guard take(.comma) else { return nil }
      let day: Day
      if take(UInt8(ascii: "M")) {
        guard let month = number(in: 1...12), take(.period), let week = number(in: 1...5),
          take(.period), let weekday = number(in: 0...6)
        else { return nil }
        day = .weekday(weekday, week: week, month: month)
      } else if take(UInt8(ascii: "J")) {
        guard let number = number(in: 1...365) else { return nil }
        day = .ofCommonYear(number)
      } else {
        guard let number = number(in: 0...365) else { return nil }
        day = .ofYear(number)
      }
      guard take(.slash) else { return Change(day: day, time: 7_200) }
      // Up to a week away, so that days before and after can be named (RFC 9636, section 3.3.1).
      return time(hourMax: 167).map { Change(day: day, time: $0) }
    }

    private mutating func number(in range: ClosedRange<Int>) -> Int? {
      let digits = rest.prefix(while: \.isDigit)
      rest = rest.dropFirst(digits.count)
      guard digits.count <= 3, let number = Int(String(decoding: digits, as: UTF8.self)),
        range.contains(number)
      else { return nil }
      return number
    }

    private mutating func take(_ byte: UInt8) -> Bool {
      guard rest.first == byte else { return false }
      rest = rest.dropFirst()
      return true
    }
  }
}

/// A date and time as a text has it: what clocks show, and where, if it says so.
package struct WrittenDate: Hashable, Sendable {
  /// As if it were in UTC.
  let localSeconds: Int
  let microsecond: Int
  /// How far the clocks are ahead of UTC; `nil` where the text does not say.
  let offset: Int?

  /// `nil` for a day that no month has, and for a time that no clock shows.
  init?(
    year: Int, month: Int, day: Int, hour: Int = 0, minute: Int = 0, second: Int = 0,
    microsecond: Int = 0, offset: Int? = nil
  ) {
    guard 0...9_999 ~= year, 1...12 ~= month, 0...23 ~= hour, 0...59 ~= minute, 0...60 ~= second
    else { return nil }
    guard day >= 1, day <= CivilTime.dayCount(ofMonth: month, in: year) else { return nil }
    let days = CivilTime.days(year: year, month: month, day: day)
    localSeconds = ((days * 24 + hour) * 60 + minute) * 60 + second
    self.microsecond = microsecond
    self.offset = offset
  }

  init(_ moment: Moment) {
    localSeconds = moment.unixSeconds
    microsecond = Int(moment.microseconds) - localSeconds * 1_000_000
    offset = 0
  }

  /// Where its clocks are; in a zone if it does not say.
  func zone(or other: Zone) -> Zone { offset.map(Zone.init(fixed:)) ?? other }

  func moment(in zone: Zone) -> Moment {
    let seconds = zone.instant(ofLocal: localSeconds, preferring: offset)
    return Moment(microseconds: Int64(seconds) * 1_000_000 + Int64(microsecond))
  }
}

// MARK: - Usual forms

extension WrittenDate {
  /// Reads a date as RFC 3339 and ISO 8601 have it, with or without time and offset, or as HTTP has
  /// it, in any of its three forms.
  static func usual(_ text: String) -> WrittenDate? {
    iso(text)
      ?? httpPatterns.lazy.compactMap { $0.date(in: text, zone: 0, centuryStart: 1970) }.first
  }

  /// RFC 9110, section 5.6.7: the form that is sent, and that of C, which pads days with a space; the
  /// third has years of two digits.
  private static let httpPatterns = [
    "EEE, d MMM yyyy HH:mm:ss 'GMT'", "EEE MMM d HH:mm:ss yyyy", "EEE MMM  d HH:mm:ss yyyy",
    "EEEE, dd-MMM-yy HH:mm:ss 'GMT'", "EEE, d MMM yyyy HH:mm:ss Z",
  ].compactMap { try? DatePattern($0) }

  /// `2026-01-31`, `2026-01-31T23:59`, `2026-01-31 23:59:59.007+01:00`.
  private static func iso(_ text: String) -> WrittenDate? {
    var scanner = DateScanner(text)
    guard let year = scanner.number(digits: 4), scanner.skip("-"),
      let month = scanner.number(digits: 2), scanner.skip("-"), let day = scanner.number(digits: 2)
    else { return nil }
    if scanner.isAtEnd { return WrittenDate(year: year, month: month, day: day) }
    guard scanner.skip("T") || scanner.skip("t") || scanner.skip(" "),
      let hour = scanner.number(digits: 2), scanner.skip(":"),
      let minute = scanner.number(digits: 2)
    else { return nil }
    var (second, microsecond) = (0, 0)
    if scanner.skip(":") {
      guard let number = scanner.number(digits: 2) else { return nil }
      second = number
      if scanner.skip(".") || scanner.skip(",") {
        guard let fraction = scanner.fraction() else { return nil }
        microsecond = fraction
      }
    }
    var offset: Int?
    if !scanner.isAtEnd {
      guard let own = scanner.offset(), scanner.isAtEnd else { return nil }
      offset = own
    }
    return WrittenDate(
      year: year, month: month, day: day, hour: hour, minute: minute, second: second,
      microsecond: microsecond, offset: offset)
  }
}

// MARK: - Patterns

extension DatePattern {
  /// The date that a text written by this pattern has; what the pattern leaves out is the beginning
  /// of 1970. `nil` for other texts.
  ///
  /// - Parameter zone: how far clocks are ahead of UTC where the pattern has no field for it; `nil` if
  ///   it is not known.
  /// - Parameter centuryStart: the first year that two digits can stand for.
  func date(in text: String, zone: Int? = nil, centuryStart: Int = 2000) -> WrittenDate? {
    var scanner = DateScanner(text)
    var fields = ReadFields(centuryStart: centuryStart)
    for piece in pieces {
      switch piece {
      case .text(let literal): guard scanner.skip(literal) else { return nil }
      case .field(let letter, let count):
        guard fields.read(letter, count, from: &scanner) else { return nil }
      }
    }
    return scanner.isAtEnd ? fields.date(zone: zone) : nil
  }

  private struct ReadFields {
    let centuryStart: Int
    var (year, month, day) = (1970, 1, 1)
    var (hour, minute, second, microsecond) = (0, 0, 0, 0)
    var isAfternoon: Bool?
    var offset: Int?

    init(centuryStart: Int) { self.centuryStart = centuryStart }

    func date(zone: Int?) -> WrittenDate? {
      // 12 AM is midnight.
      let hour = isAfternoon.map { self.hour % 12 + ($0 ? 12 : 0) } ?? self.hour
      return WrittenDate(
        year: year, month: month, day: day, hour: hour, minute: minute, second: second,
        microsecond: microsecond, offset: offset ?? zone)
    }

    mutating func read(_ letter: UInt8, _ count: Int, from scanner: inout DateScanner) -> Bool {
      func number(_ target: WritableKeyPath<ReadFields, Int>, max: Int = 2) -> Bool {
        let read = count == 1 ? scanner.number(digitsMax: max) : scanner.number(digits: count)
        read.map { self[keyPath: target] = $0 }
        return read != nil
      }
      func name(_ names: [String]) -> Int? { names.firstIndex { scanner.skip($0) } }
      switch letter {
      case UInt8(ascii: "y"):
        guard number(\.year, max: 4) else { return false }
        if count == 2 {
          year += centuryStart / 100 * 100
          if year < centuryStart { year += 100 }
        }
      case UInt8(ascii: "M") where count > 2:
        guard let index = name(count == 3 ? CivilTime.months : monthNames) else { return false }
        month = index + 1
      case UInt8(ascii: "M"): return number(\.month)
      case UInt8(ascii: "d"): return number(\.day)
      case UInt8(ascii: "E"):
        return name(count < 4 ? CivilTime.weekdays : weekdayNames) != nil
      case UInt8(ascii: "a"):
        guard let index = name(["AM", "PM", "am", "pm"]) else { return false }
        isAfternoon = index % 2 == 1
      case UInt8(ascii: "H"), UInt8(ascii: "h"): return number(\.hour)
      case UInt8(ascii: "m"): return number(\.minute)
      case UInt8(ascii: "s"): return number(\.second)
      case UInt8(ascii: "S"):
        guard let fraction = scanner.fraction(digits: count) else { return false }
        microsecond = fraction
      default:
        let isNamed = letter == UInt8(ascii: "Z") && count == 4 && scanner.skip("GMT")
        if let own = scanner.offset() {
          offset = own
        } else if isNamed {
          offset = 0
        } else {
          return false
        }
      }
      return true
    }
  }
}

/// Reads a date from the beginning of a text to its end.
private struct DateScanner {
  private var rest: Substring.UTF8View

  init(_ text: String) { rest = text[...].utf8 }

  var isAtEnd: Bool { rest.isEmpty }

  /// Skips a text, if it comes next.
  mutating func skip(_ text: String) -> Bool {
    guard rest.starts(with: text.utf8) else { return false }
    rest = rest.dropFirst(text.utf8.count)
    return true
  }

  mutating func number(digits count: Int) -> Int? {
    rest.prefix(count).count { $0.isDigit } == count ? number(digitsMax: count) : nil
  }

  mutating func number(digitsMax: Int) -> Int? {
    let digits = rest.prefix(digitsMax).prefix { $0.isDigit }
    rest = rest.dropFirst(digits.count)
    return Int(String(Substring(digits)))
  }

  /// The digits of a part of a second, in microseconds.
  mutating func fraction(digits count: Int? = nil) -> Int? {
    let digits = rest.prefix(count ?? rest.count).prefix { $0.isDigit }
    guard !digits.isEmpty, count == nil || digits.count == count else { return nil }
    rest = rest.dropFirst(digits.count)
    return Int((String(Substring(digits)) + "00000").prefix(6))
  }

  /// `Z`, `+02`, `+0200` or `+02:00`.
  mutating func offset() -> Int? {
    if skip("Z") || skip("z") { return 0 }
    let isBehind = skip("-")
    guard isBehind || skip("+"), let hours = number(digits: 2) else { return nil }
    let hasColon = skip(":")
    let minutes = number(digits: 2)
    guard !hasColon || minutes != nil, hours < 24, minutes ?? 0 < 60 else { return nil }
    let seconds = (hours * 60 + (minutes ?? 0)) * 60
    return isBehind ? -seconds : seconds
  }
}

import Foundation
import Testing
import UnderstudyTestSupport

@testable import UnderstudyCore

/// Date math against Foundation, which knows the zones from a source of its own.
@Suite struct CalendarTests {
  static let zones = [
    "UTC", "+05:45", "-03:30", "Europe/Berlin", "Europe/Dublin", "America/New_York",
    "America/Havana", "America/Sao_Paulo", "America/St_Johns", "Asia/Kolkata", "Asia/Beirut",
    "Australia/Lord_Howe", "Pacific/Auckland", "Pacific/Apia",
  ]

  private static let hasZones = FileManager.default.fileExists(
    atPath: "/usr/share/zoneinfo/Pacific/Apia")

  /// What Foundation says about a zone, and what follows from that alone.
  private struct Oracle {
    let zone: TimeZone
    let calendar: Calendar

    init(_ name: String) throws {
      zone = try #require(
        name == "+05:45"
          ? TimeZone(secondsFromGMT: 20_700)
          : name == "-03:30" ? TimeZone(secondsFromGMT: -12_600) : TimeZone(identifier: name))
      var calendar = Calendar(identifier: .gregorian)
      calendar.timeZone = try #require(TimeZone(secondsFromGMT: 0))
      calendar.firstWeekday = 2
      self.calendar = calendar
    }

    func offset(at seconds: Int) -> Int {
      zone.secondsFromGMT(for: Date(timeIntervalSince1970: Double(seconds)))
    }

    /// Tries every offset that is in use on the days around.
    func instant(ofLocal local: Int, preferring preferred: Int?) -> Int {
      let offsets = (-36...36).map { offset(at: local + $0 * 3_600) }
      let instants = Set(offsets.map { local - $0 }).filter { offset(at: $0) + $0 == local }
      if let preferred, instants.contains(local - preferred) { return local - preferred }
      return instants.min() ?? local - offsets[0]
    }

    func applied(_ step: DateStep, to seconds: Int) throws -> Int {
      let before = offset(at: seconds)
      let local = Date(timeIntervalSince1970: Double(seconds + before))
      switch step {
      case .move(let amount, .second): return seconds + amount
      case .move(let amount, .minute): return seconds + amount * 60
      case .move(let amount, .hour): return seconds + amount * 3_600
      case .move(let amount, let unit):
        let moved = try #require(
          calendar.date(byAdding: Self.component(unit), value: amount, to: local))
        return instant(ofLocal: Int(clamping: moved.timeIntervalSince1970), preferring: before)
      case .truncate(let unit):
        let interval = try #require(calendar.dateInterval(of: Self.component(unit), for: local))
        return instant(
          ofLocal: Int(clamping: interval.start.timeIntervalSince1970),
          preferring: [.minute, .hour, .second].contains(unit) ? before : nil)
      }
    }

    private static func component(_ unit: DateUnit) -> Calendar.Component {
      switch unit {
      case .second: .second
      case .minute: .minute
      case .hour: .hour
      case .day: .day
      case .week: .weekOfYear
      case .month: .month
      case .year: .year
      }
    }
  }

  /// Seconds of 1972 to 2300; half of them within a day of a change of clocks in spring or autumn.
  private static func second(_ dice: inout Dice, in oracle: Oracle) -> Int {
    let second = 63_072_000 + dice.below(10_350_000_000)
    guard dice.below(2) == 0,
      let change = oracle.zone.nextDaylightSavingTimeTransition(
        after: Date(timeIntervalSince1970: Double(min(second, 4_000_000_000))))
    else { return second }
    return Int(clamping: change.timeIntervalSince1970) + dice.below(180_000) - 90_000
  }

  @Test("moves and truncates as Foundation does", .enabled(if: hasZones), arguments: zones)
  func steps(name: String) throws {
    let (zone, oracle) = (try Zone(name), try Oracle(name))
    var dice = Dice(seed: 16)
    for _ in 0..<400 {
      let second = Self.second(&dice, in: oracle)
      #expect(zone.offset(at: second) == oracle.offset(at: second), "at \(second)")
      let unit = dice.pick(DateUnit.allCases)
      let amount = dice.below(unit == .year ? 90 : 1_000) - (unit == .year ? 20 : 500)
      let step = dice.below(2) == 0 ? DateStep.truncate(unit) : .move(amount, unit)
      let found = step.applied(to: second, in: zone)
      let expected = try oracle.applied(step, to: second)
      #expect(found == expected, "\(step) from \(second)")
    }
  }

  @Test(
    "writes each letter as Foundation does",
    arguments: [
      "yyyy yyy yy y", "M MM MMM MMMM", "d dd", "E EEE EEEE", "a h hh", "H HH", "m mm s ss",
      "S SS SSS", "X XX XXX", "Z ZZZZ ZZZZZ", "yyyy-MM-dd'T'HH:mm:ss.SSSXXX", "h 'o''clock' a",
      "''yy'' 'EEE' ''''",
    ])
  func letters(text: String) throws {
    let pattern = try DatePattern(text)
    let formatter = DateFormatter()
    formatter.locale = Locale(identifier: "en_US_POSIX")
    formatter.dateFormat = text
    var dice = Dice(seed: 7)
    for offset in ["UTC", "+05:45", "-03:30", "+12:00"] {
      let zone = try Zone(offset)
      formatter.timeZone = TimeZone(secondsFromGMT: zone.offset(at: 0))
      for _ in 0..<50 {
        // A quarter of a second is exact in both.
        let (second, quarter) = (dice.below(8_000_000_000), dice.below(4))
        let date = Date(timeIntervalSince1970: Double(second) + Double(quarter) / 4)
        let found = pattern.text(unixSeconds: second, microsecond: quarter * 250_000, in: zone)
        #expect(found == formatter.string(from: date))
      }
    }
  }

  @Test(
    "keeps the last day of a shorter month, and the time of day",
    arguments: [
      ("2026-01-31T10:00:00Z", DateStep.move(1, .month), "2026-02-28T10:00:00Z"),
      ("2028-01-31T10:00:00Z", .move(1, .month), "2028-02-29T10:00:00Z"),
      ("2028-02-29T10:00:00Z", .move(1, .year), "2029-02-28T10:00:00Z"),
      ("2026-03-31T10:00:00Z", .move(-13, .month), "2025-02-28T10:00:00Z"),
      ("2026-11-22T10:00:00Z", .truncate(.week), "2026-11-16T00:00:00Z"),
      ("2026-11-23T10:00:00Z", .truncate(.week), "2026-11-23T00:00:00Z"),
    ])
  func clamped(start: String, step: DateStep, end: String) throws {
    let date = try Date(start, strategy: .iso8601)
    let moved = step.applied(to: Int(clamping: date.timeIntervalSince1970), in: .utc)
    #expect(Zone.utc.rfc3339(unixSeconds: moved) == end)
  }

  @Test("no step leaves the years that can be written", arguments: DateUnit.allCases)
  func limits(unit: DateUnit) throws {
    for start in [DateStep.reach.lowerBound, 0, DateStep.reach.upperBound] {
      for amount in [DateStep.amountMax, -DateStep.amountMax] {
        for zone in [Zone.utc, try Zone("+23:59"), try Zone("-23:59")] {
          let end = DateStep.move(amount, unit).applied(to: start, in: zone)
          #expect(
            zone.rfc3339(unixSeconds: end).wholeMatch(of: /\d{4}-\d\d-\d\dT[\d:]{8}(Z|.\d\d:\d\d)/)
              != nil)
          _ = DateStep.truncate(unit).applied(to: end, in: zone)
        }
      }
    }
  }
}

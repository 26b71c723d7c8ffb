/// A unit of date math, by the letter that Elasticsearch and Grafana use for it.
package enum DateUnit: String, Hashable, Sendable, CaseIterable {
  case second = "s"
  case minute = "m"
  case hour = "h"
  case day = "d"
  /// Begins on Monday.
  case week = "w"
  case month = "M"
  case year = "y"
}

/// One step of date math: `+1h`, `-3d`, or `/d` for the beginning of the day.
package enum DateStep: Hashable, Sendable {
  case move(Int, DateUnit)
  case truncate(DateUnit)

  /// No step moves further than this many units.
  package static let amountMax = 1_000_000_000

  /// Where steps end: the years that RFC 3339 can write, in any zone.
  static let reach = -62_167_132_800...253_402_214_399

  /// The second that this step leads to. Seconds, minutes and hours are exact; longer units keep
  /// the time of day in the zone, and months and years end on the last day of a shorter month.
  package func applied(to unixSeconds: Int, in zone: Zone) -> Int {
    let offset = zone.offset(at: unixSeconds)
    let local = unixSeconds + offset
    let moved =
      switch self {
      case .move(let amount, .second): unixSeconds + amount
      case .move(let amount, .minute): unixSeconds + 60 * amount
      case .move(let amount, .hour): unixSeconds + 3_600 * amount
      case .move(let amount, .day): Self.instant(local + 86_400 * amount, zone, offset)
      case .move(let amount, .week): Self.instant(local + 604_800 * amount, zone, offset)
      case .move(let amount, .month): Self.instant(Self.moved(local, amount), zone, offset)
      case .move(let amount, .year): Self.instant(Self.moved(local, 12 * amount), zone, offset)
      case .truncate(.second): unixSeconds
      case .truncate(.minute): Self.instant(local - local.modulo(60), zone, offset)
      case .truncate(.hour): Self.instant(local - local.modulo(3_600), zone, offset)
      case .truncate(let unit): Self.instant(Self.start(of: unit, local), zone)
      }
    return Self.limited(moved)
  }

  private static func limited(_ seconds: Int) -> Int {
    min(max(seconds, reach.lowerBound), reach.upperBound)
  }

  private static func instant(_ local: Int, _ zone: Zone, _ offset: Int? = nil) -> Int {
    zone.instant(ofLocal: limited(local), preferring: offset)
  }

  private static func moved(_ local: Int, _ monthCount: Int) -> Int {
    let civil = CivilTime(unixSeconds: local)
    let months = min(max(civil.year * 12 + civil.month - 1 + monthCount, 0), 9_999 * 12 + 11)
    let (year, month) = (months / 12, months % 12 + 1)
    let last = CivilTime.dayCount(ofMonth: month, in: year)
    let day = CivilTime.days(year: year, month: month, day: min(civil.day, last))
    return day * 86_400 + local.modulo(86_400)
  }

  /// The beginning of a day or a longer unit.
  private static func start(of unit: DateUnit, _ local: Int) -> Int {
    let civil = CivilTime(unixSeconds: local)
    let today = CivilTime.days(year: civil.year, month: civil.month, day: civil.day)
    let day =
      switch unit {
      case .week: today - (civil.weekday + 6) % 7
      case .month: today - civil.day + 1
      case .year: CivilTime.days(year: civil.year, month: 1, day: 1)
      default: today
      }
    return day * 86_400
  }
}

extension Moment {
  /// The end of the steps; each beginning of a unit is a whole second.
  func moved(by steps: [DateStep], in zone: Zone) -> Moment {
    if steps.isEmpty { return self }
    let seconds = steps.reduce(unixSeconds) { $1.applied(to: $0, in: zone) }
    let isTruncated = steps.contains { if case .truncate = $0 { true } else { false } }
    let rest = isTruncated ? 0 : microseconds - Int64(unixSeconds) * 1_000_000
    return Moment(microseconds: Int64(seconds) * 1_000_000 + rest)
  }
}

extension Int {
  /// Never negative.
  fileprivate func modulo(_ divisor: Int) -> Int { dividedDown(by: divisor).remainder }
}

import UnderstudyContractModel
import UnderstudyCore

/// A moving time as WireMock writes it: `{{now offset='-3 days' format='yyyy-MM-dd'}}`.
struct WireMockDate {
  typealias Unusable = WireMockStubText.Unusable

  private let time: MovingTime

  init(_ time: MovingTime) { self.time = time }

  /// The expression without its braces.
  func expression() throws(Unusable) -> String {
    let options = try self.options()
    let offset = try self.offset().map { " offset='\($0)'" } ?? ""
    guard let unit = try truncation() else { return "now\(offset)\(options)" }
    return "date (truncateDate (now\(offset)) '\(Self.name(ofStart: unit))')\(options)"
  }

  // MARK: - Steps

  /// All moves as one number of one unit.
  func offset() throws(Unusable) -> String? {
    var moves: [(amount: Int, unit: DateUnit)] = []
    for case .move(let amount, let unit) in time.steps { moves.append((amount, unit)) }
    guard let first = moves.first else { return nil }
    var units = Set(moves.map(\.unit))
    if units.count > 1 || first.unit == .week { units = Set(units.map(\.base)) }
    // On the clocks of other zones, not every day has 24 hours.
    if units == [.second, .day], time.zone == .utc { units = [.second] }
    guard let unit = units.first, units.count == 1 else {
      throw Unusable(reason: "WireMock moves a date by one number of one unit")
    }
    var sum = 0
    for move in moves {
      // Each number is at most a billion.
      let (next, isTooLarge) = sum.addingReportingOverflow(
        move.amount * (move.unit.count / unit.count))
      guard !isTooLarge else { throw Unusable(reason: "the date is moved too far") }
      sum = next
    }
    return "\(sum) \(unit.pluralName)"
  }

  /// Where the beginning of a unit is asked for; it comes last.
  private func truncation() throws(Unusable) -> DateUnit? {
    var unit: DateUnit?
    for step in time.steps {
      guard unit == nil else {
        throw Unusable(reason: "WireMock truncates a date only as the last step")
      }
      if case .truncate(let own) = step { unit = own }
    }
    guard unit == nil || time.zone == .utc else {
      throw Unusable(reason: "WireMock truncates a date only in UTC")
    }
    guard unit != .week, unit != .second else {
      throw Unusable(reason: "WireMock does not truncate a date to a week")
    }
    return unit
  }

  private static func name(ofStart unit: DateUnit) -> String {
    starts.first { $0.unit == unit }?.name ?? ""
  }

  /// The units whose beginnings WireMock goes to.
  static let starts: [(unit: DateUnit, name: String)] = [
    (.minute, "first second of minute"), (.hour, "first minute of hour"),
    (.day, "first hour of day"), (.month, "first day of month"), (.year, "first day of year"),
  ]

  // MARK: - Options

  private func options() throws(Unusable) -> String {
    let zone = try self.zone.map { " timezone='\($0)'" } ?? ""
    let format: String? =
      switch time.format {
      case .unix: "unix"
      case .unixMilliseconds: "epoch"
      case .http: "EEE, dd MMM yyyy HH:mm:ss 'GMT'"
      case nil: time.patternText
      }
    return try format.map { text throws(Unusable) in "\(zone) format=\(try Self.quoted(text))" }
      ?? zone
  }

  /// A time in seconds has no zone; others have UTC unless they say so.
  private var zone: String? {
    get throws(Unusable) {
      guard time.format == nil, time.zone != .utc else { return nil }
      let name = time.zone.name
      // What Java takes for an offset since its beginnings.
      return name.first == "+" || name.first == "-" ? "GMT\(name)" : name
    }
  }

  private static func quoted(_ text: String) throws(Unusable) -> String {
    guard text.contains("'") else { return "'\(text)'" }
    guard !text.contains("\"") else {
      throw Unusable(reason: "the pattern of a date has both kinds of quotes")
    }
    return "\"\(text)\""
  }
}

extension DateUnit {
  /// The unit that others of its kind are a number of.
  fileprivate var base: DateUnit {
    switch self {
    case .second, .minute, .hour: .second
    case .day, .week: .day
    case .month, .year: .month
    }
  }

  /// The length of the unit in seconds, or in months.
  fileprivate var count: Int {
    switch self {
    case .second: 1
    case .minute: 60
    case .hour: 3_600
    case .day: 86_400
    case .week: 604_800
    case .month: 1
    case .year: 12
    }
  }

  /// The plural by which WireMock calls the unit.
  var pluralName: String {
    switch self {
    case .second: "seconds"
    case .minute: "minutes"
    case .hour: "hours"
    case .day: "days"
    case .week: "weeks"
    case .month: "months"
    case .year: "years"
    }
  }
}

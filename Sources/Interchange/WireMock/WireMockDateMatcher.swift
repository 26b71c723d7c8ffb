import UnderstudyContractModel
import UnderstudyCore
import UnderstudyDrafting
import UnderstudyJSON
import UnderstudySchema

/// A comparison of dates as WireMock writes it, beside ours:
/// `{ "before": "now +3 days", "truncateActual": "first hour of day" }`.
enum WireMockDateMatcher {
  private static let relations: [(key: String, relation: DateCondition.Relation)] = [
    ("before", .before), ("equalToDateTime", .at), ("after", .after),
  ]

  /// By WireMock's name, steps that lead to the beginning of a unit or beside it.
  private static let truncations: [(name: String, steps: String)] =
    WireMockDate.starts.map { ($0.name, "/\($0.unit.rawValue)") } + [
      ("first day of next month", "/M +1M"), ("last day of month", "/M +1M -1d"),
      ("first day of next year", "/y +1y"), ("last day of year", "/y +1y -1d"),
    ]

  private static let formats = [
    ("unix", MovingTime.Format.unix.rawValue),
    ("epoch", MovingTime.Format.unixMilliseconds.rawValue),
  ]

  static func has(_ key: String) -> Bool { relations.contains { $0.key == key } }

  // MARK: - Import

  /// The members of a condition.
  ///
  /// - Parameter key: that of the matcher which is its test.
  static func members(
    of matcher: JSONValue, _ key: String, _ place: String
  ) throws(WireMockStub.Unusable) -> [(key: String, value: JSONText)] {
    guard let relation = relations.first(where: { $0.key == key })?.relation,
      let written = matcher[key]?.string
    else { throw WireMockStub.Unusable(place, "\(key) is not a string") }
    func steps(_ key: String) throws(WireMockStub.Unusable) -> String? {
      guard let name = matcher[key]?.string else { return nil }
      let lowered = name.lowercased().replacing("_", with: " ")
      guard let found = truncations.first(where: { $0.name == lowered }) else {
        throw WireMockStub.Unusable(place, "\(key) \"\(name)\" has no meaning here")
      }
      return found.steps
    }
    var text = written
    let truncation = try steps("truncateExpected")
    if let offset = try offset(in: written, matcher, place) {
      let isLast = matcher["applyTruncationLast"]?.bool == true
      let parts = isLast ? [offset, truncation ?? ""] : [truncation ?? "", offset]
      text = (["now"] + parts.filter { !$0.isEmpty }).joined(separator: " ")
    } else if truncation != nil {
      throw WireMockStub.Unusable(place, "a date that does not move is not truncated")
    }
    var members = [(key: relation.rawValue, value: JSONText.string(text))]
    if let format = matcher["actualFormat"]?.string {
      let own = formats.first { $0.0 == format.lowercased() }?.1
      members.append(("format", .string(own ?? format)))
    }
    if let steps = try steps("truncateActual") { members.append(("steps", .string(steps))) }
    let condition = JSONText.object(members.map { ($0.key, $0.value) })
    var problem: Failure?
    if let root = condition.root { _ = DateCondition(reading: root) { problem = $1 } }
    if let problem { throw WireMockStub.Unusable(place, problem.message) }
    return members
  }

  /// The move in `now +3 days`, as a step of ours, empty for none; `nil` for a date.
  private static func offset(
    in text: String, _ matcher: JSONValue, _ place: String
  ) throws(WireMockStub.Unusable) -> String? {
    var words = text.lowercased().split(separator: " ").map(String.init)
    let isNow = words.first == "now"
    if isNow { words.removeFirst() }
    if isNow, words.isEmpty, let amount = matcher["expectedOffset"]?.int {
      words = ["\(amount)", matcher["expectedOffsetUnit"]?.string?.lowercased() ?? ""]
    }
    if words.isEmpty { return isNow ? "" : nil }
    guard words.count == 2, let amount = Int(words[0]) else {
      guard isNow else { return nil }
      throw WireMockStub.Unusable(place, "\"\(text)\" is no date and no offset from now")
    }
    guard let unit = DateUnit.allCases.first(where: { $0.pluralName == words[1] }) else {
      throw WireMockStub.Unusable(place, "dates are not moved by \"\(words[1])\"")
    }
    return amount == 0 ? "" : (amount < 0 ? "" : "+") + "\(amount)\(unit.rawValue)"
  }

  // MARK: - Export

  static func matcher(for date: DateCondition) throws(WireMockStubText.Unusable) -> JSONText {
    var all: [JSONText] = []
    for bound in date.bounds {
      guard let key = relations.first(where: { $0.relation == bound.relation })?.key else {
        continue
      }
      var members = try expected(bound, key)
      if !date.steps.isEmpty {
        members.append(("truncateActual", .string(try name(of: date.steps))))
      }
      if let format = date.form.text {
        members.append(
          ("actualFormat", .string(formats.first { $0.1 == format }?.0 ?? format)))
      }
      all.append(.object(members))
    }
    return all.count == 1 ? all[0] : ["and": .array(all)]
  }

  private static func expected(
    _ bound: DateCondition.Bound, _ key: String
  ) throws(WireMockStubText.Unusable) -> [(String, JSONText?)] {
    guard bound.isMoving, let time = try? MovingTime(bound.text[...]) else {
      return [(key, .string(bound.text))]
    }
    guard time.zone == .utc else {
      throw WireMockStubText.Unusable(reason: "WireMock compares dates in its own zone")
    }
    let offset = try WireMockDate(time).offset().map { " \($0.hasPrefix("-") ? "" : "+")\($0)" }
    var members: [(String, JSONText?)] = [(key, .string("now\(offset ?? "")"))]
    let truncations = time.steps.filter { if case .truncate = $0 { true } else { false } }
    if let truncation = truncations.first {
      let isLast = time.steps.last == truncation
      guard truncations.count == 1, isLast || time.steps.first == truncation else {
        throw WireMockStubText.Unusable(reason: "WireMock truncates a date first or last")
      }
      members.append(("truncateExpected", .string(try name(of: [truncation]))))
      if isLast, offset != nil { members.append(("applyTruncationLast", true)) }
    }
    return members
  }

  private static func name(of steps: [DateStep]) throws(WireMockStubText.Unusable) -> String {
    let found = truncations.first { (try? DateCondition.steps($0.steps)) == steps }
    guard let found else {
      throw WireMockStubText.Unusable(reason: "WireMock has no such steps to a date")
    }
    return found.name
  }
}

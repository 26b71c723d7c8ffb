/// The time of a response, moved and written as a template says:
/// `{now -3d/d in Europe/Berlin yyyy-MM-dd}`.
package struct MovingTime: Hashable, Sendable {
  /// The forms of a time that have a name, beside patterns of letters.
  package enum Format: String, Hashable, Sendable, CaseIterable {
    case http, unix, unixMilliseconds
  }

  /// The written time: a number can stand in JSON without quotes.
  package enum Value: Hashable, Sendable {
    case text(String)
    case number(Int)
  }

  package private(set) var steps: [DateStep] = []
  package private(set) var zone = Zone.utc
  /// `nil` for a date by a pattern, or as in RFC 3339.
  package private(set) var format: Format?
  /// As it is written; `nil` for a date as in RFC 3339.
  package private(set) var patternText: String?
  private var pattern: DatePattern?

  /// Whether the text in braces begins as such an expression does.
  package static func isMeant(by text: some StringProtocol) -> Bool {
    guard text.utf8.starts(with: "now".utf8) else { return false }
    guard let next = text.utf8.dropFirst(3).first else { return true }
    return [.space, .period, .plus, .hyphen, .slash].contains(next)
  }

  /// Reads the text in braces.
  package init(_ text: Substring) throws(Failure) {
    var parser = Parser(whole: text)
    format = try parser.format()
    while let step = try parser.step() { steps.append(step) }
    if let name = try parser.zoneName() { zone = try Zone(name) }
    let rest = try parser.pattern()
    guard !rest.isEmpty else { return }
    if let format {
      throw parser.failure(
        "found pattern \"\(rest)\" beside \".\(format.rawValue)\"", expected: "one of the two",
        fix: "remove \".\(format.rawValue)\"")
    }
    pattern = try DatePattern(rest)
    patternText = rest
  }

  package func moment(at now: Moment) -> Moment { now.moved(by: steps, in: zone) }

  package func value(at now: Moment) -> Value {
    let moment = moment(at: now)
    let seconds = moment.unixSeconds
    let microsecond = Int(moment.microseconds) - seconds * 1_000_000
    switch format {
    case .http: return .text(Moment(unixSeconds: seconds).httpDate)
    case .unix: return .number(seconds)
    case .unixMilliseconds: return .number(seconds * 1_000 + microsecond / 1_000)
    case nil: break
    }
    return .text(
      pattern?.text(unixSeconds: seconds, microsecond: microsecond, in: zone)
        ?? zone.rfc3339(unixSeconds: seconds))
  }
}

extension MovingTime {
  private struct Parser {
    let whole: Substring
    private var rest: Substring

    init(whole: Substring) {
      self.whole = whole
      rest = Substring(whole.utf8.dropFirst("now".utf8.count))
    }

    func failure(_ found: String, expected: String, fix: String) -> Failure {
      Failure(message: "\(found) in \"{\(whole)}\", expected \(expected)", fix: fix)
    }

    mutating func format() throws(Failure) -> Format? {
      guard rest.first == "." else { return nil }
      let word = String(rest.dropFirst().prefix { !" +-/".contains($0) })
      rest = rest.dropFirst(1 + word.count)
      if let format = Format(rawValue: word) { return format }
      let names = Format.allCases.map(\.rawValue)
      throw failure(
        "found \".\(word)\"", expected: names.map { ".\($0)" }.joined(separator: ", "),
        fix: Spelling.nearest(to: word, among: names).map { "write \".\($0)\"" }
          ?? "remove \".\(word)\" for a date as in RFC 3339")
    }

    /// `+1h`, `-3d` or `/d`.
    mutating func step() throws(Failure) -> DateStep? {
      rest = rest.drop { $0 == " " }
      guard let sign = rest.utf8.first, [.plus, .hyphen, .slash].contains(sign) else { return nil }
      let token = rest.prefix(1) + rest.dropFirst().prefix { !" +-/".contains($0) }
      rest = rest.dropFirst(token.count)
      let digits = token.dropFirst().prefix { $0.isASCII && $0.isNumber }
      let unit = DateUnit(rawValue: String(token.dropFirst(1 + digits.count)))
      if sign == .slash {
        guard digits.isEmpty, let unit, unit != .second else {
          throw failure(
            "found \"\(token)\"", expected: "\"/\" and a unit: m, h, d, w, M or y",
            fix: "write \"/d\" for the beginning of the day")
        }
        return .truncate(unit)
      }
      guard let unit, !digits.isEmpty else {
        throw failure(
          "found \"\(token)\"", expected: "a number and a unit: s, m, h, d, w, M or y",
          fix: "write it like \"+1h\" or \"-3d\"")
      }
      guard let amount = Int(digits), amount <= DateStep.amountMax else {
        throw failure(
          "found \"\(token)\"", expected: "at most \(DateStep.amountMax) units",
          fix: "use a smaller number or a longer unit")
      }
      return .move(sign == .hyphen ? -amount : amount, unit)
    }

    mutating func zoneName() throws(Failure) -> String? {
      rest = rest.drop { $0 == " " }
      guard rest == "in" || rest.hasPrefix("in ") else { return nil }
      rest = rest.dropFirst(2).drop { $0 == " " }
      let name = rest.prefix { $0 != " " }
      guard !name.isEmpty else {
        throw failure(
          "found \"in\" without a time zone", expected: "one after it",
          fix: "write \"in UTC\", \"in +02:00\" or \"in Europe/Berlin\"")
      }
      rest = rest.dropFirst(name.count)
      return String(name)
    }

    /// What is left. Steps and zones in it come too late, and would be written as text.
    func pattern() throws(Failure) -> String {
      let text = rest.drop { $0 == " " }
      var isQuoted = false
      for word in text.split(separator: " ") {
        if !isQuoted, word == "in" || Self.isStep(word) {
          throw failure(
            "found \"\(word)\" too late", expected: "steps, then a zone, then a pattern",
            fix: "write it like \"{now -3d in UTC yyyy-MM-dd}\", or put text in quotes")
        }
        if word.utf8.count(where: { $0 == UInt8(ascii: "'") }) % 2 == 1 { isQuoted.toggle() }
      }
      return String(text)
    }

    private static func isStep(_ word: Substring) -> Bool {
      guard let sign = word.utf8.first, [.plus, .hyphen, .slash].contains(sign) else {
        return false
      }
      let digits = word.dropFirst().prefix { $0.isASCII && $0.isNumber }
      let unit = word.dropFirst(1 + digits.count)
      guard digits.isEmpty == (sign == .slash), DateUnit(rawValue: String(unit.prefix(1))) != nil
      else { return false }
      return unit.dropFirst().first.map { "+-/".contains($0) } ?? true
    }
  }
}

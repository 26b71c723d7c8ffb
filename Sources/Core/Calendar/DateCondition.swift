/// What a text must say as a date: that it is before, at or after others, which may move with the
/// time: `{ "after": "now -1d", "before": "now" }`.
package struct DateCondition: Sendable {
  /// How a date is compared with another one.
  package enum Relation: String, Hashable, Sendable, CaseIterable {
    case before, at, after
  }

  /// One comparison.
  package struct Bound: Sendable {
    package let relation: Relation
    /// As written.
    package let text: String
    fileprivate let date: BoundDate

    /// Reads `now -1d/d in Europe/Berlin`, or a date.
    package init(_ relation: Relation, _ text: String) throws(Failure) {
      self.relation = relation
      self.text = text
      guard MovingTime.isMeant(by: text) else {
        guard let date = WrittenDate.usual(text) else {
          throw Failure(
            message: "found \"\(text)\", expected a date, or \"now\" and steps",
            fix: "write it like \"2026-01-31T12:00:00Z\" or \"now +3d\"")
        }
        self.date = .written(date)
        return
      }
      let time = try MovingTime(text[...])
      guard time.format == nil, time.patternText == nil else {
        throw Failure(
          message: "found a format in \"\(text)\", expected \"now\", steps and a zone",
          fix: "write the format of the other date as \"format\"")
      }
      date = .moving(time)
    }

    /// Whether it depends on when it is asked.
    package var isMoving: Bool { if case .moving = date { true } else { false } }

    fileprivate var zone: Zone {
      switch date {
      case .moving(let time): time.zone
      case .written: .utc
      }
    }

    fileprivate func moment(at now: Moment) -> Moment {
      switch date {
      case .moving(let time): time.moment(at: now)
      case .written(let date): date.moment(in: date.zone(or: .utc))
      }
    }
  }

  fileprivate enum BoundDate: Sendable {
    case moving(MovingTime)
    case written(WrittenDate)
  }

  /// How the compared text is written.
  package struct Form: Sendable {
    /// A date of RFC 3339, ISO 8601 or HTTP.
    package static let usual = Form(kind: .usual, text: nil)

    fileprivate enum Kind: Sendable {
      case usual, unix, unixMilliseconds
      case pattern(DatePattern)
    }

    fileprivate let kind: Kind
    /// As written.
    package let text: String?

    private init(kind: Kind, text: String?) { (self.kind, self.text) = (kind, text) }

    /// Reads `unix`, `unixMilliseconds`, or a pattern of letters.
    package init(_ text: String) throws(Failure) {
      let kind: Kind
      switch text {
      case MovingTime.Format.unix.rawValue: kind = .unix
      case MovingTime.Format.unixMilliseconds.rawValue: kind = .unixMilliseconds
      default: kind = .pattern(try DatePattern(text))
      }
      self.init(kind: kind, text: text)
    }

    fileprivate func date(in text: String) -> WrittenDate? {
      switch kind {
      case .usual: WrittenDate.usual(text)
      case .unix: Int(text).map { WrittenDate(Moment(unixSeconds: $0)) }
      case .unixMilliseconds:
        Int64(text).flatMap { milliseconds in
          // The years 0 to 9999.
          -62_167_219_200_000...253_402_300_799_999 ~= milliseconds
            ? WrittenDate(Moment(microseconds: milliseconds * 1_000)) : nil
        }
      case .pattern(let pattern): pattern.date(in: text)
      }
    }

    fileprivate func text(of moment: Moment, in zone: Zone) -> String {
      let seconds = moment.unixSeconds
      return switch kind {
      case .usual: zone.rfc3339(unixSeconds: seconds)
      case .unix: "\(seconds)"
      case .unixMilliseconds: "\(moment.microseconds / 1_000)"
      case .pattern(let pattern): pattern.text(unixSeconds: seconds, microsecond: 0, in: zone)
      }
    }
  }

  /// All must hold.
  package let bounds: [Bound]
  package let form: Form
  /// Taken on the text's date before it is compared, such as `/d`.
  package let steps: [DateStep]

  package init(_ bounds: [Bound], form: Form = .usual, steps: [DateStep] = []) {
    (self.bounds, self.form, self.steps) = (bounds, form, steps)
  }

  /// Reads steps: `/d`, `+1M/M -1d`.
  package static func steps(_ text: String) throws(Failure) -> [DateStep] {
    let time = try MovingTime("now\(text.hasPrefix(" ") ? "" : " ")\(text)")
    guard time.format == nil, time.patternText == nil, time.zone == .utc, !time.steps.isEmpty
    else {
      throw Failure(
        message: "found \"\(text)\", expected steps",
        fix: "write \"/d\" for the beginning of the day, or \"+1M/M -1d\"")
    }
    return time.steps
  }

  /// Whether it depends on when it is asked.
  package var isMoving: Bool { bounds.contains { $0.isMoving } }

  /// Where clocks are that show a date which does not say so.
  private var zone: Zone { bounds.lazy.map(\.zone).first { $0 != .utc } ?? .utc }

  package func accepts(_ text: String, at now: Moment) -> Bool {
    guard let date = form.date(in: text) else { return false }
    let zone = date.zone(or: zone)
    let moment = date.moment(in: zone).moved(by: steps, in: zone)
    return bounds.allSatisfy { bound in
      let other = bound.moment(at: now)
      return switch bound.relation {
      case .before: moment < other
      case .at: moment == other
      case .after: moment > other
      }
    }
  }

  /// A text that is accepted; `nil` where none is found.
  package func example(at now: Moment) -> String? {
    let day = Duration.seconds(86_400)
    let tries = bounds.flatMap { bound in
      let other = bound.moment(at: now)
      return switch bound.relation {
      case .before: [other - day, other - .seconds(1), other - day * 32, other - day * 366]
      case .at: [other]
      case .after: [other + day, other + .seconds(1), other + day * 32, other + day * 366]
      }
    }
    return tries.lazy.map { form.text(of: $0, in: zone) }.first { accepts($0, at: now) }
  }

  /// In words, to follow "expected".
  package var expectation: String {
    let dates = bounds.map { "\($0.relation) \($0.text)" }.joined(separator: " and ")
    return "a date \(dates)" + (form.text.map { ", written as \($0)" } ?? "")
  }
}

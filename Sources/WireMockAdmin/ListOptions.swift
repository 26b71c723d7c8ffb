import UnderstudyContractModel
import UnderstudyCore
import UnderstudyFakeServer
import UnderstudyInterchange
import UnderstudyJSON

/// What the query of a request for a list says.
struct ListOptions {
  private let pairs: [(name: String, value: String)]

  init(_ request: Request) { pairs = PercentEncoding.fields(of: request.query ?? "") }

  subscript(name: String) -> String? { pairs.first { $0.name == name }?.value }

  private func count(_ name: String) throws(AdminRefusal) -> Int? {
    guard let text = self[name] else { return nil }
    guard let count = Int(text), count >= 0 else {
      throw .other(
        .error(
          400, code: 10, "found \(name) \"\(text)\", expected a whole number",
          source: ["pointer": .string(name)]))
    }
    return count
  }

  func page<Element>(of all: [Element]) throws(AdminRefusal) -> [Element] {
    let (offset, limit) = (try count("offset") ?? 0, try count("limit") ?? all.count)
    return Array(all.dropFirst(offset).prefix(limit))
  }

  /// The moment after which requests are wanted.
  func since() throws(AdminRefusal) -> Moment? {
    guard let text = self["since"] else { return nil }
    guard let moment = Moment(iso8601: text) else {
      throw .other(
        .error(
          400, code: 10, "\(text) is not a valid ISO8601 date",
          source: ["pointer": "since"]))
    }
    return moment
  }

  /// The id of the stub whose requests are wanted.
  func stub() throws(AdminRefusal) -> String? {
    guard let text = self["matchingStub"] else { return nil }
    guard StubID.isValid(text) else {
      throw .other(
        .error(
          400, code: 15, "Query parameter matchingStub value '\(text)' is not a valid UUID"))
    }
    return text.lowercased()
  }

  /// Whether only requests without a stub are wanted.
  var isUnmatched: Bool { self["unmatched"] == "true" }
}

extension Moment {
  /// Reads a date, with or without a time and a zone.
  fileprivate init?(iso8601 text: String) {
    let halves = text.split(separator: "T", maxSplits: 1, omittingEmptySubsequences: false)
    let days = halves[0].split(separator: "-", omittingEmptySubsequences: false).map { Int($0) }
    guard days.count == 3, let year = days[0], let month = days[1], let day = days[2],
      0...9_999 ~= year, 1...12 ~= month, 1...31 ~= day
    else { return nil }
    var seconds = CivilTime.days(year: year, month: month, day: day) * 86_400
    if halves.count == 2 {
      var clock = halves[1]
      if clock.hasSuffix("Z") {
        clock = clock.dropLast()
      } else if let sign = clock.lastIndex(where: { $0 == "+" || $0 == "-" }) {
        let digits = clock[sign...].dropFirst().filter { $0 != ":" }
        guard let zone = Int(digits), digits.count == 4 || digits.count == 2 else { return nil }
        let offset = digits.count == 2 ? zone * 3_600 : (zone / 100 * 60 + zone % 100) * 60
        seconds += clock[sign] == "+" ? -offset : offset
        clock = clock[..<sign]
      }
      let times = clock.split(separator: ":", omittingEmptySubsequences: false)
      guard 2...3 ~= times.count else { return nil }
      for (text, unit) in zip(times, [3_600, 60, 1]) {
        guard let number = Int(text.prefix { $0 != "." && $0 != "," }), 0...60 ~= number else {
          return nil
        }
        seconds += number * unit
      }
    }
    self.init(unixSeconds: seconds)
  }
}

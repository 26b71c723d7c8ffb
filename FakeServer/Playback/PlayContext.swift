import ContractModel
import HTTP
import JSON

/// What must be known about a client and the moment to put an answer on the wire.
struct PlayContext: Sendable {
  /// What the client said of the connection.
  enum ConnectionWish: Sendable {
    case close, keepAlive, unsaid
  }

  /// Whether the head is wanted alone: the request's method is HEAD.
  var isHead = false
  var clientVersion = Response.Version.http11
  /// Also `.close` when the server wants to be rid of the connection.
  var wish = ConnectionWish.unsaid
  /// Whether the answer tells the contract and the case it comes from.
  var namesCase = true
  /// Headers the server adds itself, such as those of CORS, each as `\r\nName: value`.
  var addedLines: [UInt8] = []
  var now: Moment
}

/// A point in time in the two forms answers need; whoever keeps the clock makes both.
struct Moment: Sendable {
  let unixSeconds: Int
  /// As in the `Date` header: `Sun, 06 Nov 1994 08:49:37 GMT`.
  let httpDate: [UInt8]

  init(unixSeconds: Int) {
    self.init(unixSeconds: unixSeconds, httpDate: HTTPDate(seconds: unixSeconds).text)
  }

  init(unixSeconds: Int, httpDate: [UInt8]) {
    self.unixSeconds = unixSeconds
    self.httpDate = httpDate
  }

  /// Spells the time anew only when the second has changed.
  mutating func update(unixSeconds: Int) {
    if unixSeconds != self.unixSeconds { self = Moment(unixSeconds: unixSeconds) }
  }

  /// RFC 3339 in UTC, to the second.
  var rfc3339: String {
    let (days, second) = unixSeconds.flooredQuotientAndRemainder(by: 86_400)
    // Days are counted from 1 March of year 0, so that a leap day is the last of its year.
    let (era, dayOfEra) = (days + 719_468).flooredQuotientAndRemainder(by: 146_097)
    let yearOfEra =
      (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let monthFromMarch = (5 * dayOfYear + 2) / 153
    let day = dayOfYear - (153 * monthFromMarch + 2) / 5 + 1
    let month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
    let year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
    func digits(_ number: Int, _ count: Int = 2) -> String {
      let text = String(number)
      return String(repeating: "0", count: max(0, count - text.utf8.count)) + text
    }
    return "\(digits(year, 4))-\(digits(month))-\(digits(day))"
      + "T\(digits(second / 3_600)):\(digits(second / 60 % 60)):\(digits(second % 60))Z"
  }
}

extension Moment {
  /// RFC 3339 in UTC, to the millisecond.
  static func rfc3339(nanoseconds: Int64) -> String {
    let moment = Moment(unixSeconds: Int(nanoseconds / 1_000_000_000), httpDate: [])
    let digits = String(nanoseconds / 1_000_000 % 1_000)
    let fraction = String(repeating: "0", count: 3 - digits.count) + digits
    return "\(moment.rfc3339.dropLast()).\(fraction)Z"
  }
}

extension Int {
  fileprivate func flooredQuotientAndRemainder(by divisor: Int) -> (Int, Int) {
    let (quotient, remainder) = quotientAndRemainder(dividingBy: divisor)
    return remainder < 0 ? (quotient - 1, remainder + divisor) : (quotient, remainder)
  }
}

/// The values of a request that templates take, `nil` for what it has not.
protocol RequestValues {
  /// The part of the path that stands for a parameter, after percent-decoding.
  func pathValue(_ name: String) -> String?
  /// The first of several, after percent-decoding.
  func queryValue(_ name: String) -> String?
  /// The first of several; the name may be in any case.
  func headerValue(_ name: String) -> String?
  /// `nil` also when the body is no JSON.
  func bodyValue(_ pointer: JSONPointer) -> JSONValue?
  /// The address by which the client reaches an upstream, without a slash at its end.
  func baseURL(ofUpstream name: String) -> String?
}

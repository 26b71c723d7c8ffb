import UnderstudyContractModel
import UnderstudyCore
import UnderstudyHTTP
import UnderstudyJSON

/// What a response needs to know about its client and the current time.
struct ServingContext: Sendable {
  /// The client's wish for the connection.
  enum ConnectionWish: Sendable {
    case close, keepAlive, unsaid
  }

  /// Whether only the head is sent: the request's method is HEAD.
  var isHead = false
  var clientVersion = Response.Version.http11
  /// Also `.close` when the server wants to close the connection.
  var wish = ConnectionWish.unsaid
  /// Whether the response names its contract and case.
  var namesCase = true
  /// Headers added by the server, such as those of CORS, each as `\r\nName: value`.
  var addedLines: [UInt8] = []
  var now: ResponseTime
}

/// The time in the formats that responses need; the owner of the clock creates it.
struct ResponseTime: Sendable {
  static let epoch = ResponseTime(.epoch)

  private(set) var moment: Moment
  private(set) var date: DateBytes
  private var unixSeconds: Int

  init(_ moment: Moment) {
    self.moment = moment
    unixSeconds = moment.unixSeconds
    date = DateBytes(moment.httpDate)
  }

  /// Formats the time only when the second has changed.
  mutating func update(to moment: Moment) {
    if Int(moment.microseconds / 1_000_000) == unixSeconds {
      self.moment = moment
    } else {
      self = ResponseTime(moment)
    }
  }
}

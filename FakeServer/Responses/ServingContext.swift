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

/// The values of a request for templates; `nil` for missing ones.
protocol RequestValues {
  /// The value of a path parameter, percent-decoded.
  func pathValue(_ name: String) -> String?
  /// The first of several values, percent-decoded.
  func queryValue(_ name: String) -> String?
  /// The first of several values; the name may be in any case.
  func headerValue(_ name: String) -> String?
  /// All values, one a line of the head; the name may be in any case.
  func headerValues(_ name: String) -> [String]
  /// Also `nil` when the body is not valid JSON.
  func bodyValue(_ pointer: JSONPointer) -> JSONValue?
  /// The whole body; invalid UTF-8 becomes U+FFFD.
  var bodyText: String { get }
  /// A named string of the upstream's state.
  func stateValue(_ name: String) -> String?
  /// The strings of the state whose names begin so, the oldest first.
  func stateValues(beginningWith prefix: String) -> [String]
  /// What was drawn for this response already.
  var drawn: ByteTemplate.ResponseValues { get }
  /// The base URL by which the client reaches an upstream, without a trailing slash.
  func baseURL(ofUpstream name: String) -> String?
}

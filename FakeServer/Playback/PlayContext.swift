import UnderstudyContractModel
import UnderstudyCore
import UnderstudyHTTP
import UnderstudyJSON

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
  var now: AnswerTime
}

/// A second in the forms answers need; whoever keeps the clock makes it.
struct AnswerTime: Sendable {
  static let epoch = AnswerTime(unixSeconds: 0)

  let unixSeconds: Int
  /// As in the `Date` header: `Sun, 06 Nov 1994 08:49:37 GMT`.
  let date: InlineArray<29, UInt8>

  init(unixSeconds: Int) {
    self.unixSeconds = unixSeconds
    var date = InlineArray<29, UInt8>(repeating: UInt8(ascii: " "))
    let text = Moment(unixSeconds: unixSeconds).httpDate
    for (index, byte) in zip(date.indices, text.utf8) { date[index] = byte }
    self.date = date
  }

  var httpDate: [UInt8] { date.indices.map { date[$0] } }

  /// Spells the time anew only when the second has changed.
  mutating func update(unixSeconds: Int) {
    if unixSeconds != self.unixSeconds { self = AnswerTime(unixSeconds: unixSeconds) }
  }

  /// RFC 3339 in UTC, to the second.
  var rfc3339: String { Moment(unixSeconds: unixSeconds).rfc3339 }
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

package import UnderstudyContractModel
package import UnderstudyCore
package import UnderstudySecrets

/// One request in the request log, and its outcome.
///
/// Contains the request as sent, since tests need to see tokens; mask it before printing it.
package struct JournalEntry: Sendable {
  /// The outcome of a request.
  package enum Outcome: String, Sendable, CaseIterable {
    /// Its response is waiting or being sent.
    case underWay
    /// Its response is held until somebody releases it.
    case held
    /// All of the response was sent.
    case responded
    /// The connection was closed before or during the response, as the case defines.
    case cutOff
    /// The connection was reset, as the case defines or as a client of the admin API wished.
    case reset
    /// Sending stopped, as the case defines, and the connection stays open.
    case stalled
    /// The client left before it had the whole response.
    case clientLeft
    /// A reset or the end of the server cut the response off.
    case cancelled

    /// Whether it is not known yet how the request ends.
    var isOpen: Bool { self == .underWay || self == .held }
  }

  /// Why the case was chosen, or why there was none.
  enum Reason: String, Sendable {
    case preference, script, hand, when, live
    /// The live API responded, or nobody.
    case mode
    case byDefault = "default"
  }

  /// Increases with each request of a server, across sessions and loops.
  package let sequence: UInt64
  /// When the request was complete, in nanoseconds since 1970.
  package let receivedAt: Moment
  package private(set) var method: String
  /// As sent, without session and query.
  package private(set) var path: String
  package private(set) var query: String?
  package private(set) var headers: [HeaderField]
  /// Cut off at the request log's limit.
  package private(set) var body: [UInt8]
  /// The size of the whole body.
  package let bodyByteCount: Int
  /// Empty for the main session.
  package let session: String
  /// `dog-ceo/random-images`; `nil` when no contract matched.
  package let contract: String?
  package let caseName: String?
  /// Why the case was chosen: `preference`, `script`, `hand`, `when`, `live` or `default`; `mode`
  /// where the live API responded, or nobody.
  package let reason: String?
  /// `nil` for a fault that sends no response.
  package let status: Int?
  package let delayConfigured: Duration
  /// From the complete request to the first byte of the response.
  package let delayActual: Duration
  package let sentByteCount: Int
  package let outcome: Outcome

  /// Whether neither a contract nor the server itself responded.
  package let isUnmatched: Bool

  /// Whether its mode decided, so that no contract was asked.
  package var isByMode: Bool { reason == Reason.mode.rawValue }

  /// This entry without secrets.
  package func masked(by mask: SecretMask) -> JournalEntry {
    let request = mask.masked(request)
    var entry = self
    (entry.method, entry.path, entry.query) = (request.method, request.path, request.query)
    (entry.headers, entry.body) = (request.headers, request.body)
    return entry
  }

  /// The request as the client sent it, without its session.
  package var request: Request {
    Request(method, query.map { "\(path)?\($0)" } ?? path, headers: headers, body: body)
  }
}

package import UnderstudyContractModel
package import UnderstudyCore
package import UnderstudySecrets

/// One request as the journal tells of it, and what became of it.
///
/// It has the request as it was sent, for a test has to see the token it sends; whoever prints it
/// masks it.
package struct JournalEntry: Sendable {
  /// What became of a request.
  package enum Outcome: String, Sendable, CaseIterable {
    /// Its answer is waiting, held or being sent.
    case underWay
    /// All of it was sent.
    case answered
    /// The connection was closed before or in the answer, as the case asks.
    case cutOff
    /// The connection was reset, as the case asks.
    case reset
    /// Sending stopped, as the case asks, and the connection stays open.
    case stalled
    /// The client went away before it had everything.
    case clientLeft
    /// A reset or the end of the server broke the answer off.
    case cancelled
  }

  /// What chose the case that was played.
  enum Reason: String, Sendable {
    case preference, script, hand, trigger, live
    case byDefault = "default"
  }

  /// Grows from one request to the next of a server, whichever session or loop it came to.
  package let sequence: UInt64
  /// When the request was complete, in nanoseconds since 1970.
  package let receivedAt: Moment
  package private(set) var method: String
  /// Without the session and the query, as it was sent.
  package private(set) var path: String
  package private(set) var query: String?
  package private(set) var headers: [HeaderField]
  /// As much of it as a journal keeps.
  package private(set) var body: [UInt8]
  /// Of the whole body.
  package let bodyByteCount: Int
  /// Empty for the main one.
  package let session: String
  /// `dog-ceo/random-images`; `nil` when no contract answers.
  package let contract: String?
  package let caseName: String?
  /// What chose the case: `preference`, `script`, `hand`, `trigger` or `default`.
  package let reason: String?
  /// `nil` for a fault that plays no answer.
  package let status: Int?
  package let delayAsked: Duration
  /// From the complete request to the first byte of the answer.
  package let delayGiven: Duration
  package let sentByteCount: Int
  package let outcome: Outcome

  /// Whether no contract answered, and the server had nothing of its own to say either.
  package let isUnmatched: Bool

  /// The same without secrets.
  package func masked(by mask: SecretMask) -> JournalEntry {
    let request = mask.masked(request)
    var entry = self
    (entry.method, entry.path, entry.query) = (request.method, request.path, request.query)
    (entry.headers, entry.body) = (request.headers, request.body)
    return entry
  }

  /// The request as the client sent it, but for its session.
  package var request: Request {
    Request(method, query.map { "\(path)?\($0)" } ?? path, headers: headers, body: body)
  }
}

package import UnderstudyContractModel

/// A request and what became of it, as told to whoever watches a server.
package struct Exchange: Sendable {
  /// Where the answer came from.
  package enum Source: Sendable {
    case played(contractID: String, caseName: String)
    case miss(Explanation)
    /// The server's own, in words: why it had to, or what it was.
    case server(String)
  }

  /// Nanoseconds since 1970.
  package var receivedAt: Int64
  /// Empty, like the target, when what came is no request.
  package var method: String
  /// As it was sent, session and query included, but for secrets.
  package var target: String
  package var source: Source
  /// `nil` when no answer was played.
  package var status: Int?
  package var delayAsked: Duration?
  package var delayGiven: Duration?
  package var sentByteCount = 0
  package var outcome = JournalEntry.Outcome.answered

  /// When it was received: `2026-01-31T23:59:59.250Z`.
  package var time: String { Moment.rfc3339(nanoseconds: receivedAt) }
}

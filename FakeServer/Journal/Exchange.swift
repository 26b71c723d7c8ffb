package import UnderstudyContractModel
package import UnderstudyCore

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
  package var receivedAt: Moment
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
  package var time: String { receivedAt.exactRFC3339 }
}

/// Tells of the requests to one port when they are over, all of a loop's turn at once.
///
/// Part of a port's server, and touched on its loop's thread alone. Unwatched servers have none.
struct ExchangeReporter {
  typealias Listener = @Sendable ([Exchange]) -> Void

  /// Called on the loop's thread, which serves nobody meanwhile: it must only hand on.
  private let listener: Listener
  private var underWay: [JournalRing.Slot: Exchange] = [:]
  private var finished: [Exchange] = []

  init(_ listener: @escaping Listener) {
    self.listener = listener
  }

  mutating func add(_ exchange: Exchange) {
    finished.append(exchange)
  }

  /// Waits for the end of an answer that takes its time.
  mutating func begin(_ exchange: Exchange, _ slot: JournalRing.Slot) {
    underWay[slot] = exchange
  }

  mutating func note(_ slot: JournalRing.Slot, status: Int) {
    underWay[slot]?.status = status
  }

  /// Only the first end of a request counts: a stalled one is told at once, not when the client has
  /// had enough of it.
  mutating func finish(
    _ slot: JournalRing.Slot, _ outcome: JournalEntry.Outcome, _ record: JournalRing.Record?
  ) {
    guard var exchange = underWay.removeValue(forKey: slot) else { return }
    exchange.outcome = outcome
    if let record {
      exchange.delayAsked = .nanoseconds(record.delayAsked)
      exchange.delayGiven = .nanoseconds(record.delayGiven)
      exchange.sentByteCount = Int(record.sentByteCount)
    }
    finished.append(exchange)
  }

  /// Hands over what was finished in this turn.
  mutating func report() {
    guard !finished.isEmpty else { return }
    listener(finished)
    finished.removeAll(keepingCapacity: true)
  }
}

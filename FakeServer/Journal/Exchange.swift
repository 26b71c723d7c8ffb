package import UnderstudyContractModel
package import UnderstudyCore

/// A request and its outcome, as reported to a server's listener.
package struct Exchange: Sendable {
  /// What the response came from.
  package enum Source: Sendable {
    case served(contractID: String, caseName: String)
    case unmatched(Explanation)
    /// The server itself, with a reason in words.
    case server(String)
    /// A live API, or nobody, as the mode says, in words.
    case mode(String)
  }

  /// Nanoseconds since 1970.
  package var receivedAt: Moment
  /// Empty, like the target, when the bytes were not a valid request.
  package var method: String
  /// As sent, including session and query, without secrets.
  package var target: String
  package var source: Source
  /// `nil` when no response was sent.
  package var status: Int?
  package var delayConfigured: Duration?
  package var delayActual: Duration?
  package var sentByteCount = 0
  package var outcome = JournalEntry.Outcome.responded

  /// When it was received: `2026-01-31T23:59:59.250Z`.
  package var time: String { receivedAt.exactRFC3339 }
}

/// Reports the completed requests of one port, in a batch for each turn of the loop.
///
/// Part of a port's server, and used only on its loop's thread. Servers without a listener have
/// none.
struct ExchangeReporter {
  typealias Listener = @Sendable (ExchangeBatch) -> Void

  /// Called on the loop's thread, so it must return at once.
  private let listener: Listener
  private var underWay: [JournalRing.Slot: Exchange] = [:]
  private var finished: ExchangeBatch

  init(_ listener: @escaping Listener, _ finished: ExchangeBatch) {
    self.listener = listener
    self.finished = finished
  }

  mutating func add(_ exchange: Exchange) {
    finished.append(exchange)
  }

  // SAFETY: the bytes are copied, and not kept.
  /// Adds a request that a case served at once.
  mutating func add(
    _ record: JournalRing.Record, method: UnsafeRawBufferPointer, target: UnsafeRawBufferPointer
  ) {
    finished.append(record, method: method, target: target)
  }

  /// Notes a response that takes time.
  mutating func begin(_ exchange: Exchange, _ slot: JournalRing.Slot) {
    underWay[slot] = exchange
  }

  /// Notes what became known of a response when it arrived: its status, 0 for none, and the case
  /// that is served instead.
  mutating func note(
    _ slot: JournalRing.Slot, status: Int?, serving served: ServedCase?, problem: String?
  ) {
    if let problem { underWay[slot]?.source = .server(problem) }
    if let status { underWay[slot]?.status = status == 0 ? nil : status }
    if let served {
      underWay[slot]?.source = .served(contractID: served.contract, caseName: served.caseName)
    }
  }

  /// Only the first end of a request counts: a stalled one is reported at once, not when the client
  /// gives up.
  mutating func finish(
    _ slot: JournalRing.Slot, _ outcome: JournalEntry.Outcome, _ record: JournalRing.Record?
  ) {
    guard var exchange = underWay.removeValue(forKey: slot) else { return }
    exchange.outcome = outcome
    if let record {
      exchange.delayConfigured = .nanoseconds(record.delayConfigured)
      exchange.delayActual = .nanoseconds(record.delayActual)
      exchange.sentByteCount = Int(record.sentByteCount)
    }
    finished.append(exchange)
  }

  /// Reports what was completed in this turn.
  mutating func report() {
    guard finished.count > 0 else { return }
    listener(finished)
    finished.removeAll()
  }
}

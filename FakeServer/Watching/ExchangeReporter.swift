/// Tells of one seat's requests when they are over, all of a loop's turn at once.
///
/// Part of a seat, and touched on its loop's thread alone. A seat nobody watches has none.
struct ExchangeReporter {
  package typealias Listener = @Sendable ([Exchange]) -> Void

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
    _ slot: JournalRing.Slot, _ outcome: JournalRing.Outcome, _ record: JournalRing.Record?
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

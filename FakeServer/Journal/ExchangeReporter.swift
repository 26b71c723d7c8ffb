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
    _ record: JournalRecord, method: UnsafeRawBufferPointer, target: UnsafeRawBufferPointer
  ) {
    finished.append(record, method: method, target: target)
  }

  /// Notes a response that takes time.
  mutating func begin(_ exchange: Exchange, _ slot: JournalRing.Slot) {
    underWay[slot] = exchange
    underWay[slot]?.isTimed = true
  }

  /// Notes what became known of a response that takes time.
  mutating func update(_ slot: JournalRing.Slot, _ change: (inout JournalRecord) -> Void) {
    guard let index = underWay.index(forKey: slot) else { return }
    change(&underWay.values[index].record)
  }

  /// Notes what responds instead.
  mutating func update(_ slot: JournalRing.Slot, _ source: Exchange.Source) {
    underWay[slot]?.source = source
  }

  /// Only the first end of a request counts: a stalled one is reported at once, not when the client
  /// gives up.
  mutating func finish(_ slot: JournalRing.Slot) {
    if let exchange = underWay.removeValue(forKey: slot) { finished.append(exchange) }
  }

  /// Reports what was completed in this turn.
  mutating func report() {
    guard finished.count > 0 else { return }
    listener(finished)
    finished.removeAll()
  }
}

import Synchronization
import UnderstudyFakeServer
import UnderstudySystem

/// Finished requests on their way from the server's threads to the one that prints.
///
/// Bounded, so that a stopped terminal neither slows responses nor makes the server use unlimited
/// memory.
final class ExchangeQueue: Sendable {
  private static let byteCountMax = 16 << 20
  private static let callbackCountMax = 1_000

  struct Batch {
    /// `nil` when there are none.
    var exchanges: ExchangeBatch?
    /// Those that are over.
    var callbacks: [(served: ServedCase, attempt: CallbackAttempt)] = []
    /// The number of requests dropped because the queue was full.
    var lostCount = 0

    var isEmpty: Bool { exchanges == nil && callbacks.isEmpty && lostCount == 0 }
  }

  private let wakeup: Wakeup
  private let batch = Mutex(Batch())

  init() throws(SystemError) { wakeup = try Wakeup() }

  /// Readable when the queue is not empty.
  var descriptor: Int32 { wakeup.descriptor }

  func post(_ exchanges: ExchangeBatch) {
    let wasEmpty = batch.withLock { batch in
      let wasEmpty = batch.isEmpty
      if (batch.exchanges?.byteCount ?? 0) + exchanges.byteCount > Self.byteCountMax {
        batch.lostCount += exchanges.count
      } else if batch.exchanges?.append(exchanges) == nil {
        batch.exchanges = exchanges
      }
      return wasEmpty
    }
    if wasEmpty { wakeup.wake() }
  }

  func post(_ served: ServedCase, _ attempt: CallbackAttempt) {
    let wasEmpty = batch.withLock { batch in
      let wasEmpty = batch.isEmpty
      if batch.callbacks.count < Self.callbackCountMax { batch.callbacks.append((served, attempt)) }
      return wasEmpty
    }
    if wasEmpty { wakeup.wake() }
  }

  func take() -> Batch {
    wakeup.reset()
    return batch.withLock { batch in
      defer { batch = Batch() }
      return batch
    }
  }
}

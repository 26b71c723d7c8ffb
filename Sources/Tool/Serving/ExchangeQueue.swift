import Synchronization
import UnderstudyFakeServer
import UnderstudySystem

/// Finished requests on their way from the server's threads to the one that prints.
///
/// Bounded, so that a stopped terminal does not make the server use unlimited memory.
final class ExchangeQueue: Sendable {
  private static let countMax = 100_000

  struct Batch {
    var exchanges: [Exchange] = []
    /// The number of requests dropped because the queue was full.
    var lostCount = 0
  }

  private let wakeup: Wakeup
  private let batch = Mutex(Batch())

  init() throws(SystemError) { wakeup = try Wakeup() }

  /// Readable when the queue is not empty.
  var descriptor: Int32 { wakeup.descriptor }

  func post(_ exchanges: [Exchange]) {
    let wasEmpty = batch.withLock { batch in
      defer {
        let room = Self.countMax - batch.exchanges.count
        batch.exchanges += exchanges.prefix(room)
        batch.lostCount += max(0, exchanges.count - room)
      }
      return batch.exchanges.isEmpty
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

import Synchronization
import UnderstudyFakeServer
import UnderstudySystem

/// Finished requests on their way from the server's threads to the one that prints.
///
/// Bounded: a terminal that has stopped must not make the server eat the machine's memory.
final class ExchangeQueue: Sendable {
  private static let countMax = 100_000

  struct Batch {
    var exchanges: [Exchange] = []
    /// How many more there were than the queue holds.
    var lostCount = 0
  }

  private let wakeup: Wakeup
  private let batch = Mutex(Batch())

  init() throws(SystemError) { wakeup = try Wakeup() }

  /// Readable when there is something to take.
  var descriptor: Int32 { wakeup.descriptor }

  func post(_ exchanges: [Exchange]) {
    batch.withLock { batch in
      let room = Self.countMax - batch.exchanges.count
      batch.exchanges += exchanges.prefix(room)
      batch.lostCount += max(0, exchanges.count - room)
    }
    wakeup.wake()
  }

  func take() -> Batch {
    wakeup.reset()
    return batch.withLock { batch in
      defer { batch = Batch() }
      return batch
    }
  }
}

import Glibc
import Synchronization
import UnderstudyCLinux
import UnderstudyFakeServer

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

  /// Readable when there is something to take.
  let descriptor: Int32
  private let batch = Mutex(Batch())

  init() throws(SystemError) {
    descriptor = eventfd(0, Int32(EFD_CLOEXEC) | Int32(EFD_NONBLOCK))
    guard descriptor >= 0 else { throw .last("make a queue") }
  }

  deinit { close(descriptor) }

  func post(_ exchanges: [Exchange]) {
    batch.withLock { batch in
      let room = Self.countMax - batch.exchanges.count
      batch.exchanges += exchanges.prefix(room)
      batch.lostCount += max(0, exchanges.count - room)
    }
    eventfd_write(descriptor, 1)
  }

  func take() -> Batch {
    var count: eventfd_t = 0
    eventfd_read(descriptor, &count)
    return batch.withLock { batch in
      defer { batch = Batch() }
      return batch
    }
  }
}

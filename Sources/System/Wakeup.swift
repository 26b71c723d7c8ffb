import Glibc
import UnderstudyCLinux

/// Wakes a thread that waits for something to read: any thread wakes it, and it resets what woke it.
package final class Wakeup: Sendable {
  /// Readable once it was woken, until that is reset.
  package let descriptor: Int32

  package init() throws(SystemError) {
    descriptor = eventfd(0, Int32(EFD_CLOEXEC) | Int32(EFD_NONBLOCK))
    guard descriptor >= 0 else { throw .last("make a wake-up") }
  }

  deinit { close(descriptor) }

  package func wake() { eventfd_write(descriptor, 1) }

  package func reset() {
    var count: eventfd_t = 0
    eventfd_read(descriptor, &count)
  }

  package var hasWoken: Bool { Readiness.isReadable([descriptor]) }
}

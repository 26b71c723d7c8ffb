import Glibc
import UnderstudyCLinux

/// Wakes a thread that waits for a descriptor: any thread can wake it, and it resets the wake-up.
package final class Wakeup: Sendable {
  /// Readable from a wake-up until the reset.
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

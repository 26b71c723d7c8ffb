#if canImport(Darwin)
  import Darwin
#else
  import Glibc
  import UnderstudyCLinux
#endif

/// Wakes a thread that waits for a descriptor: any thread can wake it, and it resets the wake-up.
///
/// An eventfd, or a pipe: either is read and written in units of eight bytes.
package final class Wakeup: Sendable {
  /// Readable from a wake-up until the reset.
  package let descriptor: Int32
  private let writeEnd: Int32

  package init(_ calls: SystemCalls = .chosen) throws(SystemError) {
    let attempt = "make a wake-up"
    #if !canImport(Darwin)
      if calls == .fast {
        descriptor = eventfd(0, Int32(EFD_CLOEXEC) | Int32(EFD_NONBLOCK))
        writeEnd = descriptor
        guard descriptor >= 0 else { throw .last(attempt) }
        return
      }
    #endif
    guard let ends = Inheritance.pipeEnds(waits: false, calls) else { throw .last(attempt) }
    (descriptor, writeEnd) = ends
  }

  deinit {
    close(descriptor)
    if writeEnd != descriptor { close(writeEnd) }
  }

  package func wake() {
    var one: UInt64 = 1
    // A full pipe is readable, too.
    _ = write(writeEnd, &one, MemoryLayout<UInt64>.size)
  }

  package func reset() {
    // SIMD16 stands for 128 bytes on the stack.
    var counts = SIMD16<UInt64>()
    let byteCount = MemoryLayout<SIMD16<UInt64>>.size
    while read(descriptor, &counts, byteCount) == byteCount {}
  }

  package var hasWoken: Bool { Readiness.isReadable([descriptor]) }
}

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// Both ends of a pipe, which child processes do not inherit unless given one; closed on deinit.
package final class Pipe {
  package private(set) var readEnd: Int32
  package private(set) var writeEnd: Int32

  package init(_ calls: SystemCalls = .chosen) throws(SystemError) {
    guard let ends = Inheritance.pipeEnds(calls) else { throw .last("make a pipe") }
    (readEnd, writeEnd) = ends
  }

  deinit {
    closeReadEnd()
    closeWriteEnd()
  }

  package func closeReadEnd() {
    if readEnd >= 0 { close(readEnd) }
    readEnd = -1
  }

  /// Closes our write end, so that the reader sees the end once the other process closes its own.
  package func closeWriteEnd() {
    if writeEnd >= 0 { close(writeEnd) }
    writeEnd = -1
  }

  /// From now on, reading does not block.
  package func readWithoutWaiting() { _ = fcntl(readEnd, F_SETFL, O_NONBLOCK) }

  /// From now on, writing does not block.
  package func writeWithoutWaiting() { _ = fcntl(writeEnd, F_SETFL, O_NONBLOCK) }

  /// The available bytes, up to this limit; empty when all writers have closed, `nil` when nothing
  /// has arrived yet.
  package func read(byteCountMax: Int) -> ArraySlice<UInt8>? {
    var hasFailed = false
    // SAFETY: the system writes no more than there is room for, and says how much that is.
    let chunk = [UInt8](unsafeUninitializedCapacity: byteCountMax) { room, count in
      let readCount = systemRead(readEnd, room.baseAddress, room.count)
      hasFailed = readCount < 0
      count = max(readCount, 0)
    }
    return hasFailed ? nil : chunk[...]
  }

  /// How many of the bytes were written; `nil` when all readers have closed.
  package func write(_ bytes: ArraySlice<UInt8>) -> Int? {
    let count = systemWrite(writeEnd, Array(bytes), bytes.count)
    guard count < 0 else { return count }
    return [.interrupted, .wouldBlock].contains(Errno.last) ? 0 : nil
  }
}

@preconcurrency import Glibc
import Synchronization

/// A worker's side of the pipes to the process that started it.
package enum WorkerPipe {
  /// Our input and output, out of the way of services.
  private static let descriptors = Mutex<(orders: Int32, lines: Int32)>((-1, -1))

  /// What this worker is to do; `nil` when nobody who starts workers has started it. From then on it
  /// ends, with what it has started, when the other process does.
  package static func open() -> WorkerOrder? {
    let orders = fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, STDERR_FILENO + 1)
    let lines = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, STDERR_FILENO + 1)
    let nothing = Glibc.open("/dev/null", O_RDONLY | O_CLOEXEC)
    dup2(nothing, STDIN_FILENO)
    close(nothing)
    dup2(STDERR_FILENO, STDOUT_FILENO)
    // What a service has printed is to be seen when it crashes.
    setvbuf(stdout, nil, _IOLBF, 0)
    descriptors.withLock { $0 = (orders, lines) }
    guard let line = readLine(from: orders), let order = WorkerOrder(parsing: line) else {
      return nil
    }
    var thread = pthread_t()
    let code = pthread_create(
      &thread, nil,
      { _ in
        WorkerPipe.endWithParent()
        return nil
      }, nil)
    return code == 0 ? order : nil
  }

  /// Any thread may tell something.
  static func tell(_ line: WorkerLine) {
    let bytes = line.bytes
    descriptors.withLock { descriptors in
      var rest = bytes[...]
      while !rest.isEmpty {
        let count = write(descriptors.lines, Array(rest), rest.count)
        // Nobody listens any more.
        if count < 0, errno != EINTR { exit(1) }
        rest = rest.dropFirst(max(0, count))
      }
    }
  }

  /// On a thread of its own, for services may keep all others busy.
  private static func endWithParent() {
    let orders = descriptors.withLock { $0.orders }
    var byte: UInt8 = 0
    while true {
      let count = read(orders, &byte, 1)
      guard count > 0 || count < 0 && errno == EINTR else { break }
    }
    if getpgrp() == getpid() { kill(0, SIGKILL) }
    _exit(1)
  }

  private static func readLine(from descriptor: Int32) -> [UInt8]? {
    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 1 << 12)
    while bytes.last != UInt8(ascii: "\n") {
      let count = read(descriptor, &chunk, chunk.count)
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { return nil }
      bytes += chunk[..<count]
    }
    return bytes
  }
}

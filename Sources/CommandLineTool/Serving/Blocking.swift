import CLinux
import FakeServer
import Glibc
import Synchronization

/// Something that happens once, to be waited for like a file.
final class Bell: Sendable {
  let descriptor: Int32

  init() throws(SystemError) {
    descriptor = eventfd(0, Int32(EFD_CLOEXEC) | Int32(EFD_NONBLOCK))
    guard descriptor >= 0 else { throw .last("make a bell") }
  }

  deinit { close(descriptor) }

  func ring() { eventfd_write(descriptor, 1) }

  var hasRung: Bool {
    var state = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    return poll(&state, 1, 0) > 0
  }
}

/// Waits on this thread for what only others can do.
enum Blocking {
  static func run<Value: Sendable>(
    _ job: @escaping @Sendable () async -> Value
  ) throws(SystemError) -> Value {
    let answer = Answer<Value>(bell: try Bell())
    Task.detached { answer.give(await job()) }
    while true {
      if let value = answer.value { return value }
      var bell = pollfd(fd: answer.bell.descriptor, events: Int16(POLLIN), revents: 0)
      _ = poll(&bell, 1, -1)
    }
  }

  private final class Answer<Value: Sendable>: Sendable {
    let bell: Bell
    private let state = Mutex<Value?>(nil)

    init(bell: Bell) { self.bell = bell }

    var value: Value? { state.withLock { $0 } }

    func give(_ value: Value) {
      state.withLock { $0 = value }
      bell.ring()
    }
  }
}

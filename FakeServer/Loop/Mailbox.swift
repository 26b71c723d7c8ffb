import Glibc
import Synchronization
import UnderstudyCLinux

/// Work that other threads leave for a loop, and the bell that wakes it.
final class Mailbox: Sendable {
  typealias Job = @Sendable (inout Loop) -> Void

  private struct State {
    var jobs: [Job] = []
    var isClosed = false
  }

  let descriptor: Int32
  private let state = Mutex(State())

  init() throws(SystemError) {
    descriptor = eventfd(0, Int32(EFD_CLOEXEC) | Int32(EFD_NONBLOCK))
    guard descriptor >= 0 else { throw .last("make a mailbox") }
  }

  deinit { Glibc.close(descriptor) }

  /// Fails when the loop has ended and will not look any more.
  func post(_ job: @escaping Job) -> Bool {
    let isFirst = state.withLock { state -> Bool? in
      guard !state.isClosed else { return nil }
      state.jobs.append(job)
      return state.jobs.count == 1
    }
    guard let isFirst else { return false }
    // Whoever comes later finds the bell rung already.
    if isFirst { eventfd_write(descriptor, 1) }
    return true
  }

  /// Everything that was left, in order. Called on the loop's thread.
  func take() -> [Job] {
    var rings: eventfd_t = 0
    eventfd_read(descriptor, &rings)
    return state.withLock { state in
      defer { state.jobs.removeAll() }
      return state.jobs
    }
  }

  /// Takes what is left for the last time: later posts fail.
  func close() -> [Job] {
    state.withLock { state in
      state.isClosed = true
      defer { state.jobs.removeAll() }
      return state.jobs
    }
  }
}

import Synchronization
import UnderstudySystem

/// Jobs that other threads post to a loop, and the wakeup for them.
final class Mailbox: Sendable {
  typealias Job = @Sendable (inout Loop) -> Void

  private struct State {
    var jobs: [Job] = []
    var isClosed = false
  }

  private let wakeup: Wakeup
  private let state = Mutex(State())

  init() throws(SystemError) { wakeup = try Wakeup() }

  /// Readable when there are jobs.
  var descriptor: Int32 { wakeup.descriptor }

  /// Fails when the loop has ended.
  func post(_ job: @escaping Job) -> Bool {
    let isFirst = state.withLock { state -> Bool? in
      guard !state.isClosed else { return nil }
      state.jobs.append(job)
      return state.jobs.count == 1
    }
    guard let isFirst else { return false }
    // Later posts find the loop already woken.
    if isFirst { wakeup.wake() }
    return true
  }

  /// All posted jobs, in order. Called on the loop's thread.
  func take() -> [Job] {
    wakeup.reset()
    return state.withLock { state in
      defer { state.jobs.removeAll() }
      return state.jobs
    }
  }

  /// Takes the remaining jobs; later posts fail.
  func close() -> [Job] {
    state.withLock { state in
      state.isClosed = true
      defer { state.jobs.removeAll() }
      return state.jobs
    }
  }
}

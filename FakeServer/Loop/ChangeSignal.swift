import Synchronization

/// Wakes tasks that wait for a change, such as the next request. Without waiting tasks, a ring
/// costs one atomic load.
///
/// Any thread may use it; continuations are resumed outside its lock.
final class ChangeSignal: Sendable {
  private struct State {
    var waiting: [Int: CheckedContinuation<Void, Never>] = [:]
    var waitCount = 0
    var isClosed = false
  }

  private let state = Mutex(State())
  private let hasWaiting = Atomic(false)

  var isClosed: Bool { state.withLock { $0.isClosed } }

  /// How many tasks wait for the next ring.
  var waitingCount: Int { state.withLock { $0.waiting.count } }

  /// Returns at the next ring, or at once when `isOver` reports that the change has happened. Also
  /// returns when the signal is closed or the task is cancelled.
  func wait(unless isOver: () -> Bool) async {
    let number = state.withLock { state in
      state.waitCount += 1
      return state.waitCount
    }
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let mustWait = state.withLock { state in
          // Set before looking, as ringing looks after the change: one of the two always sees the
          // other.
          hasWaiting.store(true, ordering: .sequentiallyConsistent)
          guard !state.isClosed, !Task.isCancelled, !isOver() else { return false }
          state.waiting[number] = continuation
          return true
        }
        if !mustWait { continuation.resume() }
      }
    } onCancel: {
      let continuation = state.withLock { $0.waiting.removeValue(forKey: number) }
      continuation?.resume()
    }
  }

  func ring() {
    guard hasWaiting.load(ordering: .sequentiallyConsistent) else { return }
    wakeAll { _ in }
  }

  /// Rings for the last time: later calls of `wait` return at once.
  func close() {
    wakeAll { $0.isClosed = true }
  }

  private func wakeAll(_ change: (inout State) -> Void) {
    let waiting = state.withLock { state in
      change(&state)
      hasWaiting.store(false, ordering: .sequentiallyConsistent)
      defer { state.waiting = [:] }
      return state.waiting.values
    }
    for continuation in waiting { continuation.resume() }
  }
}

import Synchronization
import UnderstudySystem

/// Loops that servers share, started on first use.
package final class LoopPool: Sendable {
  /// For servers in tests: a few threads for any number of servers.
  package static let shared = LoopPool()

  private struct State {
    var loops: [EventLoop] = []
    var next = 0
  }

  private let loopCountMax: Int
  private let clock: LoopClock
  private let state = Mutex(State())

  package convenience init(loopCountMax: Int = 2) {
    self.init(loopCountMax: loopCountMax, clock: .system)
  }

  init(loopCountMax: Int, clock: LoopClock) {
    self.loopCountMax = max(1, loopCountMax)
    self.clock = clock
  }

  /// This many different loops, taken in turn.
  func loops(count: Int) throws(SystemError) -> [EventLoop] {
    let result = state.withLock { state -> Result<[EventLoop], SystemError> in
      do throws(SystemError) {
        while state.loops.count < max(loopCountMax, count) {
          state.loops.append(try EventLoop(clock: clock))
        }
      } catch {
        return .failure(error)
      }
      defer { state.next += count }
      return .success(
        (0..<count).map { state.loops[(state.next + $0) % state.loops.count] })
    }
    return try result.get()
  }

  /// Ends every loop and waits for their threads; the servers on them must be closed.
  package func stop() {
    let loops = state.withLock { state in
      defer { state.loops = [] }
      return state.loops
    }
    for loop in loops { loop.stop() }
  }
}

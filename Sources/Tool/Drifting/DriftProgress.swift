import Synchronization
import UnderstudyCore
import UnderstudyDrift

/// Shows the progress of a run: on a terminal as a line that changes, elsewhere as one line when it
/// first waits. Thread-safe.
final class DriftProgress: Sendable {
  private struct State {
    var line: ProgressLine
    var progress: DriftRun.Progress?
    var hasTold = false
  }

  private let count: Int
  private let isShown: Bool
  private let clock: DriftClock
  private let write: @Sendable (String) -> Void
  private let state: Mutex<State>

  /// - Parameter write: writes the single line where a line cannot change.
  init(
    of count: Int, isShown: Bool, clock: DriftClock = .system,
    write: @escaping @Sendable (String) -> Void = Terminal.tell
  ) {
    (self.count, self.isShown, self.clock, self.write) = (count, isShown, clock, write)
    state = Mutex(State(line: ProgressLine(of: "cases", failing: "seem changed", isShown: isShown)))
  }

  func show(_ progress: DriftRun.Progress) {
    state.withLock { state in
      state.progress = progress
      draw(&state)
      if !isShown, !state.hasTold, let rest = rest(of: progress) {
        state.hasTold = true
        let noun = progress.changeCount == 1 ? "case seems" : "cases seem"
        write("\(progress.changeCount) \(noun) changed, \(rest)\n")
      }
    }
  }

  /// Counts down until the task is cancelled.
  func tick() async {
    while (try? await Task.sleep(for: .seconds(1))) != nil { state.withLock { draw(&$0) } }
  }

  func end() { state.withLock { $0.line.clear() } }

  private func draw(_ state: inout State) {
    guard let progress = state.progress else { return }
    state.line.show(
      doneCount: progress.doneCount, of: count, failureCount: progress.changeCount,
      rest: rest(of: progress))
  }

  /// `retrying in 24 s`
  private func rest(of progress: DriftRun.Progress) -> String? {
    guard let wait = progress.nextAt.map({ $0 - clock.elapsed() }), wait > .zero else { return nil }
    let seconds = wait.components.seconds + (wait.components.attoseconds > 0 ? 1 : 0)
    return "retrying in \(seconds) s"
  }
}

import Synchronization
import Testing
import UnderstudyDrift

@testable import UnderstudyTool

@Suite struct DriftProgressTests {
  private final class Written: Sendable {
    private let texts = Mutex<[String]>([])
    var all: [String] { texts.withLock { $0 } }
    func add(_ text: String) { texts.withLock { $0.append(text) } }
  }

  /// What is written off a terminal when this was noted, six seconds after the start.
  private static func lines(_ steps: [DriftRun.Progress]) -> [String] {
    let written = Written()
    let clock = DriftClock(elapsed: { .seconds(6) }, now: { .epoch }, sleep: { _ in })
    let progress = DriftProgress(of: 3, isShown: false, clock: clock) { written.add($0) }
    for step in steps { progress.show(step) }
    progress.end()
    return written.all
  }

  @Test("says once off a terminal when it asks again")
  func once() {
    #expect(
      Self.lines([
        DriftRun.Progress(doneCount: 1, changeCount: 0, nextAt: nil),
        DriftRun.Progress(doneCount: 2, changeCount: 1, nextAt: .milliseconds(29_500)),
        DriftRun.Progress(doneCount: 3, changeCount: 2, nextAt: .milliseconds(29_500)),
      ]) == ["1 case seems changed, retrying in 24 s\n"])
  }

  @Test("says nothing where nothing waits")
  func nothing() {
    #expect(
      Self.lines([
        DriftRun.Progress(doneCount: 1, changeCount: 2, nextAt: nil),
        DriftRun.Progress(doneCount: 1, changeCount: 2, nextAt: .seconds(6)),
      ]) == [])
  }
}

/// A progress line on the terminal.
struct ProgressLine {
  private static let interval = Duration.milliseconds(50)

  private let noun: String
  private let failing: String
  private let isShown: Bool
  private var shownAt: ContinuousClock.Instant?

  init(of noun: String, failing: String = "failed", isShown: Bool) {
    (self.noun, self.failing, self.isShown) = (noun, failing, isShown)
  }

  mutating func show(doneCount: Int, of count: Int, failureCount: Int, rest: String? = nil) {
    let now = ContinuousClock.now
    guard isShown, shownAt.map({ now - $0 >= Self.interval }) ?? true else { return }
    shownAt = now
    let failures = failureCount > 0 ? ", \(failureCount) \(failing)" : ""
    let ending = rest.map { ", \($0)" } ?? ""
    Terminal.show(progress: "\(doneCount) of \(count) \(noun)\(failures)\(ending)")
  }

  func clear() {
    if shownAt != nil { Terminal.show(progress: "") }
  }
}

package import UnderstudyCore
import UnderstudyHTTP
import UnderstudySystem

/// The clock of a run, replaceable so that tests need not wait.
package struct DriftClock: Sendable {
  /// The time since a fixed moment in the past.
  package let elapsed: @Sendable () -> Duration
  package let now: @Sendable () -> Moment
  /// Throws only when the task is cancelled.
  package let sleep: @Sendable (Duration) async throws -> Void

  package init(
    elapsed: @escaping @Sendable () -> Duration, now: @escaping @Sendable () -> Moment,
    sleep: @escaping @Sendable (Duration) async throws -> Void
  ) {
    self.elapsed = elapsed
    self.now = now
    self.sleep = sleep
  }

  package static let system: DriftClock = {
    let start = ContinuousClock.now
    return DriftClock(
      elapsed: { ContinuousClock.now - start }, now: { .now },
      sleep: { try await Task.sleep(for: $0) })
  }()

  /// The date at which `elapsed` has this value, in RFC 3339 form.
  func date(at moment: Duration) -> String {
    let wait = max(.zero, moment - elapsed()).components
    let seconds = Int(wait.seconds) + (wait.attoseconds > 0 ? 1 : 0)
    return Moment(unixSeconds: now().unixSeconds + seconds).rfc3339
  }
}

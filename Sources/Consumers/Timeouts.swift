import Synchronization

/// Runs actions at their time, unless they are cancelled before, as most are.
///
/// A single task sleeps for all of them: a sleep costs much more than storing a time, and the
/// system keeps a cancelled sleep until its end. Thread-safe.
final class Timeouts: Sendable {
  private struct Alarm {
    let time: ContinuousClock.Instant
    let action: @Sendable () -> Void
  }

  private struct State {
    var alarms: [Int: Alarm] = [:]
    var count = 0
    /// When the current task wakes; tasks that sleep longer find nothing to do.
    var wakingTime: ContinuousClock.Instant?

    /// Returns whether a new task must sleep until then.
    mutating func wake(at time: ContinuousClock.Instant) -> Bool {
      guard wakingTime.map({ time < $0 }) ?? true else { return false }
      wakingTime = time
      return true
    }
  }

  private let state = Mutex(State())

  /// - Returns: a function that cancels it.
  func set(after duration: Duration, _ action: @escaping @Sendable () -> Void) -> Int {
    let time = ContinuousClock.now + duration
    let (number, mustSleep) = state.withLock { state in
      state.count += 1
      state.alarms[state.count] = Alarm(time: time, action: action)
      return (state.count, state.wake(at: time))
    }
    if mustSleep { sleep(until: time) }
    return number
  }

  func cancel(_ number: Int) {
    state.withLock { _ = $0.alarms.removeValue(forKey: number) }
  }

  private func sleep(until time: ContinuousClock.Instant) {
    Task.detached { [self] in
      try? await Task.sleep(until: time, clock: .continuous)
      ring(at: time)
    }
  }

  private func ring(at time: ContinuousClock.Instant) {
    let (due, next) = state.withLock { state -> ([Alarm], ContinuousClock.Instant?) in
      guard state.wakingTime == time else { return ([], nil) }
      state.wakingTime = nil
      let due = state.alarms.filter { $0.value.time <= time }
      for number in due.keys { state.alarms[number] = nil }
      let next = state.alarms.values.map(\.time).min()
      state.wakingTime = next
      return (due.values.sorted { $0.time < $1.time }, next)
    }
    if let next { sleep(until: next) }
    for alarm in due { alarm.action() }
  }
}

import Synchronization

/// A compiled program with its fastest engine, shared by all copies of a pattern.
///
/// The state table is built at the first match, so that unused patterns cost little.
///
/// Read `Program`, which is a pattern as steps, then `Simulation` with `Simulation+Looks`, which
/// works for every program, then `StateTable`, which is faster and used where it stays small. Any
/// thread may match; the table is built once.
final class Engine: Sendable {
  let program: Program
  private let hasPlan = Atomic(false)
  private let planning = Mutex(())
  /// `nil` if the program has too many states.
  // SAFETY: written once, under the lock, before `hasPlan` is set with release; read only where
  // `hasPlan` has been seen set with acquire. (`AtomicLazyReference` needs no such care, but its
  // `load` costs more than most matches.)
  nonisolated(unsafe) private var table: StateTable?

  init(_ program: Program) {
    self.program = program
  }

  func matches(_ text: Span<UInt8>) -> Bool {
    var stepsLeft = Int.max
    return matches(text, stepsLeft: &stepsLeft) ?? false
  }

  func matches(_ text: Span<UInt8>, stepsLeft: inout Int) -> Bool? {
    if !hasPlan.load(ordering: .acquiring) { plan() }
    if let table {
      stepsLeft -= text.count
      return stepsLeft < 0 ? nil : table.matches(text)
    }
    // A simulation starts by zeroing lists; several zeros take the time of a step.
    stepsLeft -= program.stepCount / 8
    if stepsLeft < 0 { return nil }
    var simulation = Simulation(program, visitsMax: stepsLeft)
    defer { stepsLeft -= simulation.visits }
    return simulation.matches(text)
  }

  private func plan() {
    planning.withLock { _ in
      guard !hasPlan.load(ordering: .acquiring) else { return }
      table = StateTable(program)
      hasPlan.store(true, ordering: .releasing)
    }
  }
}

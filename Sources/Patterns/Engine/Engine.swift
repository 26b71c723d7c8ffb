import Synchronization

/// A compiled program with the fastest way to run it, shared by all copies of a pattern.
final class Engine: Sendable {
  let program: Program
  private let plan = AtomicLazyReference<Plan>()

  init(_ program: Program) {
    self.program = program
  }

  func matches(_ text: Span<UInt8>) -> Bool {
    if let table = currentPlan.table { return table.matches(text) }
    var simulation = Simulation(program)
    return simulation.matches(text)
  }

  /// Made at the first match, so that a pattern nobody uses costs little. If two threads are
  /// first, both make one and one is kept: they are alike.
  private var currentPlan: Plan {
    plan.load() ?? plan.storeIfNil(Plan(table: StateTable(program)))
  }

  private final class Plan: Sendable {
    /// `nil` if the program has too many states.
    let table: StateTable?

    init(table: StateTable?) {
      self.table = table
    }
  }
}

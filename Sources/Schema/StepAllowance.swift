import Synchronization

/// The steps that the validations of one run may take together, until it is over.
///
/// Any thread may use it; a run itself validates on one.
package final class StepAllowance: Sendable {
  private static let unlimited = Int.max

  package let stepsMax: Int
  private let left: Atomic<Int>

  package init(stepsMax: Int) {
    self.stepsMax = stepsMax
    left = Atomic(stepsMax)
  }

  package var isExhausted: Bool { stepsLeft <= 0 }

  /// Lets each validation from now on have its own steps again.
  package func lift() { left.store(Self.unlimited, ordering: .relaxed) }

  var stepsLeft: Int { left.load(ordering: .relaxed) }

  func spend(_ stepCount: Int) {
    guard stepsLeft != Self.unlimited else { return }
    left.wrappingSubtract(stepCount, ordering: .relaxed)
  }
}

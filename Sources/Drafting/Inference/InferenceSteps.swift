/// Counts the values that an inference looks at, and asks now and then whether to go on.
final class InferenceSteps {
  private static let interval = 4096

  private(set) var count = 0
  /// Whether the rest is ignored, so that the result must not be used.
  private(set) var isStopped = false
  private let goesOn: () -> Bool

  init(while goesOn: @escaping () -> Bool = { true }) { self.goesOn = goesOn }

  /// Whether to look at one more value.
  func next() -> Bool {
    count += 1
    if count % Self.interval == 0, !goesOn() { isStopped = true }
    return !isStopped
  }
}

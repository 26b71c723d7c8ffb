/// A pattern as steps, counted repetitions written out.
///
/// All of them may be gone through at each scalar of a text, so their number is the factor by
/// which a pattern slows down a match, and it has a limit.
struct Program: Sendable {
  static let stepsMax = 20_000

  enum Step: Sendable {
    /// Takes one scalar of the set with this index and goes to the next step.
    case take(set: Int)
    case split(Int, Int)
    case jump(Int)
    case check(Assertion)
    case accept
  }

  let steps: [Step]
  /// Each of them once, however often the pattern has it.
  let sets: [ScalarSet]
  /// Whether a match may begin only where the text does.
  let isAnchoredAtStart: Bool
  /// Whether it matters what kind of scalar has just been taken.
  let hasWordBoundaries: Bool

  init(_ root: Node) throws(PatternError) {
    var writer = Writer()
    try writer.add(root)
    try writer.append(.accept)
    steps = writer.steps
    sets = writer.sets
    hasWordBoundaries = writer.hasWordBoundaries
    isAnchoredAtStart = root.isAnchoredAtStart
  }
}

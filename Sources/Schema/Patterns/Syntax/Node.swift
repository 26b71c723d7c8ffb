/// A parsed pattern, without whatever a yes or no does not depend on: captures and laziness.
indirect enum Node {
  case set(ScalarSet)
  case assertion(Assertion)
  case sequence([Node])
  case choice([Node])
  /// `max` is `nil` without an upper bound; `offset` is the quantifier's place in the source.
  case repetition(Node, min: Int, max: Int?, offset: Int)

  /// Whether every match must begin at the start of the text.
  var isAnchoredAtStart: Bool {
    switch self {
    case .set: false
    case .assertion(let assertion): assertion == .start
    case .sequence(let parts): parts.first?.isAnchoredAtStart ?? false
    case .choice(let branches): branches.allSatisfy(\.isAnchoredAtStart)
    case .repetition(let body, let min, _, _): min > 0 && body.isAnchoredAtStart
    }
  }
}

/// A condition on a place between two scalars.
enum Assertion {
  case start
  case end
  case wordBoundary
  case noWordBoundary
}

/// Follows all ways through a program at once, one scalar after another.
///
/// A step is gone through at most once for each scalar, which is what makes the time linear, also
/// for patterns such as `^(a+)+$` that drive a backtracking matcher mad.
struct Simulation {
  /// What stands before the place reached, as far as assertions ask.
  enum Before: Hashable {
    case start
    case word
    case noWord
  }

  /// The steps to go on from, before the next scalar is known; none of them twice.
  typealias Front = [Int]
  static let firstFront: Front = [0]

  let program: Program
  /// How many steps have been gone through so far: the work, which tests hold against its bound.
  private(set) var visits = 0
  private let visitsMax: Int

  private var round = 0
  private var roundOfLastVisit: [Int]
  private var pending: [Int] = []

  init(_ program: Program, visitsMax: Int = .max) {
    self.program = program
    self.visitsMax = visitsMax
    roundOfLastVisit = Array(repeating: 0, count: program.steps.count)
  }

  /// `nil` when that takes more visits than it may.
  mutating func matches(_ text: Span<UInt8>) -> Bool? {
    var front = Self.firstFront
    var next: Front = []
    var before = Before.start
    var index = 0
    while index < text.count {
      let scalar = text.takeScalar(at: &index)
      if advance(from: front, after: before, taking: scalar, to: &next) { return true }
      swap(&front, &next)
      if front.isEmpty { return false }
      if visits > visitsMax { return nil }
      before = self.before(after: scalar)
    }
    let isMatch = advance(from: front, after: before, taking: nil, to: &next)
    return visits > visitsMax ? nil : isMatch
  }

  func before(after scalar: UInt32) -> Before {
    program.hasWordBoundaries && ScalarSet.word.contains(scalar) ? .word : .noWord
  }

  /// Goes on by one scalar, or to the end if it is `nil`.
  /// Returns `true`, and leaves `next` unfinished, if the pattern matches before that scalar.
  mutating func advance(
    from front: Front, after before: Before, taking scalar: UInt32?, to next: inout Front
  ) -> Bool {
    round += 1
    next.removeAll(keepingCapacity: true)
    for step in front {
      visit(step)
      while let step = pending.popLast() {
        visits += 1
        switch program.steps[step] {
        case .accept:
          pending.removeAll(keepingCapacity: true)
          return true
        case .take(let set):
          if let scalar, program.sets[set].contains(scalar) { next.append(step + 1) }
        case .split(let first, let second):
          visit(first)
          visit(second)
        case .jump(let target): visit(target)
        case .check(let assertion):
          if holds(assertion, between: before, and: scalar) { visit(step + 1) }
        }
      }
    }
    // No step leads to the first one from before it, so it cannot be there already.
    if !program.isAnchoredAtStart { next.append(0) }
    return false
  }

  private mutating func visit(_ step: Int) {
    guard roundOfLastVisit[step] != round else { return }
    roundOfLastVisit[step] = round
    pending.append(step)
  }

  private func holds(
    _ assertion: Assertion, between before: Before, and scalar: UInt32?
  ) -> Bool {
    lazy var isBoundary =
      (before == .word) != (scalar.map { ScalarSet.word.contains($0) } ?? false)
    return switch assertion {
    case .start: before == .start
    case .end: scalar == nil
    case .wordBoundary: isBoundary
    case .noWordBoundary: !isBoundary
    }
  }
}

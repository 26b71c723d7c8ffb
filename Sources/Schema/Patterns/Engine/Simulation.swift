/// Follows all paths through a program at once, one scalar after another.
///
/// Each step is visited at most once for each scalar. This makes the time linear, even for patterns
/// such as `^(a+)+$` that take a backtracking matcher exponential time. Look-arounds are served
/// for every place first, each by a walk of its own.
struct Simulation {
  /// What precedes the current position, as far as assertions need it.
  enum Before: Hashable {
    case start
    case word
    case noWord
  }

  /// The steps to continue from, without duplicates, before the next scalar is known.
  typealias Front = [Int]
  static let firstFront: Front = [0]

  let program: Program
  /// The number of visited steps: the work, which tests compare with its bound.
  var visits = 0
  let visitsMax: Int

  private var round = 0
  private var roundOfLastVisit: [Int]
  private var pending: [Int] = []
  /// Where each look-around of the pattern holds, by its number.
  var looks: [Places] = []

  init(_ program: Program, visitsMax: Int = .max) {
    self.program = program
    self.visitsMax = visitsMax
    roundOfLastVisit = Array(repeating: 0, count: program.steps.count)
  }

  /// `nil` when that takes more visits than allowed.
  mutating func matches(_ text: Span<UInt8>) -> Bool? {
    guard responseLooks(in: text) else { return nil }
    var front = Self.firstFront
    var next: Front = []
    var before = Before.start
    var index = 0
    while index < text.count {
      if visits > visitsMax { return nil }
      let place = index
      let scalar = text.takeScalar(at: &index)
      if advance(from: front, after: before, taking: scalar, at: place, to: &next) { return true }
      swap(&front, &next)
      if front.isEmpty { return false }
      before = self.before(after: scalar)
    }
    let isMatch = advance(from: front, after: before, taking: nil, at: index, to: &next)
    return visits > visitsMax ? nil : isMatch
  }

  func before(after scalar: UInt32) -> Before {
    program.hasWordBoundaries && ScalarSet.word.contains(scalar) ? .word : .noWord
  }

  /// Advances by one scalar, or to the end if it is `nil`. Returns whether the pattern matches
  /// before that scalar; `next` is then unfinished, unless later matches are wanted, too.
  mutating func advance(
    from front: Front, after before: Before, taking scalar: UInt32?, at place: Int,
    findsAll: Bool = false, to next: inout Front
  ) -> Bool {
    round += 1
    var isMatch = false
    next.removeAll(keepingCapacity: true)
    for step in front {
      visit(step)
      while let step = pending.popLast() {
        visits += 1
        switch program.steps[step] {
        case .accept:
          isMatch = true
          if findsAll { continue }
          pending.removeAll(keepingCapacity: true)
          return true
        case .take(let set):
          if let scalar, program.sets[set].contains(scalar) { next.append(step + 1) }
        case .split(let first, let second):
          visit(first)
          visit(second)
        case .jump(let target): visit(target)
        case .check(.look(let number, let isNegated)):
          if looks[number].contains(place) != isNegated { visit(step + 1) }
        case .check(let assertion):
          if holds(assertion, between: before, and: scalar) { visit(step + 1) }
        }
      }
    }
    // No earlier step leads to the first one, so it cannot be there yet.
    if !program.isAnchoredAtStart { next.append(0) }
    return isMatch
  }

  private mutating func visit(_ step: Int) {
    guard roundOfLastVisit[step] != round else { return }
    roundOfLastVisit[step] = round
    pending.append(step)
  }

  private func holds(_ assertion: Assertion, between before: Before, and scalar: UInt32?) -> Bool {
    lazy var isBoundary =
      (before == .word) != (scalar.map { ScalarSet.word.contains($0) } ?? false)
    return switch assertion {
    case .start: before == .start
    case .end: scalar == nil
    case .wordBoundary: isBoundary
    case .noWordBoundary: !isBoundary
    case .look: false
    }
  }
}

extension Span<UInt8> {
  /// Reads the scalar at `index`, which must be inside, and moves `index` past it. As in `String`,
  /// the longest beginning of a broken scalar is one U+FFFD.
  func takeScalar(at index: inout Int) -> UInt32 {
    let lead = self[index]
    index += 1
    if lead < 0x80 { return UInt32(lead) }
    let following: Int
    // Only the second byte has other limits than the rest: they exclude overlong forms, surrogates
    // and values above U+10FFFF.
    var limits: ClosedRange<UInt8> = 0x80...0xBF
    switch lead {
    case 0xC2...0xDF: following = 1
    case 0xE0...0xEF:
      following = 2
      if lead == 0xE0 { limits = 0xA0...0xBF }
      if lead == 0xED { limits = 0x80...0x9F }
    case 0xF0...0xF4:
      following = 3
      if lead == 0xF0 { limits = 0x90...0xBF }
      if lead == 0xF4 { limits = 0x80...0x8F }
    default: return 0xFFFD
    }
    var value = UInt32(lead) & (0x3F >> UInt32(following))
    for _ in 0..<following {
      guard index < count, limits.contains(self[index]) else { return 0xFFFD }
      value = value << 6 | UInt32(self[index] & 0x3F)
      index += 1
      limits = 0x80...0xBF
    }
    return value
  }
}

/// A pattern as steps, with counted repetitions expanded.
///
/// Each scalar of a text may visit all of them, so their number is the factor by which a pattern
/// slows down a match, and it is limited.
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
  /// Each set once, however often the pattern uses it.
  let sets: [ScalarSet]
  /// Whether a match can start only at the start of the text.
  let isAnchoredAtStart: Bool
  /// Whether the kind of the last scalar matters.
  let hasWordBoundaries: Bool
  /// Each follows those inside it; their own programs have none.
  let looks: [Look]

  /// Where a look-around holds: the places at which a program ends, started anywhere.
  struct Look {
    let program: Program
    /// A lookahead is a reversed pattern that begins at the end of the text.
    let isReversed: Bool
  }

  /// The steps of the pattern and of all its look-arounds.
  var stepCount: Int { looks.reduce(steps.count) { $0 + $1.program.steps.count } }

  init(_ syntax: Parser.Syntax) throws(PatternError) {
    var (looks, stepsLeft): ([Look], Int) = ([], Self.stepsMax)
    for look in syntax.looks {
      let program = try Program(look.isBehind ? look.body : look.body.reversed, [], stepsLeft)
      stepsLeft -= program.steps.count
      looks.append(Look(program: program, isReversed: !look.isBehind))
    }
    self = try Program(syntax.root, looks, stepsLeft)
  }

  private init(_ root: Node, _ looks: [Look], _ stepsMax: Int) throws(PatternError) {
    var writer = Writer(stepsMax: stepsMax)
    try writer.add(root)
    try writer.append(.accept)
    steps = writer.steps
    sets = writer.sets
    hasWordBoundaries = writer.hasWordBoundaries
    isAnchoredAtStart = root.isAnchoredAtStart
    self.looks = looks
  }
}

extension Program {
  /// Writes the steps of a parsed pattern.
  struct Writer {
    let stepsMax: Int
    private(set) var steps: [Step] = []
    private(set) var sets: [ScalarSet] = []
    private(set) var hasWordBoundaries = false
    private var indexBySet: [ScalarSet: Int] = [:]
    /// The position of the quantifier of the outermost repetition being expanded.
    private var repetitionOffset: Int?

    init(stepsMax: Int) { self.stepsMax = stepsMax }

    mutating func append(_ step: Step) throws(PatternError) {
      guard steps.count < stepsMax else {
        throw PatternError(
          at: repetitionOffset ?? 0, "the pattern has more than \(Program.stepsMax) steps",
          fix: repetitionOffset == nil
            ? "split it into several patterns" : "lower the counts of this repetition")
      }
      steps.append(step)
    }

    mutating func add(_ node: Node) throws(PatternError) {
      switch node {
      case .set(let set): try append(.take(set: index(of: set)))
      case .assertion(let assertion):
        if assertion == .wordBoundary || assertion == .noWordBoundary { hasWordBoundaries = true }
        try append(.check(assertion))
      case .sequence(let parts):
        for part in parts { try add(part) }
      case .choice(let branches): try addChoice(branches)
      case .repetition(let body, let min, let max, let offset):
        let isOutermost = repetitionOffset == nil
        if isOutermost { repetitionOffset = offset }
        try addRepetition(of: body, min: min, max: max)
        if isOutermost { repetitionOffset = nil }
      }
    }

    private mutating func index(of set: ScalarSet) -> Int {
      if let index = indexBySet[set] { return index }
      sets.append(set)
      indexBySet[set] = sets.count - 1
      return sets.count - 1
    }

    private mutating func addChoice(_ branches: [Node]) throws(PatternError) {
      var jumps: [Int] = []
      for branch in branches.dropLast() {
        let split = steps.count
        try append(.accept)
        try add(branch)
        jumps.append(steps.count)
        try append(.accept)
        steps[split] = .split(split + 1, steps.count)
      }
      if let last = branches.last { try add(last) }
      for jump in jumps { steps[jump] = .jump(steps.count) }
    }

    private mutating func addRepetition(of body: Node, min: Int, max: Int?) throws(PatternError) {
      var bodyStart = steps.count
      for _ in 0..<min {
        bodyStart = steps.count
        try add(body)
        // An empty body stays empty when repeated: large counts are skipped.
        if steps.count == bodyStart { return }
      }
      if let max {
        try addOptions(of: body, count: max - min)
      } else if min > 0 {
        try append(.split(bodyStart, steps.count + 1))
      } else {
        try addLoop(of: body)
      }
    }

    private mutating func addLoop(of body: Node) throws(PatternError) {
      let split = steps.count
      try append(.accept)
      try add(body)
      try append(.jump(split))
      steps[split] = .split(split + 1, steps.count)
    }

    private mutating func addOptions(of body: Node, count: Int) throws(PatternError) {
      var splits: [Int] = []
      for _ in 0..<count {
        splits.append(steps.count)
        try append(.accept)
        try add(body)
        if steps.count == splits[splits.count - 1] + 1 { break }
      }
      for split in splits { steps[split] = .split(split + 1, steps.count) }
    }
  }
}

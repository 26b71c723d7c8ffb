extension Pattern {
  /// A text that matches, the same for the same pattern; `nil` if none was found.
  ///
  /// - Parameters:
  ///   - lengths: in Unicode scalars.
  ///   - number: another number gives another text, where the pattern leaves a choice.
  package func example(lengths: ClosedRange<Int>, number: Int = 0) -> String? {
    guard let syntax = try? Parser.parse(source), syntax.refusal == nil else { return nil }
    for looks in syntax.looks.isEmpty ? [[]] : [[], syntax.looks] {
      let spare = looks.isEmpty ? 0 : PatternExample.spareMax
      for growth in 0...min(lengths.lowerBound + spare, PatternExample.growthMax) {
        var example = PatternExample(
          growth: growth, number: number, lengthMax: lengths.upperBound, looks: looks)
        guard example.append(syntax.root) else { break }
        example.appendWanted()
        guard lengths.contains(example.scalars.count) else { continue }
        let text = String(String.UnicodeScalarView(example.scalars))
        if matches(text) { return text }
      }
    }
    return nil
  }
}

/// Follows a pattern and takes the first way through it. Of assertions, it looks only at
/// look-arounds that are not negated.
private struct PatternExample {
  static let growthMax = 512
  /// How much longer a text is made for what look-arounds ask.
  static let spareMax = 32
  private static let scalarsMax = 10_000

  private let lengthMax: Int
  private static let alphabets = ["abcdefghijklmnopqrstuvwxyz", "1234567890"].map {
    Array($0.unicodeScalars)
  }

  /// How often a repetition goes beyond what it needs.
  let growth: Int
  let number: Int
  /// By number; empty if they are disregarded.
  private let looks: [LookAround]
  private(set) var scalars: [Unicode.Scalar] = []
  /// What lookaheads ask of the text that follows, taken wherever the pattern allows it.
  private var wanted: ArraySlice<Unicode.Scalar> = []

  init(growth: Int, number: Int, lengthMax: Int, looks: [LookAround]) {
    self.looks = looks
    self.lengthMax = min(lengthMax, Self.scalarsMax)
    self.growth = growth
    self.number = number
  }

  /// Groups nest at most as deeply as the parser allows. Returns whether there is such a text.
  mutating func append(_ node: Node) -> Bool {
    switch node {
    case .assertion(.look(let index, isNegated: false)) where !looks.isEmpty:
      return looks[index].isBehind ? append(looks[index].body) : want(looks[index].body)
    case .assertion: return true
    case .set(let set):
      guard let scalar = takeWanted(set) ?? scalar(of: set), scalars.count < lengthMax else {
        return false
      }
      scalars.append(scalar)
      return true
    case .sequence(let parts):
      for part in parts { guard append(part) else { return false } }
      return true
    case .choice(let branches):
      return append(branches[number % branches.count])
    case .repetition(let body, let min, let max, _):
      guard min <= Self.scalarsMax else { return false }
      let length = scalars.count
      for _ in 0..<Swift.min(max ?? .max, min + growth) {
        guard append(body) else { return false }
        if scalars.count == length { break }
      }
      return true
    }
  }

  mutating func appendWanted() { scalars += wanted }

  private mutating func want(_ node: Node) -> Bool {
    var ahead = PatternExample(
      growth: 0, number: number, lengthMax: lengthMax - wanted.count, looks: looks)
    guard ahead.append(node) else { return false }
    wanted += ahead.scalars + ahead.wanted
    return wanted.count <= lengthMax
  }

  private mutating func takeWanted(_ set: ScalarSet) -> Unicode.Scalar? {
    wanted.first.map { set.contains($0.value) } == true ? wanted.popFirst() : nil
  }

  /// A letter or digit where there is one: `abc` for `[a-z]{3}`.
  private func scalar(of set: ScalarSet) -> Unicode.Scalar? {
    let capitals = Self.alphabets[0].compactMap { Unicode.Scalar($0.value - 0x20) }
    for alphabet in [Self.alphabets[0], capitals, Self.alphabets[1]] {
      let allowed = alphabet.filter { set.contains($0.value) }
      if !allowed.isEmpty { return allowed[(scalars.count + number) % allowed.count] }
    }
    return set.ranges.lazy.compactMap {
      Unicode.Scalar(max($0.lowerBound, min($0.upperBound, 0x21)))
    }
    .first
  }
}

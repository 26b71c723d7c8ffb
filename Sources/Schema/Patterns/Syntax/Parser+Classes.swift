extension Parser {
  struct Quantifier {
    let min: Int
    let max: Int?
  }

  /// `atom` with its quantifier, if it has one.
  mutating func quantified(_ atom: Node) throws(PatternError) -> Node {
    let start = index
    guard let quantifier = takeQuantifier() else { return atom }
    if let max = quantifier.max, max < quantifier.min {
      throw PatternError(
        at: start, "found quantifier \(quoted(from: start)), expected the smaller number first",
        fix: "write {\(max),\(quantifier.min)}")
    }
    return .repetition(atom, min: quantifier.min, max: quantifier.max, offset: start)
  }

  /// Consumes nothing if there is no quantifier, such as at a lone brace. Greedy and lazy are
  /// treated the same: they differ in captures, never in whether there is a match.
  mutating func takeQuantifier() -> Quantifier? {
    guard let quantifier = takeSign() ?? takeCounts() else { return nil }
    _ = take("?")
    return quantifier
  }

  private mutating func takeSign() -> Quantifier? {
    if take("*") { return Quantifier(min: 0, max: nil) }
    if take("+") { return Quantifier(min: 1, max: nil) }
    if take("?") { return Quantifier(min: 0, max: 1) }
    return nil
  }

  private mutating func takeCounts() -> Quantifier? {
    let start = index
    if take("{"), let min = takeNumber() {
      if take("}") { return Quantifier(min: min, max: min) }
      if take(",") {
        if take("}") { return Quantifier(min: min, max: nil) }
        if let max = takeNumber(), take("}") { return Quantifier(min: min, max: max) }
      }
    }
    index = start
    return nil
  }

  /// A decimal number of any length; numbers that are too large become the largest `Int`.
  mutating func takeNumber() -> Int? {
    var number: Int?
    while let digit = peek, ("0"..."9").contains(digit) {
      index += 1
      let (tens, overflow) = (number ?? 0).multipliedReportingOverflow(by: 10)
      let (sum, overflowOfSum) = tens.addingReportingOverflow(Int(digit.value - 0x30))
      number = overflow || overflowOfSum ? .max : sum
    }
    return number
  }
}

extension Parser {
  /// A class in brackets.
  mutating func characterClass() throws(PatternError) -> ScalarSet {
    let start = index
    index += 1
    let isNegated = take("^")
    var ranges: [ClosedRange<UInt32>] = []
    while let next = peek, next != "]" {
      let itemStart = index
      let lower = try classAtom()
      guard peek == "-", let end = peek(1), end != "]" else {
        ranges += lower.ranges
        continue
      }
      index += 1
      let upper = try classAtom()
      ranges.append(try range(from: lower, to: upper, at: itemStart))
    }
    guard take("]") else {
      throw PatternError(
        at: start, "\"[\" without its \"]\"", fix: "write \\[ for the character itself")
    }
    let set = ScalarSet(ranges)
    return isNegated ? set.inverted : set
  }

  private mutating func classAtom() throws(PatternError) -> Atom {
    let start = index
    let literal = source[index]
    guard literal == "\\" else {
      index += 1
      return .scalar(literal.value)
    }
    switch peek(1) {
    case "-":
      index += 2
      return .scalar(0x2D)
    case "b":
      index += 2
      return .scalar(0x08)
    case "B", "k", "1", "2", "3", "4", "5", "6", "7", "8", "9":
      index += 2
      throw PatternError(
        at: start, "escape \(quoted(from: start)) has no meaning inside a class")
    default: return try escapedAtom()
    }
  }

  private func range(
    from lower: Atom, to upper: Atom, at start: Int
  ) throws(PatternError) -> ClosedRange<UInt32> {
    guard case .scalar(let first) = lower, case .scalar(let last) = upper else {
      throw PatternError(
        at: start,
        "found range \(quoted(from: start)), expected a single character at each end",
        fix: "write \\- for the hyphen itself")
    }
    guard first <= last else {
      throw PatternError(
        at: start, "found range \(quoted(from: start)), expected the lower end first",
        fix: "swap the ends, or write \\- for the hyphen itself")
    }
    return first...last
  }
}

extension Parser.Atom {
  fileprivate var ranges: [ClosedRange<UInt32>] {
    switch self {
    case .scalar(let value): [value...value]
    case .set(let set): set.ranges
    }
  }
}

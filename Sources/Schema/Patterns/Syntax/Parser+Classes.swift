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
        at: start, "found \"[\" without its \"]\"", fix: "write \\[ for the character itself")
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
        at: start, "found escape \(quoted(from: start)), which has no meaning inside a class")
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

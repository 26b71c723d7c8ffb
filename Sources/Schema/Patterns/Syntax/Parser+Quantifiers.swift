extension Parser {
  struct Quantifier {
    let min: Int
    let max: Int?
  }

  /// `atom`, with the quantifier behind it if there is one.
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

  /// Takes nothing if what follows is no quantifier, such as a lone brace.
  /// Greedy and lazy are one: they differ in what is captured, never in whether there is a match.
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

  /// A decimal number of any length; what no machine can count to ends as the largest `Int`.
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

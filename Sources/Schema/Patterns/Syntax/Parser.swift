/// Parses a pattern by the grammar of ECMA-262 with the `u` flag.
///
/// It knows the whole grammar, including parts that cannot be matched in linear time: the first
/// such place is kept as the refusal, to distinguish refused patterns from invalid ones.
///
/// `Node` is what it makes. The extensions have the parts of the grammar: `Parser+Groups`,
/// `Parser+Classes`, `Parser+Escapes`, `Parser+Properties`. Nesting and the size of a pattern have
/// limits, so that no pattern can exhaust the stack.
struct Parser {
  /// Groups nest by recursion, which this limits.
  static let depthMax = 200
  /// A pattern of literals has at most this many steps anyway; this limits the cost of classes.
  static let scalarsMax = 32_768

  struct Syntax {
    let root: Node
    /// Each follows those inside it.
    let looks: [LookAround]
    /// Set if the pattern is valid but not supported; `root` is then meaningless.
    let refusal: PatternError?
  }

  let source: [Unicode.Scalar]
  var index = 0
  var depth = 0
  var groups = Groups()
  var looks: [LookAround] = []
  var refusal: PatternError?

  static func parse(_ source: String) throws(PatternError) -> Syntax {
    var parser = Parser(source: Array(source.unicodeScalars))
    guard parser.source.count <= scalarsMax else {
      throw PatternError(
        at: scalarsMax,
        "found a pattern of \(parser.source.count) characters, expected at most "
          + "\(scalarsMax)", fix: "split it into several patterns")
    }
    let root = try parser.choice()
    if parser.index < parser.source.count {
      throw PatternError(
        at: parser.index, "\")\" without its \"(\"",
        fix: "write \\) for the character itself")
    }
    try parser.groups.checkReferences()
    return Syntax(root: root, looks: parser.looks, refusal: parser.refusal)
  }

  /// Everything up to the end of the group or of the pattern.
  mutating func choice() throws(PatternError) -> Node {
    let firstName = groups.names.count
    let first = try sequence()
    guard peek == "|" else { return first }
    var branches = [first]
    var branchName = firstName
    while take("|") {
      groups.namesInReach.subtract(groups.names[branchName...])
      branchName = groups.names.count
      branches.append(try sequence())
    }
    groups.namesInReach.formUnion(groups.names[firstName...])
    return .choice(branches)
  }

  private mutating func sequence() throws(PatternError) -> Node {
    var parts: [Node] = []
    while let next = peek, next != "|", next != ")" {
      parts.append(try term())
    }
    return parts.count == 1 ? parts[0] : .sequence(parts)
  }

  private mutating func term() throws(PatternError) -> Node {
    let atom: Node
    switch source[index] {
    case "^":
      index += 1
      return .assertion(.start)
    case "$":
      index += 1
      return .assertion(.end)
    case "\\":
      if let assertion = takeBoundary() { return .assertion(assertion) }
      atom = try escape()
    case "(":
      let group = try group()
      guard group.isQuantifiable else { return group.node }
      atom = group.node
    case "[":
      atom = .set(try characterClass())
    case ".":
      index += 1
      atom = .set(.anyButLineTerminator)
    case "*", "+", "?", "{", "}", "]":
      throw misplaced()
    case let literal:
      index += 1
      atom = .set(ScalarSet(literal.value))
    }
    return try quantified(atom)
  }

  private mutating func takeBoundary() -> Assertion? {
    switch peek(1) {
    case "b":
      index += 2
      return .wordBoundary
    case "B":
      index += 2
      return .noWordBoundary
    default: return nil
    }
  }

  /// The error for a character that has a meaning, but not here.
  private mutating func misplaced() -> PatternError {
    let start = index
    let character = source[start]
    let literally = "write \\\(character) for the character itself"
    if takeQuantifier() != nil {
      return PatternError(
        at: start, "quantifier \(quoted(from: start)) has nothing to repeat",
        fix: literally)
    }
    if character == "{" {
      return PatternError(
        at: start, "\"{\" does not begin a quantifier",
        fix: literally + ", or a quantifier such as {2}, {2,} or {2,5}")
    }
    let opening = character == "}" ? "{" : "["
    return PatternError(
      at: start, "\"\(character)\" without its \"\(opening)\"", fix: literally)
  }
}

extension Parser {
  var peek: Unicode.Scalar? { peek(0) }

  func peek(_ distance: Int) -> Unicode.Scalar? {
    index + distance < source.count ? source[index + distance] : nil
  }

  mutating func take(_ scalar: Unicode.Scalar) -> Bool {
    guard peek == scalar else { return false }
    index += 1
    return true
  }

  /// Reads the scalars up to `end`, and `end` itself; `nil` if the source has no `end`.
  mutating func takeText(before end: Unicode.Scalar) -> String? {
    guard let stop = source[index...].firstIndex(of: end) else { return nil }
    defer { index = stop + 1 }
    return text(index..<stop)
  }

  /// The source from `start` to the current position, as messages quote it.
  func quoted(from start: Int) -> String {
    "\"\(text(start..<min(index, source.count)))\""
  }

  private func text(_ range: Range<Int>) -> String {
    var text = String.UnicodeScalarView()
    text.append(contentsOf: source[range])
    return String(text)
  }

  mutating func refuse(_ error: PatternError) {
    refusal = refusal ?? error
  }
}

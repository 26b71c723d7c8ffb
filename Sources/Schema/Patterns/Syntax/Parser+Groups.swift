extension Parser {
  /// What a look-around asks.
  private typealias Look = (isBehind: Bool, isNegated: Bool)

  /// A look-around can only be repeated inside another group.
  mutating func group() throws(PatternError) -> (node: Node, isQuantifiable: Bool) {
    let start = index
    index += 1
    depth += 1
    defer { depth -= 1 }
    guard depth <= Self.depthMax else {
      throw PatternError(
        at: start, "found a group inside \(Self.depthMax) others, expected at most \(Self.depthMax)"
      )
    }
    let look = try takeGroupKind(from: start)
    let body = try choice()
    guard take(")") else {
      throw PatternError(
        at: start, "\"(\" without its \")\"", fix: "write \\( for the character itself")
    }
    guard let look else { return (body, true) }
    if looks.count == LookAround.countMax {
      refuse(
        PatternError(
          at: start, "more than \(LookAround.countMax) look-arounds",
          fix: "split the pattern into several"))
    }
    looks.append(LookAround(body: body, isBehind: look.isBehind))
    return (.assertion(.look(looks.count - 1, isNegated: look.isNegated)), false)
  }

  /// Reads what is between the parenthesis and the body; `nil` for a group that takes text.
  private mutating func takeGroupKind(from start: Int) throws(PatternError) -> Look? {
    guard take("?") else {
      groups.count += 1
      return nil
    }
    if take(":") { return nil }
    let isBehind = take("<")
    if take("=") { return (isBehind, isNegated: false) }
    if take("!") { return (isBehind, isNegated: true) }
    guard isBehind else { throw unknownKind(from: start) }
    let nameStart = index
    let name = try groupName()
    groups.count += 1
    groups.names.append(name)
    guard groups.namesInReach.insert(name).inserted else {
      throw PatternError(at: nameStart, "a second group is named \"\(name)\"")
    }
    return nil
  }

  private mutating func unknownKind(from start: Int) -> PatternError {
    let fix: String? =
      switch peek {
      case "P": "leave out the P: ECMAScript writes (?<name>…) and \\k<name>"
      case "#": "leave the comment out"
      case "i", "m", "s", "x", "-": "leave the flags out; for either case write both, as in [Aa]"
      default: nil
      }
    index += 1
    return PatternError(
      at: start, "found group \(quoted(from: start)), expected \"(?:\" or \"(?<name>\"", fix: fix)
  }

  /// The identifier up to `>`, which may be written with Unicode escapes.
  mutating func groupName() throws(PatternError) -> String {
    let start = index
    var name = String.UnicodeScalarView()
    while let next = peek, next != ">" {
      var value = next.value
      if next == "\\" {
        guard peek(1) == "u" else { break }
        index += 2
        value = try unicodeEscape(from: index - 2)
      } else {
        index += 1
      }
      guard let scalar = Unicode.Scalar(value),
        scalar == "$" || scalar == "_" || scalar.properties.isIDStart
          || !name.isEmpty && isContinuation(scalar)
      else { break }
      name.append(scalar)
    }
    guard !name.isEmpty, take(">") else {
      throw PatternError(
        at: start, "no group name, expected an identifier and \">\"")
    }
    return String(name)
  }

  /// ECMA-262 adds the two joiners to Unicode's own.
  private func isContinuation(_ scalar: Unicode.Scalar) -> Bool {
    scalar.properties.isIDContinue || scalar == "\u{200C}" || scalar == "\u{200D}"
  }
}

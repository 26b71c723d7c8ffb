import UnderstudyCore

extension JavaPattern {
  struct LookAround {
    let isNegated: Bool
    let alternatives: [[Item]]

    /// Whether it may look beyond a separator.
    func sees(_ separator: Unicode.Scalar) -> Bool {
      alternatives.contains { $0.contains { $0.node.canTake(separator) } }
    }
  }
}

extension [JavaPattern.Item] {
  /// Each look-around in the segment that it looks at: `(?!/a)/.*` as `/(?!a).*`.
  var withLooksInSegments: Self {
    var items = self
    if let first = firstIndex(where: { !$0.isLook }), first > 0, self[first].isAnything {
      items.insert(JavaPattern.Item(node: .literal("/")), at: first)
    }
    for index in items.indices.dropLast().reversed() where items[index + 1].literal == "/" {
      guard case .look(let look, let alternatives) = items[index].node, look.isAhead else {
        continue
      }
      var rests: [Self] = []
      for alternative in alternatives {
        if alternative.first?.literal == "/" {
          rests.append(Array(alternative.dropFirst()))
        } else if alternative.first?.isAnything == true {
          rests.append(alternative)
        }
      }
      guard rests.count == alternatives.count else { continue }
      items[index] = items[index + 1]
      items[index + 1].node = .look(look, rests)
    }
    return items
  }

  /// The items with the characters that escapes such as `%20` mean, since parameters are decoded.
  var withoutEscapes: Self {
    var items: Self = []
    var rest = self[...]
    while var item = rest.popFirst() {
      let digits = rest.prefix(2).compactMap(\.literal).map { String(Character($0)) }.joined()
      if item.literal == "%", digits.utf8.count == 2, let byte = UInt8(digits, radix: 16),
        byte < 0x80, byte != UInt8(ascii: "/"), byte != UInt8(ascii: "%")
      {
        items.append(JavaPattern.Item(node: .literal(Unicode.Scalar(byte))))
        rest = rest.dropFirst(2)
        continue
      }
      switch item.node {
      case .group(let kind, let alternatives):
        item.node = .group(kind, alternatives.map(\.withoutEscapes))
      case .look(let kind, let alternatives):
        item.node = .look(kind, alternatives.map(\.withoutEscapes))
      default: break
      }
      items.append(item)
    }
    return items
  }
}

extension JavaPattern.Item {
  var isPlace: Bool { if case .place = node { true } else { false } }

  var isLook: Bool { if case .look = node { true } else { false } }

  /// The look-arounds in it, those within others included.
  var looks: [JavaPattern.LookAround] {
    switch node {
    case .group(_, let alternatives): alternatives.joined().flatMap(\.looks)
    case .look(let kind, let alternatives):
      [JavaPattern.LookAround(isNegated: kind.isNegated, alternatives: alternatives)]
        + alternatives.joined().flatMap(\.looks)
    default: []
    }
  }

  /// How often the quantifier repeats.
  var bounds: (min: Int, max: Int?) {
    switch quantifier.first {
    case "*": return (0, nil)
    case "+": return (1, nil)
    case "?": return (0, 1)
    case "{":
      let inside = quantifier.dropFirst().prefix { $0 != "}" }
      let numbers = inside.split(separator: ",", omittingEmptySubsequences: false).map { Int($0) }
      let min = numbers.first ?? nil
      return (min ?? 0, numbers.count == 1 ? min : numbers.last ?? nil)
    default: return (1, 1)
    }
  }

  /// `.*`, which takes slashes, too.
  var isAnything: Bool {
    if case .group(_, let alternatives) = node, quantifier.isEmpty || quantifier == "?",
      alternatives.count == 1, alternatives[0].count == 1
    {
      return alternatives[0][0].isAnything
    }
    guard case .any = node else { return false }
    return ["*", "+", "*?", "+?"].contains(quantifier)
  }

  /// Whether it may take nothing, by the quantifier of what stands alone in it.
  var mayBeNothing: Bool {
    if case .group(_, let alternatives) = node, alternatives.count == 1,
      alternatives[0].count == 1
    {
      return quantifier == "?" || alternatives[0][0].mayBeNothing
    }
    return bounds.min == 0
  }

  /// Whether it stands for a whole segment, whatever that is.
  var isOneSegment: Bool {
    if case .group(_, let alternatives) = node, quantifier.isEmpty, alternatives.count == 1,
      alternatives[0].count == 1
    {
      return alternatives[0][0].isOneSegment
    }
    switch node {
    case .any: return ["*", "+", "*?", "+?"].contains(quantifier)
    case .set("[^/]"), .set("[^/?]"), .set("[^?/]"), .set("[^\\/]"):
      return ["*", "+", "*?", "+?"].contains(quantifier)
    default: return false
    }
  }
}

extension JavaPattern.Node {
  var isBoundary: Bool {
    if case .literal(let scalar) = self { scalar == "/" || scalar == "?" } else { false }
  }

  /// Whether it takes nothing but a slash or a question mark.
  var isBoundaryOnly: Bool {
    guard case .group(_, let alternatives) = self else { return isBoundary }
    return alternatives.allSatisfy { $0.count == 1 && $0[0].node.isBoundaryOnly }
  }

  var hasBoundary: Bool {
    guard case .group(_, let alternatives) = self else { return isBoundary }
    return alternatives.contains { $0.contains { $0.node.hasBoundary } }
  }
}

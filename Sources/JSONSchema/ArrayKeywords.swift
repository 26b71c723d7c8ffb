import JSON

/// What a schema says about arrays.
final class ArrayKeywords: Sendable {
  /// For the first elements, one each.
  let prefix: [Int]
  /// For the elements after those.
  let rest: Int?
  let contained: Int?
  let containedMin: Int
  let containedMax: Int?
  let countMin: Int?
  let countMax: Int?
  let areUnique: Bool

  init?(_ reader: KeywordReader) {
    prefix = reader.schemas(.prefixItems)
    rest = reader.schema(.items)
    contained = reader.schema(.contains)
    containedMin = reader.count(.minContains) ?? 1
    containedMax = reader.count(.maxContains)
    countMin = reader.count(.minItems)
    countMax = reader.count(.maxItems)
    areUnique = reader.flag(.uniqueItems)
    let isEmpty =
      prefix.isEmpty && rest == nil && contained == nil && countMin == nil && countMax == nil
      && !areUnique
    if isEmpty { return nil }
  }
}

extension Evaluation {
  mutating func check(
    _ keywords: ArrayKeywords, of node: SchemaNode, _ instance: JSONValue,
    _ evaluated: inout Evaluated
  ) -> Bool {
    var isValid = checkCount(keywords, of: node, instance)
    if !isValid, stopsEarly { return false }
    if keywords.rest != nil || !keywords.prefix.isEmpty {
      isValid = checkElements(keywords, of: node, instance, &evaluated) && isValid
      if !isValid, stopsEarly { return false }
    }
    if let contained = keywords.contained {
      isValid = checkContains(contained, keywords, of: node, instance, &evaluated) && isValid
      if !isValid, stopsEarly { return false }
    }
    if keywords.areUnique, instance.count > 1 {
      isValid = checkUniqueness(of: node, instance) && isValid
    }
    return isValid
  }

  private mutating func checkCount(
    _ keywords: ArrayKeywords, of node: SchemaNode, _ instance: JSONValue
  ) -> Bool {
    let count = instance.count
    if let max = keywords.countMax, count > max {
      fail(
        .maxItems, of: node, instance, found: counted(count, "element"), expected: "at most \(max)")
      return false
    }
    if let min = keywords.countMin, count < min {
      fail(
        .minItems, of: node, instance, found: counted(count, "element"), expected: "at least \(min)"
      )
      return false
    }
    return true
  }

  private mutating func checkElements(
    _ keywords: ArrayKeywords, of node: SchemaNode, _ instance: JSONValue,
    _ evaluated: inout Evaluated
  ) -> Bool {
    let prefix = keywords.prefix
    var isValid = true
    var position = 0
    for element in instance.elements {
      guard let child = position < prefix.count ? prefix[position] : keywords.rest else { break }
      if position >= prefix.count, program.nodes[child].always == false {
        fail(
          .items, of: node, instance, found: counted(instance.count, "element"),
          expected: "at most \(prefix.count)")
        return false
      }
      if !checkChild(child, element, by: .items) {
        isValid = false
        if stopsEarly { return false }
      }
      position += 1
    }
    evaluated.markFirst(position)
    return isValid
  }

  private mutating func checkContains(
    _ contained: Int, _ keywords: ArrayKeywords, of node: SchemaNode, _ instance: JSONValue,
    _ evaluated: inout Evaluated
  ) -> Bool {
    var count = 0
    for (position, element) in instance.elements.enumerated() {
      let fits = quietly { $0.checkChild(contained, element, by: .contains) }
      guard fits else { continue }
      count += 1
      evaluated.mark(position)
      let isDecided =
        keywords.containedMax.map { count > $0 } ?? (count >= keywords.containedMin)
      if isDecided, !evaluated.isWanted, stopsEarly { break }
    }
    if let max = keywords.containedMax, count > max {
      fail(
        .maxContains, of: node, instance,
        found: "\(counted(count, "element")) fit for \"contains\"", expected: "at most \(max)")
      return false
    }
    if count < keywords.containedMin {
      fail(
        keywords.containedMin == 1 ? .contains : .minContains, of: node, instance,
        found: count == 0
          ? "no element fit for \"contains\"" : "\(counted(count, "element")) fit for \"contains\"",
        expected: "at least \(keywords.containedMin)")
      return false
    }
    return true
  }

  private mutating func checkUniqueness(of node: SchemaNode, _ instance: JSONValue) -> Bool {
    guard let (first, second) = instance.equalElements else { return true }
    guard !stopsEarly, let element = instance[second] else { return false }
    fail(
      .uniqueItems, of: node, at: .value(element),
      "found \(element.briefSummary) again at \(second), the same as at \(first), "
        + "expected every element once")
    return false
  }

  mutating func checkUnevaluatedItems(
    _ child: Int, of node: SchemaNode, _ instance: JSONValue, _ evaluated: inout Evaluated
  ) -> Bool {
    var isValid = true
    for (position, element) in instance.elements.enumerated() where !evaluated.contains(position) {
      let isRefused = program.nodes[child].always == false
      if isRefused {
        fail(
          .unevaluatedItems, of: node, at: .value(element),
          "element \(position) is not allowed here")
      }
      if isRefused || !checkChild(child, element, by: .items) {
        isValid = false
        if stopsEarly { return false }
      }
    }
    evaluated.markAll()
    return isValid
  }
}

extension JSONValue {
  private static let pairwiseCountMax = 8

  /// The positions of two elements that are equal; many elements are told apart by their hashes.
  fileprivate var equalElements: (first: Int, second: Int)? {
    if count <= Self.pairwiseCountMax {
      var seen: [JSONValue] = []
      for (position, element) in elements.enumerated() {
        if let first = seen.firstIndex(where: { $0.isEqual(to: element) }) {
          return (first, position)
        }
        seen.append(element)
      }
      return nil
    }
    var positions: [CanonicalValue: Int] = [:]
    positions.reserveCapacity(count)
    for (position, element) in elements.enumerated() {
      if let first = positions.updateValue(position, forKey: CanonicalValue(element)) {
        return (first, position)
      }
    }
    return nil
  }
}

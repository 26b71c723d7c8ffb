import UnderstudyJSON

extension Evaluation {
  mutating func checkArray(
    of node: SchemaNode, _ instance: JSONCursor,
    _ evaluated: inout Evaluated?
  ) -> Bool {
    var isValid = checkElementCount(of: node, instance)
    if !isValid, stopsEarly { return false }
    if node.keywords.arrays.rest != nil || !node.keywords.arrays.prefix.isEmpty {
      isValid = checkElements(of: node, instance, &evaluated) && isValid
      if !isValid, stopsEarly { return false }
    }
    if let contained = node.keywords.arrays.contained {
      isValid = checkContains(contained, of: node, instance, &evaluated) && isValid
      if !isValid, stopsEarly { return false }
    }
    if node.keywords.arrays.areUnique, instance.count > 1 {
      isValid = checkUniqueness(of: node, instance) && isValid
    }
    return isValid
  }

  private mutating func checkElementCount(of node: SchemaNode, _ instance: JSONCursor) -> Bool {
    let count = instance.count
    if let max = node.keywords.arrays.countMax, count > max {
      fail(
        .maxItems, of: node, instance, found: { _ in counted(count, "element") },
        expected: "at most \(max)")
      return false
    }
    if let min = node.keywords.arrays.countMin, count < min {
      fail(
        .minItems, of: node, instance, found: { _ in counted(count, "element") },
        expected: "at least \(min)"
      )
      return false
    }
    return true
  }

  private mutating func checkElements(
    of node: SchemaNode, _ instance: JSONCursor,
    _ evaluated: inout Evaluated?
  ) -> Bool {
    let prefixCount = node.keywords.arrays.prefix.count
    var isValid = true
    var position = 0
    for element in instance.elements {
      guard
        let child = position < prefixCount
          ? node.keywords.arrays.prefix[position] : node.keywords.arrays.rest
      else { break }
      if position >= prefixCount, program.refuses(child) {
        fail(
          .items, of: node, instance, found: { _ in counted(instance.count, "element") },
          expected: "at most \(prefixCount)")
        return false
      }
      if !checkChild(child, element, by: .items) {
        isValid = false
        if stopsEarly { return false }
      }
      position += 1
    }
    evaluated?.markFirst(position)
    return isValid
  }

  private mutating func checkContains(
    _ contained: Int, of node: SchemaNode, _ instance: JSONCursor,
    _ evaluated: inout Evaluated?
  ) -> Bool {
    var count = 0
    for (position, element) in instance.elements.enumerated() {
      let fits = quietly { $0.checkChild(contained, element, by: .contains) }
      guard fits else { continue }
      count += 1
      evaluated?.mark(position)
      let isDecided =
        node.keywords.arrays.containedMax.map { count > $0 }
        ?? (count >= node.keywords.arrays.containedMin)
      if isDecided, evaluated == nil, stopsEarly { break }
    }
    if let max = node.keywords.arrays.containedMax, count > max {
      fail(
        .maxContains, of: node, instance,
        found: { _ in "\(counted(count, "element")) matching \"contains\"" },
        expected: "at most \(max)")
      return false
    }
    if count < node.keywords.arrays.containedMin {
      fail(
        node.keywords.arrays.containedMin == 1 ? .contains : .minContains, of: node, instance,
        found: { _ in
          "\(count == 0 ? "no element" : counted(count, "element")) matching \"contains\""
        },
        expected: "at least \(node.keywords.arrays.containedMin)")
      return false
    }
    return true
  }

  private mutating func checkUniqueness(of node: SchemaNode, _ instance: JSONCursor) -> Bool {
    let array = value(at: instance)
    guard let (first, second) = array.equalElements else { return true }
    guard !stopsEarly, let element = array[second] else { return false }
    fail(
      .uniqueItems, of: node, at: .value(element),
      "found \(element.briefSummary) again at \(second), the same as at \(first), "
        + "expected unique elements")
    return false
  }

  mutating func checkUnevaluatedItems(
    _ child: Int, of node: SchemaNode, _ instance: JSONCursor, _ evaluated: inout Evaluated?
  ) -> Bool {
    var isValid = true
    for (position, element) in instance.elements.enumerated()
    where evaluated?.contains(position) != true {
      let isRefused = program.refuses(child)
      if isRefused {
        fail(
          .unevaluatedItems, of: node, at: place(of: element),
          "element \(position) is not allowed here")
      }
      if isRefused || !checkChild(child, element, by: .items) {
        isValid = false
        if stopsEarly { return false }
      }
    }
    evaluated?.markAll()
    return isValid
  }
}

extension JSONValue {
  private static let pairwiseCountMax = 8

  /// The positions of two equal elements; many elements are compared by hash.
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

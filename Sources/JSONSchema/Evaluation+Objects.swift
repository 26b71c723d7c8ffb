import JSON
import Patterns

extension Evaluation {
  mutating func check(
    _ keywords: ObjectKeywords, of node: SchemaNode, _ instance: JSONValue,
    _ evaluated: inout Evaluated
  ) -> Bool {
    var isValid = checkCount(keywords, of: node, instance)
    if !isValid, stopsEarly { return false }
    guard keywords.looksAtMembers else { return isValid }
    var seen = NameSet()
    isValid = checkMembers(keywords, of: node, instance, &evaluated, seen: &seen) && isValid
    if !isValid, stopsEarly { return false }
    isValid = checkPresence(keywords, of: node, instance, seen: seen) && isValid
    for (name, schema) in keywords.dependentSchemas {
      if !isValid, stopsEarly { return false }
      guard takeStep(at: instance, node) else { return false }
      guard seen.contains(name) else { continue }
      isValid = check(schema, instance, &evaluated, by: .dependentSchemas) && isValid
    }
    return isValid
  }

  private mutating func checkCount(
    _ keywords: ObjectKeywords, of node: SchemaNode, _ instance: JSONValue
  ) -> Bool {
    let count = instance.count
    if let max = keywords.countMax, count > max {
      fail(
        .maxProperties, of: node, instance, found: counted(count, "member"),
        expected: "at most \(max)")
      return false
    }
    if let min = keywords.countMin, count < min {
      fail(
        .minProperties, of: node, instance, found: counted(count, "member"),
        expected: "at least \(min)")
      return false
    }
    return true
  }

  private mutating func checkMembers(
    _ keywords: ObjectKeywords, of node: SchemaNode, _ instance: JSONValue,
    _ evaluated: inout Evaluated, seen: inout NameSet
  ) -> Bool {
    var isValid = true
    var next = 0
    var position = 0
    for member in instance.members {
      var isKnown = false
      if let name = keywords.names.number(of: member, next: &next) {
        seen.insert(name)
        if let child = keywords.properties[name] {
          isKnown = true
          isValid = checkMember(member, child, .properties, of: node) && isValid
        }
      }
      if !keywords.patterns.isEmpty {
        let key = member.key
        for (pattern, child) in keywords.patterns {
          guard takeStep(at: instance, node) else { return false }
          guard matches(pattern, key, at: instance, node) else { continue }
          isKnown = true
          isValid = checkMember(member, child, .patternProperties, of: node) && isValid
        }
      }
      if !isKnown, let child = keywords.additional {
        isKnown = true
        isValid = checkMember(member, child, .additionalProperties, of: node) && isValid
      }
      if let child = keywords.propertyNames {
        isValid = checkName(of: member, child) && isValid
      }
      if !isValid, stopsEarly { return false }
      if isKnown { evaluated.mark(position) }
      position += 1
    }
    return isValid
  }

  private mutating func checkMember(
    _ member: JSONMember, _ child: Int, _ keyword: Keyword, of node: SchemaNode
  ) -> Bool {
    guard program.nodes[child].always == false else {
      return checkChild(child, member.value, by: keyword)
    }
    if !stopsEarly {
      let isForeign = keyword == .additionalProperties || keyword == .unevaluatedProperties
      let suggestion =
        isForeign
        ? Self.suggestion(for: member.key, among: program.propertyNames(near: node)) : nil
      fail(
        keyword, at: .key(member), schema: program.nodes[child],
        "\"\(member.key)\" is not allowed here" + (suggestion.map { ": \($0)" } ?? ""))
    }
    return false
  }

  private mutating func checkPresence(
    _ keywords: ObjectKeywords, of node: SchemaNode, _ instance: JSONValue, seen: NameSet
  ) -> Bool {
    var isValid = true
    if !keywords.required.isSubset(of: seen) {
      isValid = false
      if stopsEarly { return false }
      for (name, text) in keywords.names.texts.enumerated()
      where keywords.required.contains(name) && !seen.contains(name) {
        fail(.required, of: node, at: .value(instance), "missing \"\(text)\"")
      }
    }
    for (trigger, required) in keywords.dependentRequired {
      guard takeStep(at: instance, node) else { return false }
      guard seen.contains(trigger), !required.isSubset(of: seen) else { continue }
      isValid = false
      if stopsEarly { return false }
      for (name, text) in keywords.names.texts.enumerated()
      where required.contains(name) && !seen.contains(name) {
        fail(
          .dependentRequired, of: node, at: .value(instance),
          "missing \"\(text)\", which \"\(keywords.names.texts[trigger])\" requires")
      }
    }
    return isValid
  }

  mutating func checkUnevaluatedProperties(
    _ child: Int, of node: SchemaNode, _ instance: JSONValue, _ evaluated: inout Evaluated
  ) -> Bool {
    var isValid = true
    for (position, member) in instance.members.enumerated() where !evaluated.contains(position) {
      if !checkMember(member, child, .unevaluatedProperties, of: node) {
        isValid = false
        if stopsEarly { return false }
      }
    }
    evaluated.markAll()
    return isValid
  }
}

extension SchemaProgram {
  /// The names of `properties` in a node and in those applied to the same value.
  fileprivate func propertyNames(near node: SchemaNode) -> [String] {
    var names: [String] = []
    var seen: Set<Int> = []
    var pending = [node]
    while let node = pending.popLast() {
      if let objects = node.objects {
        names += zip(objects.names.texts, objects.properties).filter { $1 != nil }.map(\.0)
      }
      pending += node.inPlace.filter { seen.insert($0).inserted }.map { nodes[$0] }
    }
    return names
  }
}

import UnderstudyJSON

extension Evaluation {
  mutating func checkObject(
    of node: SchemaNode, _ instance: JSONCursor,
    _ evaluated: inout Evaluated?
  ) -> Bool {
    var isValid = checkMemberCount(of: node, instance)
    if !isValid, stopsEarly { return false }
    guard node.keywords.objects.looksAtMembers else { return isValid }
    var seen = NameSet()
    isValid = checkMembers(of: node, instance, &evaluated, seen: &seen) && isValid
    if !isValid, stopsEarly { return false }
    isValid = checkPresence(of: node, instance, seen: seen) && isValid
    for (name, schema) in node.keywords.objects.dependentSchemas {
      if !isValid, stopsEarly { return false }
      guard takeStep(at: instance, node) else { return false }
      guard seen.contains(name) else { continue }
      isValid = check(schema, instance, &evaluated, by: .dependentSchemas) && isValid
    }
    return isValid
  }

  private mutating func checkMemberCount(of node: SchemaNode, _ instance: JSONCursor) -> Bool {
    let count = instance.count
    if let max = node.keywords.objects.countMax, count > max {
      fail(
        .maxProperties, of: node, instance, found: { _ in counted(count, "member") },
        expected: "at most \(max)")
      return false
    }
    if let min = node.keywords.objects.countMin, count < min {
      fail(
        .minProperties, of: node, instance, found: { _ in counted(count, "member") },
        expected: "at least \(min)")
      return false
    }
    return true
  }

  private mutating func checkMembers(
    of node: SchemaNode, _ instance: JSONCursor,
    _ evaluated: inout Evaluated?, seen: inout NameSet
  ) -> Bool {
    var isValid = true
    var next = 0
    var position = 0
    for (key, value) in instance.members {
      var isKnown = false
      if let name = node.keywords.objects.names.number(of: key, next: &next) {
        seen.insert(name)
        if let child = node.keywords.objects.properties[name] {
          isKnown = true
          isValid = checkMember(key, value, child, .properties, of: node) && isValid
        }
      }
      if !node.keywords.objects.patterns.isEmpty {
        for (pattern, child) in node.keywords.objects.patterns {
          guard takeStep(at: instance, node) else { return false }
          guard matches(pattern, key, at: instance, node) else { continue }
          isKnown = true
          isValid = checkMember(key, value, child, .patternProperties, of: node) && isValid
        }
      }
      if !isKnown, let child = node.keywords.objects.additional {
        isKnown = true
        isValid = checkMember(key, value, child, .additionalProperties, of: node) && isValid
      }
      if let child = node.keywords.objects.propertyNames {
        isValid = checkName(key, child) && isValid
      }
      if !isValid, stopsEarly { return false }
      if isKnown { evaluated?.mark(position) }
      position += 1
    }
    return isValid
  }

  private mutating func checkMember(
    _ key: JSONCursor, _ value: JSONCursor, _ child: Int, _ keyword: Keyword, of node: SchemaNode
  ) -> Bool {
    program.refuses(child)
      ? refuse(key, by: child, keyword, of: node) : checkChild(child, value, by: keyword)
  }

  private mutating func refuse(
    _ key: JSONCursor, by child: Int, _ keyword: Keyword, of node: SchemaNode
  ) -> Bool {
    if !stopsEarly {
      let member = document.member(at: key)
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
    of node: SchemaNode, _ instance: JSONCursor, seen: NameSet
  ) -> Bool {
    var isValid = true
    if !node.keywords.objects.required.isSubset(of: seen) {
      isValid = false
      if stopsEarly { return false }
      for (name, text) in node.keywords.objects.names.texts.enumerated()
      where node.keywords.objects.required.contains(name) && !seen.contains(name) {
        fail(.required, of: node, at: place(of: instance), "missing \"\(text)\"")
      }
    }
    for (present, required) in node.keywords.objects.dependentRequired {
      guard takeStep(at: instance, node) else { return false }
      guard seen.contains(present), !required.isSubset(of: seen) else { continue }
      isValid = false
      if stopsEarly { return false }
      for (name, text) in node.keywords.objects.names.texts.enumerated()
      where required.contains(name) && !seen.contains(name) {
        fail(
          .dependentRequired, of: node, at: place(of: instance),
          "missing \"\(text)\", which \"\(node.keywords.objects.names.texts[present])\" requires")
      }
    }
    return isValid
  }

  mutating func checkUnevaluatedProperties(
    _ child: Int, of node: SchemaNode, _ instance: JSONCursor, _ evaluated: inout Evaluated?
  ) -> Bool {
    var isValid = true
    for (position, (key, value)) in instance.members.enumerated()
    where evaluated?.contains(position) != true {
      if !checkMember(key, value, child, .unevaluatedProperties, of: node) {
        isValid = false
        if stopsEarly { return false }
      }
    }
    evaluated?.markAll()
    return isValid
  }
}

extension SchemaProgram {
  /// The names in `properties` of a node and of those applied to the same value.
  fileprivate func propertyNames(near node: SchemaNode) -> [String] {
    var names: [String] = []
    var seen: Set<Int> = []
    var pending = [node]
    while let node = pending.popLast() {
      names += zip(node.keywords.objects.names.texts, node.keywords.objects.properties).filter {
        $1 != nil
      }.map(\.0)
      pending += node.inPlace.filter { seen.insert($0).inserted }.map { nodes[$0] }
    }
    return names
  }
}

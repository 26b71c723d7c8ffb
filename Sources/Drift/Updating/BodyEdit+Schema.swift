import UnderstudyContractModel
import UnderstudyCore
import UnderstudyDrafting
import UnderstudyFindings
import UnderstudyJSON
import UnderstudySchema

extension BodyEdit {
  private static let formats = [
    "date-time", "date", "time", "uuid", "uri", "email", "ipv4", "ipv6",
  ]
  private static let choicesMax = 20

  /// Changes the violated keyword; returns the reason if it cannot.
  mutating func editSchema(
    _ difference: Difference, _ path: [BodyStep], _ comparison: BodyComparison
  ) throws(JSONEditError) -> String? {
    guard let pointer = difference.schemaPointer, let keyword = document.root.value(at: pointer),
      let parent = pointer.parent, let name = pointer.tokens.last
    else { return Refusal.unseen }
    let values = difference.pointers.compactMap(found.value(at:))
    switch name {
    case "required": return try dropRequired(path, from: keyword, comparison)
    case "type": return try setType(keyword, path, values, comparison)
    case "enum": return try extendEnum(pointer, keyword, values)
    case "anyOf", "oneOf":
      guard difference.type != .schemaViolated else { return Self.byHand(name) }
      for type in Set(values.map(\.schemaType)).sorted() {
        document = try document.inserting(
          "{ \"type\": \(type.quoted) }", at: pointer.appending("-"))
      }
      return nil
    case "const": return try setConst(pointer, keyword, path, comparison, values)
    case "format":
      try setFormat(pointer, path, values, comparison)
      return nil
    case "x-time": return try setEpoch(pointer, keyword, values)
    case "minimum", "maximum":
      let numbers = values.compactMap { value in value.number.map { ($0, value.lineText) } }
      let least = numbers.min { $0.0 < $1.0 }
      guard let end = name == "minimum" ? least : numbers.max(by: { $0.0 < $1.0 }) else {
        return Refusal.unseen
      }
      try set(pointer, to: end.1)
      return nil
    case "pattern", "minLength", "maxLength", "multipleOf", "exclusiveMinimum", "exclusiveMaximum",
      "minItems", "maxItems", "uniqueItems", "minProperties", "maxProperties":
      try remove(pointer)
      return nil
    case "additionalProperties", "unevaluatedProperties":
      return try addProperty(path, to: parent.appending("properties"), comparison)
    default: return Self.byHand(name)
    }
  }

  private mutating func extendEnum(
    _ pointer: JSONPointer, _ keyword: JSONValue, _ values: [JSONValue]
  ) throws(JSONEditError) -> String? {
    var known = Array(keyword.elements)
    for value in values where !known.contains(where: { $0.isEqual(to: value) }) {
      guard known.count - keyword.count < Self.choicesMax else { return Self.tooMany }
      known.append(value)
      document = try document.inserting(value.lineText, at: pointer.appending("-"))
    }
    return nil
  }

  private static let tooMany = "it has too many values for an enumeration"

  /// The format of all values, if they have one, in place of the old one.
  private mutating func setFormat(
    _ pointer: JSONPointer, _ path: [BodyStep], _ values: [JSONValue], _ comparison: BodyComparison
  ) throws(JSONEditError) {
    let isEach = comparison.foundShape.shape(atPath: path)?.count(.string) == values.count
    if isEach, !isShared(pointer),
      let format = Self.formats.first(where: { Self.format($0, accepts: values) })
    {
      try set(pointer, to: format.quoted)
    } else {
      try remove(pointer)
    }
  }

  private mutating func addProperty(
    _ path: [BodyStep], to properties: JSONPointer, _ comparison: BodyComparison
  ) throws(JSONEditError) -> String? {
    guard let member = path.last?.name, let shape = comparison.foundShape.shape(atPath: path) else {
      return Refusal.unseen
    }
    if document.root.value(at: properties) == nil {
      try set(properties, to: "{ \(member.quoted): \(shape.schemaOfKinds) }")
    } else {
      try set(properties.appending(member), to: shape.schemaOfKinds)
    }
    return nil
  }

  private static func byHand(_ name: String) -> String {
    "\(name.quoted) in the schema must be changed by hand"
  }

  /// Where no object has the member any more, `properties` does not list it either.
  private mutating func dropRequired(
    _ path: [BodyStep], from keyword: JSONValue, _ comparison: BodyComparison
  ) throws(JSONEditError) -> String? {
    guard let name = path.last?.name,
      let index = keyword.elements.enumerated().first(where: { $1.string == name })?.offset
    else { return nil }
    let pointer = keyword.pointer
    try remove(keyword.count == 1 ? pointer : pointer.appending(index))
    let objects = comparison.foundShape.shape(atPath: Array(path.dropLast()))
    guard !isIntermittent, objects?.member(name) == nil, !isSharedByLiveCases(pointer),
      let properties = pointer.parent?.appending("properties"),
      let listed = document.root.value(at: properties), listed[name] != nil
    else { return nil }
    try remove(properties.appending(name))
    emptied.insert(properties)
    return nil
  }

  /// The types still seen and the new ones. null stays allowed; so do all types if the schema
  /// applies to more than one place.
  private mutating func setType(
    _ keyword: JSONValue, _ path: [BodyStep], _ values: [JSONValue], _ comparison: BodyComparison
  ) throws(JSONEditError) -> String? {
    let old =
      keyword.kind == .array ? keyword.elements.compactMap(\.string) : [keyword.string ?? ""]
    var added: [String] = []
    for type in values.map(\.schemaType) where !added.contains(type) { added.append(type) }
    let seen = comparison.foundShape.shape(atPath: path)
    let keepsAll = added == ["null"] || isShared(keyword.pointer)
    var kept = old.filter { type in
      if type == "null" || keepsAll { return true }
      let kind = type == "integer" ? JSONValue.Kind.number : JSONValue.Kind(rawValue: type)
      let refused = values.count { $0.kind == kind }
      return kind.map { (seen?.count($0) ?? 0) > refused } ?? false
    }
    if added.contains("number") { kept.removeAll { $0 == "integer" } }
    if added.contains("number") { added.removeAll { $0 == "integer" } }
    let types = (kept + added.filter { !kept.contains($0) }).map(\.quoted)
    try set(
      keyword.pointer, to: types.count == 1 ? types[0] : "[\(types.joined(separator: ", "))]")
    if !keepsAll, let schema = keyword.pointer.parent {
      try keepKeywords(of: Set(kept + added), in: schema)
    }
    return nil
  }

  private static let keywords: [(types: Set<String>, names: [String])] = [
    (
      ["object"],
      [
        "required", "properties", "patternProperties", "additionalProperties",
        "unevaluatedProperties", "propertyNames", "minProperties", "maxProperties",
        "dependentRequired", "dependentSchemas",
      ]
    ),
    (
      ["array"],
      [
        "prefixItems", "items", "unevaluatedItems", "contains", "minContains", "maxContains",
        "minItems", "maxItems", "uniqueItems",
      ]
    ),
    (["string"], ["pattern", "format", "minLength", "maxLength", "x-date"]),
    (
      ["number", "integer"],
      ["minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf", "x-time"]
    ),
  ]

  /// Removes the keywords that only concern values of other types.
  mutating func keepKeywords(
    of types: Set<String>, in schema: JSONPointer
  ) throws(JSONEditError) {
    for group in Self.keywords where group.types.isDisjoint(with: types) {
      for name in group.names where document.root.value(at: schema)?[name] != nil {
        try remove(schema.appending(name))
      }
    }
  }

  private mutating func setConst(
    _ pointer: JSONPointer, _ keyword: JSONValue, _ path: [BodyStep], _ comparison: BodyComparison,
    _ values: [JSONValue]
  ) throws(JSONEditError) -> String? {
    var choices: [JSONValue] = []
    let total = comparison.foundShape.shape(atPath: path)?.count ?? values.count
    if total > values.count || isShared(pointer) { choices.append(keyword) }
    for value in values where !choices.contains(where: { $0.isEqual(to: value) }) {
      choices.append(value)
    }
    guard choices.count <= Self.choicesMax else { return Self.tooMany }
    let texts = choices.map { $0.lineText }
    if texts.count == 1 {
      try set(pointer, to: texts[0])
    } else if let parent = pointer.parent {
      try set(parent.appending("enum"), to: "[\(texts.joined(separator: ", "))]")
      try remove(pointer)
    }
    return nil
  }

  /// The first place that differs decides for all that one schema describes.
  private mutating func setEpoch(
    _ pointer: JSONPointer, _ keyword: JSONValue, _ values: [JSONValue]
  ) throws(JSONEditError) -> String? {
    func accepts(_ keyword: JSONValue) -> Bool {
      self.accepts("{\"x-time\": \(String(decoding: keyword.compact, as: UTF8.self))}", values)
    }
    if accepts(keyword) { return nil }
    for epoch in [1970, 2001] where keyword["epoch"]?.int != epoch {
      let changed = try document.setting(pointer.appending("epoch"), to: "\(epoch)")
      guard let source = changed.root.value(at: pointer), accepts(source) else { continue }
      let start = document
      document = changed
      if complaints(about: found, now).contains(where: { $0.schemaPointer == pointer }) {
        document = start
        return "only some of these dates match the contract"
      }
      return nil
    }
    return "no other epoch fits these dates"
  }

  private static func format(_ name: String, accepts values: [JSONValue]) -> Bool {
    accepts("{\"format\": \(name.quoted)}", values, now: .epoch)
  }

  private func accepts(_ schema: String, _ values: [JSONValue]) -> Bool {
    Self.accepts(schema, values, now: now)
  }

  private static func accepts(_ schema: String, _ values: [JSONValue], now: Moment) -> Bool {
    guard let source = try? JSONDocument(parsing: schema),
      let schema = BodySchema.compiled(source.root, now: now)
    else { return false }
    return values.allSatisfy(schema.accepts)
  }
}

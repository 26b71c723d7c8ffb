package import UnderstudyJSON

/// What a schema says about one place of a body, without checking a value: the schemas of all
/// alternatives together.
package struct SchemaView: Sendable {
  package let parts: [JSONValue]
  /// The alternatives: a value must match only one, or some, of these.
  package let alternatives: [JSONValue]
  private let root: JSONValue?

  package init(_ schema: JSONValue?) {
    self.init(schema.map { [$0] } ?? [], root: schema)
  }

  private init(_ schemas: [JSONValue], root: JSONValue?) {
    self.root = root
    var parts: [JSONValue] = []
    var alternatives: [JSONValue] = []
    var seen: Set<Int> = []
    var rest = schemas.map { (schema: $0, isAlternative: false) }
    var next = 0
    while next < rest.count {
      let (schema, isAlternative) = rest[next]
      next += 1
      guard schema.kind == .object, seen.insert(schema.byteRange.lowerBound).inserted else {
        continue
      }
      parts.append(schema)
      if isAlternative { alternatives.append(schema) }
      for key in ["anyOf", "oneOf"] { rest += schema[key]?.elements.map { ($0, true) } ?? [] }
      rest += schema["allOf"]?.elements.map { ($0, isAlternative) } ?? []
      for key in ["then", "else"] { rest += schema[key].map { [($0, isAlternative)] } ?? [] }
      if let referred = Self.target(of: schema, root) { rest.append((referred, isAlternative)) }
    }
    self.parts = parts
    self.alternatives = alternatives
  }

  private static func target(of schema: JSONValue, _ root: JSONValue?) -> JSONValue? {
    guard let target = schema["$ref"]?.string, target.hasPrefix("#"),
      let pointer = JSONPointer(parsing: String(target.dropFirst()))
    else { return nil }
    return root?.value(at: pointer)
  }

  private static let depthMax = 32

  /// Whether a schema allows no value of this type at all.
  package static func refusesType(
    of value: JSONValue, _ schema: JSONValue, root: JSONValue, depth: Int = 0
  ) -> Bool {
    guard schema.kind == .object, depth < depthMax else { return schema.bool == false }
    if let type = schema["type"] {
      let types = type.kind == .array ? type.elements.compactMap(\.string) : [type.string ?? ""]
      let own = value.schemaType
      return !types.contains(own) && !(own == "integer" && types.contains("number"))
    }
    func refuses(_ schema: JSONValue) -> Bool {
      refusesType(of: value, schema, root: root, depth: depth + 1)
    }
    if let values = schema["enum"] { return values.elements.allSatisfy { $0.kind != value.kind } }
    if let only = schema["const"] { return only.kind != value.kind }
    if let referred = target(of: schema, root), refuses(referred) { return true }
    if schema["allOf"]?.elements.contains(where: refuses) ?? false { return true }
    return ["anyOf", "oneOf"].contains { schema[$0]?.elements.allSatisfy(refuses) ?? false }
  }

  /// Whether it says which kind of value is here.
  package var isTyped: Bool { parts.contains { $0["type"] ?? $0["enum"] ?? $0["const"] != nil } }

  /// Whether the keys of objects here are data, such as names of breeds.
  package var isMap: Bool {
    parts.contains { $0["additionalProperties"]?.kind == .object || $0["patternProperties"] != nil }
      && !parts.contains { ($0["properties"]?.count ?? 0) > 0 }
  }

  package func knows(_ key: String) -> Bool {
    parts.contains { $0["properties"]?[key] != nil || $0["patternProperties"] != nil }
      || requires(key)
  }

  package func requires(_ key: String) -> Bool {
    parts.contains { $0["required"]?.elements.contains { $0.string == key } ?? false }
  }

  /// Whether it describes a member and does not require it.
  package func allows(missing key: String) -> Bool {
    !requires(key) && parts.contains { $0["properties"]?[key] != nil }
  }

  package func member(_ key: String) -> SchemaView {
    let named = parts.compactMap { $0["properties"]?[key] }
    return SchemaView(
      named.isEmpty ? parts.compactMap { $0["additionalProperties"] } : named, root: root)
  }

  /// What the schema says about the values of an object whose keys are data.
  package var entries: SchemaView {
    SchemaView(
      parts.flatMap { part in
        (part["additionalProperties"].map { [$0] } ?? [])
          + (part["patternProperties"]?.members.map(\.value) ?? [])
      }, root: root)
  }

  /// What the schema says about elements without a schema for their position.
  package var elements: SchemaView {
    SchemaView(parts.compactMap { $0["items"] }, root: root)
  }

  /// The number of leading elements with a schema for each position.
  package var slotCount: Int { parts.lazy.compactMap { $0["prefixItems"]?.count }.max() ?? 0 }

  package func slot(_ index: Int) -> SchemaView {
    SchemaView(
      parts.compactMap { part in
        let slots = part["prefixItems"]
        return index < slots?.count ?? 0 ? slots?[index] : part["items"]
      }, root: root)
  }
}

extension JSONValue {
  /// The name of its kind in a schema.
  package var schemaType: String {
    kind == .number ? (number?.isInteger == true ? "integer" : "number") : kind.rawValue
  }
}

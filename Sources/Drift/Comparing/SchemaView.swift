import JSON

/// What a schema says by its words about one place of a body, without holding a value against it: the
/// schemas of all alternatives together.
struct SchemaView {
  let parts: [JSONValue]
  private let root: JSONValue?

  init(_ schema: JSONValue?) {
    self.init(schema.map { [$0] } ?? [], root: schema)
  }

  private init(_ schemas: [JSONValue], root: JSONValue?) {
    self.root = root
    var parts: [JSONValue] = []
    var seen: Set<Int> = []
    var rest = schemas
    while let schema = rest.popLast() {
      guard schema.kind == .object, seen.insert(schema.byteRange.lowerBound).inserted else {
        continue
      }
      parts.append(schema)
      for key in ["allOf", "anyOf", "oneOf"] { rest += schema[key]?.elements.map(\.self) ?? [] }
      for key in ["then", "else"] { rest += schema[key].map { [$0] } ?? [] }
      if let target = schema["$ref"]?.string, target.hasPrefix("#"),
        let pointer = JSONPointer(parsing: String(target.dropFirst())),
        let referred = root?.value(at: pointer)
      {
        rest.append(referred)
      }
    }
    self.parts = parts
  }

  /// Whether it says what kind of value stands here.
  var isTyped: Bool { parts.contains { $0["type"] ?? $0["enum"] ?? $0["const"] != nil } }

  /// Whether the keys of objects here are data, such as names of breeds.
  var isMap: Bool {
    parts.contains { $0["additionalProperties"]?.kind == .object || $0["patternProperties"] != nil }
      && !parts.contains { ($0["properties"]?.count ?? 0) > 0 }
  }

  func knows(_ key: String) -> Bool {
    parts.contains { $0["properties"]?[key] != nil || $0["patternProperties"] != nil }
      || requires(key)
  }

  func requires(_ key: String) -> Bool {
    parts.contains { $0["required"]?.elements.contains { $0.string == key } ?? false }
  }

  /// Whether it says that a member may be missing.
  func excuses(_ key: String) -> Bool {
    !requires(key) && parts.contains { $0["properties"]?[key] != nil }
  }

  func member(_ key: String) -> SchemaView {
    let named = parts.compactMap { $0["properties"]?[key] }
    return SchemaView(
      named.isEmpty ? parts.compactMap { $0["additionalProperties"] } : named, root: root)
  }

  /// Of the values of an object whose keys are data.
  var entries: SchemaView {
    SchemaView(
      parts.flatMap { part in
        (part["additionalProperties"].map { [$0] } ?? [])
          + (part["patternProperties"]?.members.map(\.value) ?? [])
      }, root: root)
  }

  var elements: SchemaView {
    SchemaView(
      parts.flatMap { part in
        (part["items"].map { [$0] } ?? []) + (part["prefixItems"]?.elements.map(\.self) ?? [])
      }, root: root)
  }
}

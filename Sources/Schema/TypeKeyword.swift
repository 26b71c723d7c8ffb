import UnderstudyCore

import UnderstudyJSON

/// The kinds of value `type` allows.
struct TypeKeyword: Sendable {
  /// Their names, in the schema's order.
  let names: [String]
  /// As which they are surely written; a whole number may also have a fraction of zeros.
  let kinds: JSONKinds

  private static let known: [(name: String, kinds: JSONKinds)] = [
    ("null", .null), ("boolean", .boolean), ("integer", .integer), ("number", .number),
    ("string", .string), ("array", .array), ("object", .object),
  ]

  init(_ reader: KeywordReader) {
    guard let value = reader.value(.type) else {
      (names, kinds) = ([], .all)
      return
    }
    var kinds: JSONKinds = []
    var names: [String] = []
    for element in value.kind == .array ? Array(value.elements) : [value] {
      guard let name = element.string, let type = Self.known.first(where: { $0.name == name })
      else {
        reader.noteMismatch(
          element, .type, expected: "one of " + Self.known.map(\.name).joined(separator: ", "),
          fix: element.string.flatMap {
            Spelling.suggestion(for: $0, among: Self.known.lazy.map(\.name))
          })
        continue
      }
      kinds.formUnion(type.kinds)
      names.append(name)
    }
    self.kinds = kinds
    self.names = names
  }
}

extension Evaluation {
  @inline(__always)
  mutating func checkType(of node: SchemaNode, _ instance: JSONCursor) -> Bool {
    node.types.kinds.contains(instance.kinds) || checkUnusualType(of: node, instance)
  }

  private mutating func checkUnusualType(of node: SchemaNode, _ instance: JSONCursor) -> Bool {
    if instance.kinds == .decimal, node.types.kinds.contains(.integer),
      value(at: instance).number?.isInteger == true
    {
      return true
    }
    fail(
      .type, of: node, instance, found: \.summary, expected: joined(node.types.names, by: "or"))
    return false
  }
}

import Diagnostics
import JSON

/// The kinds of value `type` allows.
struct TypeKeyword: Sendable {
  /// Their names, in the schema's order.
  let names: [String]
  private let set: TypeSet

  struct TypeSet: OptionSet, Sendable {
    let rawValue: UInt8
    static let null = Self(rawValue: 1)
    static let boolean = Self(rawValue: 2)
    static let integer = Self(rawValue: 4)
    static let number = Self(rawValue: 8)
    static let string = Self(rawValue: 16)
    static let array = Self(rawValue: 32)
    static let object = Self(rawValue: 64)
  }

  private static let known: [(name: String, type: TypeSet)] = [
    ("null", .null), ("boolean", .boolean), ("integer", .integer), ("number", .number),
    ("string", .string), ("array", .array), ("object", .object),
  ]

  init?(_ reader: KeywordReader) {
    guard let value = reader.value(.type) else { return nil }
    var set: TypeSet = []
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
      set.formUnion(type.type)
      names.append(name)
    }
    self.set = set
    self.names = names
  }

  func allows(_ value: JSONValue) -> Bool {
    switch value.kind {
    case .null: set.contains(.null)
    case .boolean: set.contains(.boolean)
    case .string: set.contains(.string)
    case .array: set.contains(.array)
    case .object: set.contains(.object)
    case .number:
      set.contains(.number)
        || set.contains(.integer) && (value.int != nil || value.number?.isInteger == true)
    }
  }
}

extension Evaluation {
  mutating func refuseType(_ types: TypeKeyword, of node: SchemaNode, _ instance: JSONValue) {
    fail(
      .type, of: node, instance, found: instance.summary, expected: joined(types.names, by: "or"))
  }
}

import UnderstudyJSON
import UnderstudySchema

/// The definitions of all contracts as `components/schemas`, equal ones of one name together.
struct OpenAPIComponents {
  private var members: [(key: String, value: JSONText)] = []
  private var places: [String: Int] = [:]

  var isEmpty: Bool { members.isEmpty }

  var schemas: JSONText { .object(members.map { ($0.key, $0.value) }) }

  /// The schema of a case, with its references leading here.
  ///
  /// - Parameter stem: names the schema itself, if it refers to parts of itself.
  mutating func add(_ schema: JSONValue, named stem: String) -> JSONText {
    guard schema.kind == .object else { return .value(schema) }
    var references: Set<String> = []
    Self.collect(schema, into: &references)
    guard !references.isEmpty else { return .value(schema) }
    let definitions = (schema["$defs"] ?? .null).members.map { ($0.key, $0.value) }
    // Parts of definitions go with them; anything else is a part of the whole.
    let namesWhole = references.contains { !$0.hasPrefix("#/$defs/") }
    var names = Dictionary(
      definitions.map { ($0.0, $0.0) }, uniquingKeysWith: { first, _ in first })
    for _ in 0..<Self.attemptsMax {
      let whole = namesWhole ? stem : nil
      let written = definitions.map { name, value in
        (key: names[name] ?? name, value: Self.rewritten(value, names, whole))
      }
      let taken = written.filter { own in
        places[own.key].map { members[$0].value != own.value } ?? false
      }
      guard taken.isEmpty else {
        for (name, own) in names where taken.contains(where: { $0.key == own }) {
          names[name] = "\(stem)-\(name)"
        }
        continue
      }
      for (key, value) in written where places[key] == nil { insert(key, value) }
      let others = schema.members.filter { $0.key != "$defs" }
      let root = JSONText.object(
        others.map { ($0.key, Self.rewritten(member: $0, names, whole)) })
      guard let whole else { return root }
      insert(whole, root)
      return ["$ref": "#/components/schemas/\(whole)"]
    }
    return .bool(true)
  }

  private static let attemptsMax = 2

  private mutating func insert(_ key: String, _ value: JSONText) {
    places[key] = members.count
    members.append((key, value))
  }

  // The nesting of a text bounds these recursions.

  private static func collect(_ schema: JSONValue, into references: inout Set<String>) {
    for member in schema.members {
      if member.key == "$ref", let text = member.value.string { references.insert(text) }
      switch Keyword.named(member.key)?.holds {
      case .oneSchema: collect(member.value, into: &references)
      case .schemas: for element in member.value.elements { collect(element, into: &references) }
      case .namedSchemas:
        for inner in member.value.members { collect(inner.value, into: &references) }
      default: continue
      }
    }
  }

  private static func rewritten(
    _ schema: JSONValue, _ names: [String: String], _ whole: String?
  ) -> JSONText {
    guard schema.kind == .object else { return .value(schema) }
    return .object(schema.members.map { ($0.key, rewritten(member: $0, names, whole)) })
  }

  private static func rewritten(
    member: JSONMember, _ names: [String: String], _ whole: String?
  ) -> JSONText {
    let value = member.value
    if member.key == "$ref", let text = value.string {
      return .string(address(text, names, whole))
    }
    switch Keyword.named(member.key)?.holds {
    case .oneSchema: return rewritten(value, names, whole)
    case .schemas: return .array(value.elements.map { rewritten($0, names, whole) })
    case .namedSchemas:
      return .object(value.members.map { ($0.key, rewritten($0.value, names, whole)) })
    default: return .value(value)
    }
  }

  private static func address(
    _ text: String, _ names: [String: String], _ whole: String?
  ) -> String {
    let start = "#/$defs/"
    if text.hasPrefix(start) {
      let rest = text.dropFirst(start.count)
      let name = rest.prefix { $0 != "/" }
      return
        "#/components/schemas/\(names[String(name)] ?? String(name))\(rest.dropFirst(name.count))"
    }
    guard let whole, text.hasPrefix("#") else { return text }
    return "#/components/schemas/\(whole)\(text.dropFirst())"
  }
}

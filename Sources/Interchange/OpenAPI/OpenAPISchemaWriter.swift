import UnderstudyCore
import UnderstudyJSON
import UnderstudySchema

/// Writes one schema as one of draft 2020-12, and collects what it refers to.
struct OpenAPISchemaWriter {
  private static let depthMax = 200
  private static let partsDepthMax = 4
  private static let types: Set = [
    "null", "boolean", "object", "array", "number", "string", "integer",
  ]
  /// Keywords for readers, and those that only OpenAPI has.
  private static let dropped: Set = [
    "$schema", "$id", "$anchor", "$dynamicAnchor", "$dynamicRef", "$vocabulary", "$comment",
    "$defs", "definitions", "xml", "externalDocs", "example", "nullable", "discriminator",
    "readOnly", "writeOnly",
  ]

  private let description: OpenAPIDescription
  private let style: OpenAPISchemas.Style
  private let subject: String
  private(set) var notes: [ImportNote] = []
  /// What it refers to, each once.
  private(set) var references: [OpenAPINode] = []
  private var seen: Set<OpenAPINode.Identity> = []

  /// - Parameter subject: what the notes are about.
  init(
    _ description: OpenAPIDescription, _ style: OpenAPISchemas.Style, subject: String
  ) {
    self.description = description
    self.style = style
    self.subject = subject
  }

  mutating func write(_ node: OpenAPINode) throws(Failure) -> JSONText {
    try schema(node, depth: 0)
  }

  // MARK: - One schema

  /// - Parameter hidden: members that do not go this way, by a schema around this part of it.
  private mutating func schema(
    _ node: OpenAPINode, depth: Int, hiding hidden: Set<String> = []
  ) throws(Failure) -> JSONText {
    if let allowed = node.value.bool { return .bool(allowed) }
    guard node.value.kind == .object, depth < Self.depthMax else {
      let reason =
        node.value.kind == .object
        ? "its schema has more than \(Self.depthMax) levels"
        : "a schema is \(node.value.summary), not an object"
      notes.append(node.note(.widened, subject, because: reason))
      return .bool(true)
    }
    if let reference = node["$ref"] {
      let referred = try self.reference(reference, in: node)
      guard description.version == .v31 else {
        return referred.map { ["$ref": $0] } ?? .bool(true)
      }
      return .object([("$ref", referred)] + (try keywords(of: node, depth: depth, hiding: hidden)))
    }
    let members = try keywords(of: node, depth: depth, hiding: hidden)
    guard description.version == .v30, node["nullable"]?.value.bool == true else {
      return .object(members)
    }
    return nullable(members)
  }

  /// `nullable` of 3.0: null is one more type.
  private func nullable(_ members: [(key: String, value: JSONText?)]) -> JSONText {
    let null: JSONText = ["type": "null"]
    guard let place = members.firstIndex(where: { $0.key == "type" }),
      let type = members[place].value?.root?.string,
      !members.contains(where: { ["allOf", "anyOf", "oneOf"].contains($0.key) })
    else {
      return members.isEmpty
        ? .emptyObject : ["anyOf": [.object(members), null]]
    }
    var members = members
    members[place].value = .strings([type, "null"])
    if let place = members.firstIndex(where: { $0.key == "enum" }),
      let values = members[place].value?.root, !values.elements.contains(where: \.isNull)
    {
      members[place].value = .array(values.elements.map { .value($0) } + [.null])
    }
    return .object(members)
  }

  private mutating func keywords(
    of node: OpenAPINode, depth: Int, hiding inherited: Set<String>
  ) throws(Failure) -> [(key: String, value: JSONText?)] {
    var members: [(key: String, value: JSONText?)] = []
    var seen: Set<String> = []
    let hidden = inherited.union(try hiddenNames(of: node))
    for (key, value) in node.members where seen.insert(key).inserted && key != "$ref" {
      if Self.dropped.contains(key) || style.isTerse && ["title", "description"].contains(key) {
        continue
      }
      guard let keyword = Keyword.named(key) else { continue }
      members.append((key, try self.value(of: keyword, value, hiding: hidden, depth: depth)))
    }
    for key in [Keyword.time, .date].map(\.rawValue) {
      if let value = node.value[key] { members.append((key, .value(value))) }
    }
    if let example = node["example"]?.value, node["examples"] == nil {
      members.append(("examples", .array([.value(example)])))
    }
    if let kind = try discriminator(of: node) { members.append(("x-discriminator", kind)) }
    if description.version == .v30 { Self.boundExclusively(&members, node) }
    return members.filter { $0.value != nil }
  }

  private mutating func value(
    of keyword: Keyword, _ node: OpenAPINode, hiding hidden: Set<String>, depth: Int
  ) throws(Failure) -> JSONText? {
    let value = node.value
    switch keyword.holds {
    case .oneSchema:
      return try schema(node, depth: depth + 1)
    case .schemas:
      var schemas: [JSONText] = []
      // Parts of the same value.
      let inherited = keyword == .prefixItems ? [] : hidden
      for element in node.elements {
        schemas.append(try schema(element, depth: depth + 1, hiding: inherited))
      }
      return value.kind == .array && !schemas.isEmpty ? .array(schemas) : wrong(node, keyword)
    case .namedSchemas:
      guard value.kind == .object else { return wrong(node, keyword) }
      var schemas: [(key: String, value: JSONText?)] = []
      var seen: Set<String> = []
      // All members are names here, even if they look like extensions.
      for member in value.members
      where !(keyword == .properties && hidden.contains(member.key))
        && seen.insert(member.key).inserted
      {
        let inner = OpenAPINode(value: member.value, document: node.document)
        schemas.append((member.key, try schema(inner, depth: depth + 1)))
      }
      return .object(schemas)
    case .namedSchemasOrLists: return nil
    case .noSchema: return plainValue(of: keyword, node, hiding: hidden)
    }
  }

  /// The value of a keyword that holds no schema.
  private mutating func plainValue(
    of keyword: Keyword, _ node: OpenAPINode, hiding hidden: Set<String>
  ) -> JSONText? {
    let value = node.value
    switch keyword {
    case .type:
      let names = value.kind == .array ? value.elements.map(\.string) : [value.string]
      let known = names.compactMap { $0 }.filter(Self.types.contains)
      guard known.count == names.count, !known.isEmpty else { return wrong(node, keyword) }
    case .required:
      let names = value.elements.compactMap(\.string)
      guard value.kind == .array, names.count == value.count else { return wrong(node, keyword) }
      var seen = hidden
      return .strings(names.filter { seen.insert($0).inserted })
    case .enum:
      guard value.kind == .array, value.count > 0 else { return wrong(node, keyword) }
      var seen: Set<CanonicalValue> = []
      return .array(
        value.elements.prefix(10_000).filter { seen.insert(CanonicalValue($0)).inserted }
          .map { .value($0) })
    case .pattern:
      guard let text = value.string, (try? Pattern(text)) == nil else { break }
      if let rewritten = try? JavaPattern(text).text, (try? Pattern(rewritten)) != nil {
        return .string(rewritten)
      }
      notes.append(
        node.note(.widened, subject, because: "its pattern \(text.quotedAndCut) is not supported"))
      return nil
    case .format:
      guard let name = value.string, Format.isKnown(name) else { return nil }
    case .examples:
      if value.kind != .array { return nil }
    default: break
    }
    return .value(value)
  }

  private mutating func wrong(_ node: OpenAPINode, _ keyword: Keyword) -> JSONText? {
    notes.append(
      node.note(
        .widened, subject,
        because: "found \(node.value.summary) for \"\(keyword.rawValue)\" in a schema"))
    return nil
  }

  /// The members that do not go this way, by the schema or a part of it.
  private func hiddenNames(of node: OpenAPINode, depth: Int = 0) throws(Failure) -> Set<String> {
    let key = OpenAPISchemas.Part(
      identity: node.identity, direction: style.direction, depth: depth)
    if let known = description.schemas.hiddenNames[key] { return known }
    let names = try findHiddenNames(of: node, depth: depth)
    description.schemas.hiddenNames[key] = names
    return names
  }

  private func findHiddenNames(of node: OpenAPINode, depth: Int) throws(Failure) -> Set<String> {
    var names: Set<String> = []
    for (key, property) in node["properties"]?.entries ?? [] {
      guard case .success(let target) = try description.resolved(property) else { continue }
      let mark = style.direction.hiddenKey
      if property.value[mark]?.bool ?? target.value[mark]?.bool ?? false { names.insert(key) }
    }
    guard depth < Self.partsDepthMax else { return names }
    var seen: Set<OpenAPINode.Identity> = []
    for written in node["allOf"]?.elements ?? [] {
      guard case .success(let part) = try description.resolved(written),
        seen.insert(part.identity).inserted
      else { continue }
      names.formUnion(try hiddenNames(of: part, depth: depth + 1))
    }
    return names
  }

  /// In 3.0, `exclusiveMinimum: true` says how to read `minimum`.
  private static func boundExclusively(
    _ members: inout [(key: String, value: JSONText?)], _ node: OpenAPINode
  ) {
    for (bound, exclusive) in [
      ("minimum", "exclusiveMinimum"), ("maximum", "exclusiveMaximum"),
    ] {
      guard let flag = node.value[exclusive]?.bool else { continue }
      members.removeAll { $0.key == exclusive || flag && $0.key == bound }
      if flag, let value = node.value[bound] { members.append((exclusive, .value(value))) }
    }
  }

  // MARK: - References

  private mutating func reference(
    _ reference: OpenAPINode, in node: OpenAPINode
  ) throws(Failure) -> JSONText? {
    guard let text = reference.value.string else {
      throw reference.document.unexpected(
        reference.value, at: "$ref", expected: "the address of a schema", fix: nil)
    }
    // A reference to a reference must end somewhere.
    if case .failure(let missing) = try description.resolved(node) {
      notes.append(reference.note(.widened, subject, because: missing.reason))
      return nil
    }
    guard case .success(let target) = try description.target(of: text, at: reference) else {
      return nil
    }
    if seen.insert(target.identity).inserted { references.append(target) }
    return .string("#/$defs/\(description.schemas.name(of: target))")
  }

  private mutating func discriminator(of node: OpenAPINode) throws(Failure) -> JSONText? {
    guard let discriminator = node["discriminator"],
      let property = discriminator.text("propertyName")
    else { return nil }
    let mapping = (discriminator.value["mapping"] ?? .null).members.compactMap {
      member -> (key: String, value: JSONText?)? in
      guard let target = member.value.string else { return nil }
      let name = String(
        target[(target.lastIndex(of: "/").map(target.index(after:)) ?? target.startIndex)...])
      return (member.key, .string("#/$defs/\(name)"))
    }
    return ["propertyName": .string(property), "mapping": mapping.isEmpty ? nil : .object(mapping)]
  }
}

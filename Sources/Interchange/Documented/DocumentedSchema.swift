package import UnderstudyCore
package import UnderstudyJSON
package import UnderstudySchema

/// A schema of a document, and the places of the document that describe the values of a body.
package struct DocumentedSchema {
  /// The schema alone, as draft 2020-12.
  package struct Rule: Sendable {
    package let root: JSONValue
    package let schema: Schema
  }

  private static let partsMax = 200

  package let rule: Rule
  private let node: OpenAPINode
  private let description: OpenAPIDescription

  init(_ schema: OpenAPISchema, at node: OpenAPINode, in description: OpenAPIDescription) {
    rule = Rule(root: schema.root, schema: schema.compiled)
    self.node = node
    self.description = description
  }

  /// The place that describes a value of a body, or the nearest around it.
  package func place(of pointer: JSONPointer) -> Place {
    var nodes = [node]
    var place = node.place
    for token in pointer.tokens {
      let parts = parts(of: nodes)
      nodes = parts.compactMap { Self.inner($0, at: token) }
      guard let first = nodes.first else { return parts.first(where: \.isOwn)?.place ?? place }
      place = first.place
    }
    return place
  }

  private static func inner(_ schema: OpenAPINode, at token: String) -> OpenAPINode? {
    if let named = schema["properties"]?[token] { return named }
    if let index = Int(token), index >= 0 {
      if let slots = schema["prefixItems"]?.elements, index < slots.count { return slots[index] }
      if let items = schema["items"] { return items }
    }
    return schema["additionalProperties"].flatMap { $0.value.kind == .object ? $0 : nil }
  }

  /// These schemas, those that they refer to, and their alternatives.
  private func parts(of nodes: [OpenAPINode]) -> [OpenAPINode] {
    var parts: [OpenAPINode] = []
    var seen: Set<OpenAPINode.Identity> = []
    var rest = nodes
    var next = 0
    while next < rest.count, parts.count < Self.partsMax {
      let node = rest[next]
      next += 1
      guard seen.insert(node.identity).inserted else { continue }
      parts.append(node)
      if node["$ref"] != nil, case .success(let target)? = try? description.resolved(node) {
        rest.append(target)
      }
      for key in ["allOf", "anyOf", "oneOf"] { rest += node[key]?.elements ?? [] }
    }
    return parts
  }
}

extension OpenAPINode {
  /// Whether it says something itself.
  fileprivate var isOwn: Bool { self["$ref"] == nil }
}

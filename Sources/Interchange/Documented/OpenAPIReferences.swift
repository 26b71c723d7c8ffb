import UnderstudyCore
import UnderstudyJSON

/// Whether all references of a description lead somewhere.
///
/// An import leaves out what it cannot follow; a comparison would then report as missing what the
/// document has.
enum OpenAPIReferences {
  /// What stands under these is data, which may look like a reference.
  private static let data: Set = ["example", "examples", "default", "enum", "const"]

  /// The keys in these are names.
  private static let maps: Set = [
    "$defs", "callbacks", "content", "definitions", "dependentSchemas", "encoding", "headers",
    "links", "mapping", "parameters", "pathItems", "paths", "patternProperties", "properties",
    "requestBodies", "responses", "schemas", "securitySchemes", "variables", "webhooks",
  ]

  static func check(_ description: OpenAPIDescription) throws(Failure) {
    var documents = [description.root]
    var seen: Set = [description.root.document.file]
    while let root = documents.popLast() {
      var values = [(value: root.value, isMap: false)]
      while let (value, isMap) = values.popLast() {
        values += value.elements.map { ($0, false) }
        for member in value.members.reversed() {
          let isReference = member.key == "$ref" && member.value.kind == .string
          guard isReference, let text = member.value.string else {
            let isData = data.contains(member.key) || member.key.hasPrefix("x-")
            if isMap || !isData {
              values.append((member.value, !isMap && maps.contains(member.key)))
            }
            continue
          }
          let node = OpenAPINode(value: member.value, document: root.document)
          switch try description.target(of: text, at: node) {
          case .success(let target):
            guard seen.insert(target.document.file).inserted else { continue }
            documents.append(OpenAPINode(value: target.document.root, document: target.document))
          case .failure(let missing):
            throw Failure(
              at: node.place, message: "this reference cannot be followed: \(missing.reason)",
              fix: "write what it means into the document, or into a file beside it")
          }
        }
      }
    }
  }
}

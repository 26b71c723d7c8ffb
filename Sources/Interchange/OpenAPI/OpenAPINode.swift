import UnderstudyCore
import UnderstudyJSON

/// A value of an OpenAPI document, with the file it is written in.
struct OpenAPINode {
  let value: JSONValue
  let document: ForeignDocument

  /// `nil` also where the value is not an object.
  subscript(_ key: String) -> OpenAPINode? { value[key].map(at) }

  var elements: [OpenAPINode] { value.elements.map(at) }

  /// The members without extensions (`x-…`).
  var members: [(key: String, node: OpenAPINode)] {
    entries.filter { !$0.key.hasPrefix("x-") }
  }

  /// All members of an object whose keys are names, which may begin with `x-`.
  var entries: [(key: String, node: OpenAPINode)] {
    value.members.map { ($0.key, at($0.value)) }
  }

  func text(_ key: String) -> String? { value[key]?.string }

  var place: Place { document.place(of: value) }

  var pointer: String { value.pointer.description }

  /// The place in its file, which is equal however the node was reached.
  var identity: Identity { Identity(file: document.file, offset: value.byteRange.lowerBound) }

  struct Identity: Hashable {
    let file: String
    let offset: Int
  }

  private func at(_ value: JSONValue) -> OpenAPINode {
    OpenAPINode(value: value, document: document)
  }

  func note(_ kind: ImportNote.Kind, _ subject: String, because reason: String) -> ImportNote {
    ImportNote(kind, subject, at: place, pointer, because: reason)
  }
}

package import UnderstudyCore
package import UnderstudyJSON

/// A place in a schema: the document and where in it.
package struct SchemaPlace: Hashable, Sendable {
  /// The URI the document was found by; empty for the schema that was passed in.
  package let document: String
  package let pointer: JSONPointer
  package let position: SourcePosition

  init(of value: JSONValue, in document: String) {
    self.document = document
    pointer = value.pointer
    position = value.position
  }
}

/// An error in a schema, or a keyword that has no effect.
package struct SchemaProblem: Hashable, Sendable {
  package let place: SchemaPlace
  /// One sentence without a full stop: `found string "3" as "maxLength", expected …`.
  package let message: String
  /// What to do about it, as an instruction.
  package let fix: String?
}

extension SchemaProblem: CustomStringConvertible {
  package var description: String {
    let place =
      place.document.isEmpty ? "\(place.position)" : "\(place.document):\(place.position)"
    return "\(place): \(message)" + (fix.map { "\n  fix: \($0)" } ?? "")
  }
}

/// All errors in a schema, in source order; never empty.
package struct SchemaError: Error, Hashable, Sendable, CustomStringConvertible {
  package let problems: [SchemaProblem]

  package var description: String {
    problems.map(\.description).joined(separator: "\n")
  }
}

/// A failure of a schema at one value of an instance.
package struct SchemaComplaint: Hashable, Sendable {
  package let instancePointer: JSONPointer
  package let instancePosition: SourcePosition
  /// The place of the keyword in the schema, whatever references led there.
  package let schemaPlace: SchemaPlace
  package let keyword: String
  /// One sentence without a full stop: `found string "7", expected integer`.
  package let message: String

  package var schemaPointer: JSONPointer { schemaPlace.pointer }
}

extension SchemaComplaint: CustomStringConvertible {
  package var description: String { "\(instancePosition): \(message)" }
}

package import UnderstudyCore

package import UnderstudyJSON

/// What a schema has against one value of an instance.
package struct SchemaComplaint: Hashable, Sendable {
  package let instancePointer: JSONPointer
  package let instancePosition: SourcePosition
  /// Where in the schema the keyword stands, whatever references led there.
  package let schemaPlace: SchemaPlace
  package let keyword: String
  /// One sentence without a full stop: `found string "7", expected integer`.
  package let message: String

  package var schemaPointer: JSONPointer { schemaPlace.pointer }
}

extension SchemaComplaint: CustomStringConvertible {
  package var description: String { "\(instancePosition): \(message)" }
}

package import UnderstudyCore

package import UnderstudyJSON

/// A place in a schema: the document and where in it.
package struct SchemaPlace: Hashable, Sendable {
  /// The URI the document was found by; empty for the schema that was handed in.
  package let document: String
  package let pointer: JSONPointer
  package let position: SourcePosition

  init(of value: JSONValue, in document: String) {
    self.document = document
    pointer = value.pointer
    position = value.position
  }
}

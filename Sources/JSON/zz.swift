package struct JSONEditError: Error {}
extension JSONDocument {
  package func setting(_ pointer: JSONPointer, to json: String) throws(JSONEditError) -> JSONDocument { self }
  package func removing(_ pointer: JSONPointer) throws(JSONEditError) -> JSONDocument { self }
}

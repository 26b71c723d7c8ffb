package import Consumers
import ContractModel
package import JSON

extension ContractUpdate {
  /// Lets a contract expect another value of a consumer, by the smallest edit.
  ///
  /// - Parameter expected: where it stands in the file as it is after the update.
  package mutating func expect(
    _ value: JSONValue, insteadOf expected: JSONValue, in path: String
  ) {
    edit(path) { document throws(JSONEditError) in try document.changing(expected, to: value) }
  }

  /// Lets a contract expect an error of a consumer.
  package mutating func expect(
    _ error: ConsumerError, insteadOf expected: JSONValue, in path: String
  ) {
    guard let expectation = expected.pointer.parent else { return }
    let json = error.payload.map { "{ \(error.name.quoted): \($0) }" } ?? error.name.quoted
    edit(path) { document throws(JSONEditError) in
      try document.setting(expectation.appending("error"), to: json).removing(expected.pointer)
    }
  }

  /// Lets a contract expect nothing of a consumer.
  package mutating func expectNothing(insteadOf expected: JSONValue, in path: String) {
    guard let expectation = expected.pointer.parent else { return }
    edit(path) { document throws(JSONEditError) in try document.removing(expectation) }
  }

  private mutating func edit(
    _ path: String, _ change: (JSONDocument) throws(JSONEditError) -> JSONDocument
  ) {
    guard let index = files.firstIndex(where: { $0.path == path }),
      let document = try? JSONDocument(parsing: files[index].bytes),
      let edited = try? change(document)
    else { return }
    files[index].bytes = edited.bytes
  }
}

extension JSONDocument {
  /// `old` is a value at the same place of a document with the same value there.
  fileprivate func changing(
    _ old: JSONValue, to new: JSONValue
  ) throws(JSONEditError) -> JSONDocument {
    var document = self
    var removed: [JSONPointer] = []
    for change in old.changes(to: new) {
      let pointer = JSONPointer(old.pointer.tokens + change.pointer.tokens)
      guard let value = change.new else {
        removed.append(pointer)
        continue
      }
      let isElement = pointer.parent.flatMap(document.root.value(at:))?.kind == .array
      document =
        change.kind == .added && isElement
        ? try document.inserting(value.lineText, at: pointer)
        : try document.setting(pointer, to: value.lineText)
    }
    // From the end, since what follows an element moves up.
    for pointer in removed.reversed() { document = try document.removing(pointer) }
    return document
  }
}

package import UnderstudyConsumers
package import UnderstudyContractModel
import UnderstudyDrafting
package import UnderstudyJSON

extension ContractUpdate {
  /// Changes the value a contract expects of a consumer, with the smallest edit.
  ///
  /// - Parameter expected: its place in the updated file.
  package mutating func expect(
    _ value: JSONValue, insteadOf expected: JSONValue, in contract: Contract
  ) {
    edit(contract) { document throws(JSONEditError) in
      try document.changing(expected.pointer, to: value)
    }
  }

  /// Makes a contract expect an error of a consumer.
  package mutating func expect(
    _ error: ConsumerError, insteadOf expected: JSONValue, in contract: Contract
  ) {
    guard let expectation = expected.pointer.parent else { return }
    let json = error.payload.map { "{ \(error.name.quoted): \($0) }" } ?? error.name.quoted
    edit(contract) { document throws(JSONEditError) in
      try document.setting(expectation.appending("error"), to: json).removing(expected.pointer)
    }
  }

  /// Removes a contract's expectation of a consumer.
  package mutating func drop(_ expectation: Expectation, of contract: Contract) {
    edit(contract) { document throws(JSONEditError) in
      try document.removing(expectation.source.pointer)
    }
  }

  private mutating func edit(
    _ contract: Contract, _ change: (JSONDocument) throws(JSONEditError) -> JSONDocument
  ) {
    let bytes = files.first { $0.path == contract.file }?.bytes
    guard let document = try? JSONDocument(parsing: bytes ?? contract.source.document.bytes),
      let edited = try? change(document)
    else { return }
    set(edited.bytes, of: contract)
  }
}

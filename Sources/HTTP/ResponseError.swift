/// Why a response is not written, or one that was read is none.
package enum ResponseError: Error, Hashable, Sendable {
  case bufferFull
  case statusInvalid(Int)
  case reasonInvalid(String)
  case nameInvalid(String)
  case valueInvalid(name: String)
  /// What was received, with the offset in bytes.
  case malformed(String, offset: Int)
}

extension ResponseError: CustomStringConvertible {
  package var description: String {
    switch self {
    case .bufferFull: "the response does not fit into its buffer"
    case .statusInvalid(let status): "found the status \(status), expected one from 100 to 999"
    case .reasonInvalid(let reason):
      "the reason \(reason.debugDescription) has a character that would end its line"
    case .nameInvalid(let name):
      "\(name.debugDescription) has a character that is not allowed in the name of a field"
    case .valueInvalid(let name):
      "the value of \(name) has a character that is not allowed in a field"
    case .malformed(let complaint, let offset): "at offset \(offset): \(complaint)"
    }
  }
}

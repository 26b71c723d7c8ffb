/// Why received bytes are not a valid response.
package enum ResponseError: Error, Hashable, Sendable {
  /// What was received, with the offset in bytes.
  case malformed(String, offset: Int)
}

extension ResponseError: CustomStringConvertible {
  package var description: String {
    switch self {
    case .malformed(let complaint, let offset): "at offset \(offset): \(complaint)"
    }
  }
}

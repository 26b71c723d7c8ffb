/// Why an edit cannot be made.
package struct JSONEditError: Error, Hashable, Sendable {
  /// Why the edit is impossible, for callers that try another one.
  package enum Kind: String, Hashable, Sendable, CaseIterable {
    /// There is no value at the pointer, or no container for it.
    case missing
    /// The new text is not JSON, or the edited text breaks a limit.
    case notJSON
    /// The edit is not possible there: inserting into an object, removing the root.
    case unsuitable
  }

  package let kind: Kind
  package let pointer: JSONPointer
  /// One sentence without a full stop.
  package let message: String

  init(_ kind: Kind, at pointer: JSONPointer, _ message: String) {
    self.kind = kind
    self.pointer = pointer
    self.message = message
  }

  init(_ error: JSONError, at pointer: JSONPointer) {
    self.init(.notJSON, at: pointer, "the new text at \(error.position): \(error.message)")
  }

  static var rootRemoval: JSONEditError {
    JSONEditError(.unsuitable, at: JSONPointer(), "a document must have a value")
  }

  static func nothingToRemove(at pointer: JSONPointer) -> JSONEditError {
    JSONEditError(.missing, at: pointer, "there is no such value")
  }

  static func noContainer(of pointer: JSONPointer) -> JSONEditError {
    JSONEditError(
      .missing, at: pointer, "there is no \(pointer.parent ?? pointer) to hold it")
  }

  static func noPlace(in summary: String, at pointer: JSONPointer) -> JSONEditError {
    JSONEditError(.missing, at: pointer, "\(summary) has no such place")
  }
}

extension JSONEditError: CustomStringConvertible {
  package var description: String {
    "cannot edit \(pointer.tokens.isEmpty ? "the root" : pointer.description): \(message)"
  }
}

package import UnderstudyCore

/// Something in a document that a contract cannot say, or says differently.
package struct ImportNote: Hashable, Sendable {
  /// How the contracts differ from the document: people decide by it which notes matter.
  package enum Kind: String, Sendable, CaseIterable {
    /// The contract lacks it, although the document has it.
    case leftOut
    /// The contract responds to more requests than the document says.
    case widened
    /// The contract responds to fewer requests than the document says.
    case narrowed
    /// The options exclude it, or it is of a kind that is never imported.
    case skipped
    /// The contract has a mark in place of a secret.
    case masked
  }

  package let kind: Kind
  package let place: Place
  /// Where it is in the document, as a JSON Pointer.
  package let pointer: String
  /// What it concerns, without secrets: `GET https://api.example.com/users`.
  package let subject: String
  /// Why, without a full stop; the same for all of a kind: `its response is not JSON`.
  package let reason: String

  package init(
    _ kind: Kind, _ subject: String, at place: Place, _ pointer: String, because reason: String
  ) {
    self.kind = kind
    self.place = place
    self.pointer = pointer
    self.subject = subject
    self.reason = reason
  }
}

import UnderstudyCore
import UnderstudyDrafting
import UnderstudyFindings
import UnderstudyInterchange

/// A case, and the responses that a document allows in its place.
struct DocumentedCase: Sendable {
  struct Sample: Sendable {
    let response: LiveResponse
    let differences: [Difference]
  }

  let liveCase: PlannedCase
  /// Of its response in the document, or of the operation.
  let place: Place
  /// One, and those that show further differences; none where the document has no response.
  let responses: [Sample]
  /// Whether it is a failure for which the document has no response.
  let isUndocumented: Bool
  /// What the document does not allow in the example.
  let breaches: [Difference]
  /// Those that do not depend on readers.
  var findings: [Finding]
  /// For the request of the contract, once a contract.
  var rules: RequestRules?

  init(_ liveCase: PlannedCase, in operation: DocumentedOperation) throws(Failure) {
    let comparison = try DocumentComparison(liveCase, with: operation)
    self.liveCase = liveCase
    place = comparison.place
    responses = comparison.responses
    breaches = comparison.breaches
    isUndocumented = comparison.isUndocumented
    findings = comparison.missing.map { [$0] } ?? []
  }
}

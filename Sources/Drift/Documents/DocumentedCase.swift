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
  /// The place of its response in the document, or else of the operation.
  let place: Place
  /// A first response, and one more for each further difference; empty where the document has none.
  let responses: [Sample]
  /// Whether it is a failure for which the document has no response.
  let isUndocumented: Bool
  /// What the document does not allow in the example.
  let breaches: [Difference]
  /// The findings that do not depend on who reads the response.
  var findings: [Finding]
  /// The rules for the request; only the first good case of a contract has them.
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

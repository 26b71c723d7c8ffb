import UnderstudyConsumers
import UnderstudyContractModel
import UnderstudyFindings
import UnderstudyJSON

/// The finding on a consumer's outcome for a mutant; `nil` when it is permitted.
struct MutantComparison {
  let type: FindingType
  let message: String

  init(_ type: FindingType, _ message: String) { (self.type, self.message) = (type, message) }

  /// - Parameter errorNames: the errors the consumer declares.
  init?(
    _ outcome: ConsumerOutcome, of mutant: Mutant, expected: JSONValue, errorNames: [String]
  ) {
    let demand = "expected \(mutant.demand.words)"
    switch outcome {
    case .undeclared(let words):
      (type, message) = (.outcome, "found an error without a name: \(words), \(demand)")
    case .unreadable(let reason):
      (type, message) = (.value, "found a value that is not valid JSON: \(reason), \(demand)")
    case .ended, .notStarted:
      (type, message) = (.outcome, "found the end of a command, \(demand)")
    case .error(let error):
      guard errorNames.contains(error.name) else {
        type = .outcome
        message = "the error \(error.name) is not declared in consumers.json, \(demand)"
        return
      }
      guard mutant.demand == .sameValue else { return nil }
      (type, message) = (.outcome, "found the error \(error.name), \(demand)")
    case .value(let value):
      let isSame = value.isEqual(to: expected)
      guard mutant.demand != .any, mutant.demand == .error || !isSame else { return nil }
      type = .mutantSurvived
      message = "found \(isSame ? "the same" : "another") value, \(demand)"
    }
  }
}

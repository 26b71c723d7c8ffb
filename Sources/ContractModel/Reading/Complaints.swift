import UnderstudyCore
package import UnderstudyFindings
import UnderstudyJSON
import UnderstudySchema

/// Collects what is wrong with one file.
///
/// One reader owns it while the file is read; it never leaves its thread.
final class Complaints {
  let file: String
  /// What the schemas of the whole run may take together.
  let allowance: StepAllowance?
  private(set) var findings: [Finding] = []
  private(set) var saysExhausted = false

  init(file: String, allowance: StepAllowance? = nil) {
    self.file = file
    self.allowance = allowance
  }

  /// Complains, once a file, that nobody knows what schemas would say; false when that is known.
  func addIfExhausted(at value: JSONValue?) -> Bool {
    guard let allowance, allowance.isExhausted else { return false }
    guard !saysExhausted else { return true }
    saysExhausted = true
    add(
      .schemaMismatch, at: value?.position,
      "the schemas took more than \(allowance.stepsMax) steps in this run, so nothing more is"
        + " checked against them",
      fix: "simplify schemas in which \"$ref\", \"allOf\" and the like multiply")
    return true
  }

  func add(_ rule: FindingType, at value: JSONValue, _ message: String, fix: String? = nil) {
    add(rule, at: value.position, message, fix: fix)
  }

  /// Complains about a member's key rather than its value.
  func add(_ rule: FindingType, atKeyOf member: JSONMember, _ message: String, fix: String? = nil) {
    add(rule, at: member.keyPosition, message, fix: fix)
  }

  func add(
    _ rule: FindingType, at position: SourcePosition?, _ message: String, fix: String? = nil
  ) {
    findings.append(
      Finding(rule.lintSeverity, rule, message, at: Place(file, position), fix: fix))
  }
}

/// What is wrong with a contract, or part of one, that is not read from a file.
package struct ContractError: Error, Hashable, Sendable, CustomStringConvertible {
  package let findings: [Finding]

  package var description: String { findings.map { "\($0)" }.joined(separator: "\n") }
}

import UnderstudyCore
package import UnderstudyFindings
import UnderstudyJSON
import UnderstudySchema

/// Collects the problems of one file.
///
/// Owned by one reader while the file is read; it never leaves its thread.
final class Complaints {
  let file: String
  /// What the files of the run share.
  let run: LoadingRun?
  private(set) var findings: [Finding] = []
  private(set) var saysExhausted = false

  init(file: String, run: LoadingRun? = nil) {
    self.file = file
    self.run = run
  }

  /// Reports, once per file, that the schema limit is exceeded; returns whether it is.
  func addIfExhausted(at value: JSONValue?) -> Bool {
    guard let allowance = run?.allowance, allowance.isExhausted else { return false }
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

  /// Adds a complaint about a member's key rather than its value.
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

/// The problems of a contract, or part of one, that does not come from a file.
package struct ContractError: Error, Hashable, Sendable, CustomStringConvertible {
  package let findings: [Finding]

  package var description: String { findings.map { "\($0)" }.joined(separator: "\n") }
}

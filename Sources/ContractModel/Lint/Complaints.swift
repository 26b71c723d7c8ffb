import Diagnostics
import JSON

/// Collects what is wrong with one file.
///
/// One reader owns it while the file is read; it never leaves its thread.
final class Complaints {
  let file: String
  private(set) var diagnostics: [Diagnostic] = []

  init(file: String) {
    self.file = file
  }

  func add(_ rule: LintRule, at value: JSONValue, _ message: String, fix: String? = nil) {
    add(rule, at: value.position, message, fix: fix)
  }

  /// Complains about a member's key rather than its value.
  func add(_ rule: LintRule, atKeyOf member: JSONMember, _ message: String, fix: String? = nil) {
    add(rule, at: member.keyPosition, message, fix: fix)
  }

  func add(
    _ rule: LintRule, at position: SourcePosition?, _ message: String, fix: String? = nil
  ) {
    diagnostics.append(
      Diagnostic(
        rule.severity, rule.rawValue, file: file, at: position, SecretScan.masked(message),
        fix: fix.map(SecretScan.masked)))
  }
}

/// One complaint about one place: what was found there, what was expected, and how to mend it.
package struct Diagnostic: Hashable, Sendable {
  package enum Severity: String, Hashable, Comparable, Sendable, CaseIterable {
    case error
    case warning

    /// Errors come before warnings.
    package static func < (left: Self, right: Self) -> Bool {
      left == .error && right == .warning
    }
  }

  package let severity: Severity
  /// The rule's name in kebab case, by which a contract can waive it: `no-404-case`.
  package let rule: String
  package let file: String
  /// `nil` when the whole file is meant, such as one that cannot be read.
  package let position: SourcePosition?
  /// One sentence without a full stop: `found string "200", expected integer`.
  package let message: String
  /// What to do about it, as an instruction.
  package let fix: String?

  package init(
    _ severity: Severity, _ rule: String, file: String, at position: SourcePosition?,
    _ message: String, fix: String? = nil
  ) {
    self.severity = severity
    self.rule = rule
    self.file = file
    self.position = position
    self.message = message
    self.fix = fix
  }
}

extension Diagnostic: CustomStringConvertible {
  /// The form compilers use, so that editors and CI systems can jump to the place.
  package var description: String {
    let place = position.map { "\(file):\($0)" } ?? file
    let complaint = "\(place): \(severity.rawValue): \(message) [\(rule)]"
    return fix.map { "\(complaint)\n  fix: \($0)" } ?? complaint
  }
}

extension Diagnostic: Comparable {
  /// By file, then by place, then errors first.
  package static func < (left: Self, right: Self) -> Bool {
    if left.file != right.file { return left.file < right.file }
    if left.position != right.position {
      guard let leftPosition = left.position else { return true }
      guard let rightPosition = right.position else { return false }
      return leftPosition < rightPosition
    }
    if left.severity != right.severity { return left.severity < right.severity }
    return (left.rule, left.message) < (right.rule, right.message)
  }
}

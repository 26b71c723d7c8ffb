package import JSON

/// One thing that is not as it should be.
package struct Finding: Hashable, Sendable {
  package enum Severity: String, Hashable, Comparable, Sendable, CaseIterable {
    case error = "ERR"
    case warning = "WARN"
    case info = "INFO"

    /// The worst comes first.
    package static func < (left: Self, right: Self) -> Bool { left.rank < right.rank }

    private var rank: Int {
      switch self {
      case .error: 0
      case .warning: 1
      case .info: 2
      }
    }
  }

  package let severity: Severity
  package let type: FindingType
  /// One sentence without a full stop: `found status 500, expected 404`.
  package let message: String
  /// The line of the contract that says otherwise, where there is one.
  package let place: Place?
  /// The value in the body that it is about.
  package let path: JSONPointer?
  /// What was expected beside what was found, as lines of a unified diff.
  package let diff: [String]
  /// What to do about it, as an instruction.
  package let fix: String?

  package init(
    _ severity: Severity, _ type: FindingType, _ message: String, at place: Place? = nil,
    path: JSONPointer? = nil, diff: [String] = [], fix: String? = nil
  ) {
    self.severity = severity
    self.type = type
    self.message = message
    self.place = place
    self.path = path
    self.diff = diff
    self.fix = fix
  }
}

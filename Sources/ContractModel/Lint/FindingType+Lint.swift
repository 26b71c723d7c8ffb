package import UnderstudyFindings

extension FindingType {
  /// How severe a violation is. Warnings mark something probably missing or unnecessary; they stop
  /// no command.
  package var lintSeverity: Finding.Severity {
    switch self {
    case .noContract, .no404Case, .noMalformedCase, .noSlowCase, .noBrokenCase, .noEmptyCase,
      .unsetState, .unusedWaiver:
      .warning
    default: .error
    }
  }

  /// An unused waiver is removed rather than waived, and without a contract there is no place for
  /// one.
  var isWaivable: Bool {
    lintSeverity == .warning && self != .unusedWaiver && self != .noContract
  }
}

package import UnderstudyFindings

extension FindingType {
  /// How severe a violation is. Warnings mark something probably missing or unnecessary; they stop
  /// no command.
  package var lintSeverity: Finding.Severity {
    switch self {
    case .no404Case, .noMalformedCase, .noSlowCase, .noBrokenCase, .noEmptyCase, .unsetState,
      .unusedWaiver:
      .warning
    default: .error
    }
  }

  /// An unused waiver is removed rather than waived.
  var isWaivable: Bool { lintSeverity == .warning && self != .unusedWaiver }
}

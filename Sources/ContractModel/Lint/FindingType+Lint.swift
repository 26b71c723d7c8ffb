package import UnderstudyFindings

extension FindingType {
  /// How bad it is that a contract breaks this rule. Warnings say that something is probably missing,
  /// or is not needed; they stop no command.
  package var lintSeverity: Finding.Severity {
    switch self {
    case .no404Case, .noMalformedCase, .noSlowCase, .noBrokenCase, .noEmptyCase, .unsetState,
      .unusedWaiver:
      .warning
    default: .error
    }
  }

  /// A waiver that nothing needs is removed rather than waived.
  var isWaivable: Bool { lintSeverity == .warning && self != .unusedWaiver }
}

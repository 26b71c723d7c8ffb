package import UnderstudyCore

/// Everything lint can complain about; the raw value is the name shown and waived.
package enum LintRule: String, Sendable, CaseIterable {
  case invalidJSON = "invalid-json"
  case duplicateKey = "duplicate-key"
  case unknownKey = "unknown-key"
  case missingKey = "missing-key"
  case conflictingKeys = "conflicting-keys"
  case wrongType = "wrong-type"
  case badValue = "bad-value"
  case badName = "bad-name"
  case badPath = "bad-path"
  case badPattern = "bad-pattern"
  case badSchema = "bad-schema"
  case badTemplate = "bad-template"
  case delayUnit = "delay-unit"
  case unreadableFile = "unreadable-file"
  case unexpectedFile = "unexpected-file"
  case secret = "secret"
  case unknownCase = "unknown-case"
  case unknownEndpoint = "unknown-endpoint"
  case unknownParameter = "unknown-parameter"
  case unknownFault = "unknown-fault"
  case unknownConsumer = "unknown-consumer"
  case unknownError = "unknown-error"
  case unknownArgument = "unknown-argument"
  case unknownRule = "unknown-rule"
  case circularLike = "circular-like"
  case schemaMismatch = "schema-mismatch"
  case notMalformed = "not-malformed"
  case ambiguous
  case unreachable
  case notLive = "not-live"
  case no404Case = "no-404-case"
  case noMalformedCase = "no-malformed-case"
  case noSlowCase = "no-slow-case"
  case noBrokenCase = "no-broken-case"
  case noEmptyCase = "no-empty-case"
  case unsetState = "unset-state"
  case unusedWaiver = "unused-waiver"

  /// Warnings say that something is probably missing, or is not needed; they stop no command.
  package var severity: Diagnostic.Severity {
    switch self {
    case .no404Case, .noMalformedCase, .noSlowCase, .noBrokenCase, .noEmptyCase, .unsetState,
      .unusedWaiver:
      .warning
    default: .error
    }
  }

  /// A waiver that nothing needs is removed rather than waived.
  var isWaivable: Bool { severity == .warning && self != .unusedWaiver }
}

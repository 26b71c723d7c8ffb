package import UnderstudyJSON

/// What one consumer must make of one case.
package struct Expectation: Sendable {
  package enum Outcome: Sendable {
    case value(JSONValue)
    case error(name: String, payload: JSONValue?)
    /// Of a command.
    case exit(code: Int, stdout: TextCondition?, stderr: TextCondition?)
  }

  package let consumer: String
  package let arguments: JSONValue?
  package let timeout: Duration?
  package let outcome: Outcome
  package let transport: TransportFailure?
  /// The curl codes that may stand behind the failure; they differ by version.
  package let curlCodes: [Int]
  package let requestCount: Int
  package let companions: [CompanionCase]
  /// Of a good answer; what else is damaged must end in an error.
  package let tolerances: [Tolerance]
  package let source: JSONValue
}

/// The case in force meanwhile on another endpoint that the consumer asks.
package struct CompanionCase: Sendable {
  /// As it is written: `github/repo`, or `repo` of the same upstream.
  package let name: String
  package let caseName: String
}

/// What went wrong beneath a failed request.
package enum TransportFailure: String, Sendable, CaseIterable {
  case cannotResolve, cannotConnect, timedOut, reset, emptyReply, truncated, badEncoding, tooLarge
  case tls, malformedResponse, cancelled
}

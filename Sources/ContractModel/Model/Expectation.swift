package import UnderstudyJSON

/// The outcome one consumer must have in one case.
package final class Expectation: Sendable {
  /// How the call of the consumer must end.
  package enum Outcome: Sendable {
    case value(JSONValue)
    case error(name: String, payload: JSONValue?)
    /// For a command.
    case exit(code: Int, stdout: TextCondition?, stderr: TextCondition?)
  }

  package let consumer: String
  package let arguments: JSONValue?
  package let timeout: Duration?
  package let outcome: Outcome
  package let transport: TransportFailure?
  /// The curl codes that may cause the failure; they differ by version.
  package let curlCodes: [Int]
  package let requestCount: Int
  package let companions: [CompanionCase]
  /// For a good response; any other mutation must end in an error.
  package let tolerances: [Tolerance]
  package let source: JSONValue

  init(
    consumer: String, arguments: JSONValue?, timeout: Duration?, outcome: Outcome,
    transport: TransportFailure?, curlCodes: [Int], requestCount: Int, companions: [CompanionCase],
    tolerances: [Tolerance], source: JSONValue
  ) {
    self.consumer = consumer
    self.arguments = arguments
    self.timeout = timeout
    self.outcome = outcome
    self.transport = transport
    self.curlCodes = curlCodes
    self.requestCount = requestCount
    self.companions = companions
    self.tolerances = tolerances
    self.source = source
  }
}

/// The case that another endpoint serves meanwhile.
package struct CompanionCase: Sendable {
  /// As written: `github/repo`, or `repo` of the same upstream.
  package let name: String
  package let caseName: String
}

/// The underlying cause of a failed request.
package enum TransportFailure: String, Sendable, CaseIterable {
  case cannotResolve, cannotConnect, timedOut, reset, emptyReply, truncated, badEncoding, tooLarge
  case tls, malformedResponse, cancelled
}

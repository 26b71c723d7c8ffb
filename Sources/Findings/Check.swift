package import UnderstudyCore
import UnderstudySecrets

/// One case of one contract, checked with one consumer, or against the live API alone.
package struct Check: Hashable, Sendable {
  /// What a check is of. It is the same in every run, so that history and later runs find it again.
  package struct Identity: Hashable, Sendable {
    /// `dog-ceo/random-images`.
    package let contract: String
    package let caseName: String
    /// `nil` when only the response was checked, without a consumer.
    package let consumer: String?

    package init(_ contract: String, _ caseName: String, consumer: String?) {
      self.contract = contract
      self.caseName = caseName
      self.consumer = consumer
    }

    /// `dog-ceo/random-images#not-found`, as the command line takes it.
    package var caseID: String { "\(contract)#\(caseName)" }

    /// `dog-ceo`
    package var upstream: String { String(contract.prefix { $0 != "/" }) }
  }

  /// Why an upstream could not be checked, if known.
  package enum Cause: String, Hashable, Sendable {
    /// It does not respond, or returns server errors.
    case away
    /// It denied access, without a secret or with the one given.
    case refused
    /// Its rate limit, or ours, was reached.
    case limited
    /// It responded, but a second request to confirm the response was not possible.
    case unconfirmed
  }

  package let identity: Identity
  /// Where the case starts in its contract.
  package let place: Place
  package let result: CheckResult
  /// Why it was not checked; `nil` when it was.
  package let reason: String?
  package let cause: Cause?
  /// The worst first.
  package let findings: [Finding]
  package let duration: Duration
  /// How many attempts the result took.
  package let attemptCount: Int

  init(
    _ identity: Identity, at place: Place, _ result: CheckResult, because reason: String?,
    cause: Cause? = nil, _ findings: [Finding], _ duration: Duration, _ attemptCount: Int
  ) {
    self.identity = identity
    self.place = place
    self.result = result
    self.reason = reason.map { SecretMask.standard.masked($0) }
    self.cause = cause
    self.findings = findings.bySeverity
    self.duration = duration
    self.attemptCount = attemptCount
  }

  /// Passes when no finding is as severe as `failsOn`: the findings alone decide, so that no
  /// finding can hide behind a pass.
  package static func checked(
    _ identity: Identity, at place: Place, findings: [Finding] = [],
    failsOn severity: Finding.Severity = .error, duration: Duration = .zero, attemptCount: Int = 1
  ) -> Self {
    let isFailure = findings.contains { $0.severity <= severity }
    return Self(
      identity, at: place, isFailure ? .fail : .pass, because: nil, findings, duration,
      attemptCount)
  }

  /// This check with other findings, if it was checked.
  package func with(findings: [Finding], failsOn severity: Finding.Severity) -> Self {
    guard result == .pass || result == .fail else { return self }
    return .checked(
      identity, at: place, findings: findings, failsOn: severity, duration: duration,
      attemptCount: attemptCount)
  }

  /// This check with all texts that may come from outside transformed.
  package func mapText(_ transform: (String) -> String) -> Self {
    Self(
      identity, at: place, result, because: reason.map(transform), cause: cause,
      findings.map {
        $0.with(
          message: transform($0.message), diff: $0.diff.map(transform), fix: $0.fix.map(transform))
      }, duration, attemptCount)
  }

  package static func couldNotCheck(
    _ identity: Identity, at place: Place, because reason: String, _ cause: Cause? = nil,
    duration: Duration = .zero, attemptCount: Int = 1
  ) -> Self {
    Self(
      identity, at: place, .couldNotCheck, because: reason, cause: cause, [], duration, attemptCount
    )
  }

  package static func notExercised(
    _ identity: Identity, at place: Place, because reason: String
  ) -> Self {
    Self(identity, at: place, .notExercised, because: reason, [], .zero, 0)
  }
}

extension Check.Identity: CustomStringConvertible {
  /// `dog-ceo/random-images#not-found, images.random`
  package var description: String { consumer.map { "\(caseID), \($0)" } ?? caseID }
}

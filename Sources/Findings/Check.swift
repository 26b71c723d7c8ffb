package import UnderstudyCore
import UnderstudySecrets

/// One case of one contract held against one consumer, or against the live API by itself.
package struct Check: Hashable, Sendable {
  package struct Identity: Hashable, Sendable {
    /// `dog-ceo/random-images`.
    package let contract: String
    package let caseName: String
    /// `nil` when the answer was checked and nobody who reads it.
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

  /// Why an upstream could not be judged, where that is known of it.
  package enum Cause: String, Hashable, Sendable {
    /// It does not answer, or is out of order.
    case away
    /// It lets nobody in without a secret, or with that one.
    case refused
    /// It was asked as often as its limit allows, or ours.
    case limited
    /// It has answered, and could not be asked again whether it answers so.
    case unconfirmed
  }

  package let identity: Identity
  /// Where the case begins in its contract.
  package let place: Place
  package let verdict: Verdict
  /// Why it was not judged; `nil` when it was.
  package let reason: String?
  package let cause: Cause?
  /// The worst first.
  package let findings: [Finding]
  package let duration: Duration
  /// How often it was tried to come to the verdict.
  package let attemptCount: Int

  init(
    _ identity: Identity, at place: Place, _ verdict: Verdict, because reason: String?,
    cause: Cause? = nil, _ findings: [Finding], _ duration: Duration, _ attemptCount: Int
  ) {
    self.identity = identity
    self.place = place
    self.verdict = verdict
    self.reason = reason.map { SecretMask.standard.masked($0) }
    self.cause = cause
    self.findings = findings.bySeverity
    self.duration = duration
    self.attemptCount = attemptCount
  }

  /// Passes when no finding is as bad as `failsOn`: the findings alone decide, so that none can be
  /// left behind a green light.
  package static func judged(
    _ identity: Identity, at place: Place, findings: [Finding] = [],
    failsOn severity: Finding.Severity = .error, duration: Duration = .zero, attemptCount: Int = 1
  ) -> Self {
    let isFailure = findings.contains { $0.severity <= severity }
    return Self(
      identity, at: place, isFailure ? .fail : .pass, because: nil, findings, duration,
      attemptCount)
  }

  /// The same with other findings, if it was judged.
  package func with(findings: [Finding], failsOn severity: Finding.Severity) -> Self {
    guard verdict == .pass || verdict == .fail else { return self }
    return .judged(
      identity, at: place, findings: findings, failsOn: severity, duration: duration,
      attemptCount: attemptCount)
  }

  /// The same in other words, wherever words may come from outside.
  package func mapText(_ transform: (String) -> String) -> Self {
    Self(
      identity, at: place, verdict, because: reason.map(transform), cause: cause,
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

import UnderstudyClient
import UnderstudyConsumers
import UnderstudyContractModel
import UnderstudyFakeServer
import UnderstudyFindings
import UnderstudyJSON
import UnderstudySecrets

/// The outcome of serving a check once.
struct Attempt: Sendable {
  /// `nil` when there was none in time.
  let outcome: ConsumerOutcome?
  /// The differences between outcome and requests and the contract; empty when there are none.
  let findings: [Finding]
  /// Why the findings may be the machine's fault rather than the consumer's.
  let doubt: Doubt?
  let duration: Duration

  struct Doubt: Sendable {
    let reason: String
    /// Whether it remains when the check ran alone: a service that then still hangs or gives up,
    /// although the fake responded, has failed.
    let isLasting: Bool
  }

  /// - Parameters:
  ///   - limit: the time limit of the outcome.
  ///   - journal: of this check alone.
  ///   - refused: blocked requests to other places.
  ///   - brokenHandshakeCount: how many TLS handshakes the case has broken.
  init(
    _ check: PlannedCheck, _ outcome: ConsumerOutcome?, journal: [JournalEntry], refused: [String],
    brokenHandshakeCount: Int = 0, index: RequestIndex, duration: Duration, limit: Duration
  ) {
    self.outcome = outcome
    self.duration = duration
    let differences =
      outcome.map {
        OutcomeComparison($0, against: check.expectation, in: check.contract.file).findings
      }
      ?? [Self.hang(of: check, limit)]
    findings =
      differences
      + RequestComparison(
        check, journal, refused: refused, brokenHandshakeCount: brokenHandshakeCount,
        hasEnded: outcome != nil, index
      ).findings + Self.findings(onCallbacksOf: journal, index)
    doubt =
      findings.isEmpty
      ? nil : Self.doubt(check, outcome, journal, isRefused: !refused.isEmpty)
  }

  /// What is wrong with the responses to callbacks, each at the callback in its contract.
  private static func findings(
    onCallbacksOf journal: [JournalEntry], _ index: RequestIndex
  ) -> [Finding] {
    journal.flatMap { entry in
      entry.callbacks.compactMap { attempt in
        let masked = attempt.masked(by: .standard)
        return masked.complaint.map { complaint in
          Finding(
            .error, .callback, complaint.message,
            at: entry.served.flatMap { index.upstreams.place(ofCallback: attempt.name, of: $0) },
            fix: complaint.fix)
        }
      }
    }
  }

  private static func hang(of check: PlannedCheck, _ limit: Duration) -> Finding {
    Finding(
      .error, .hang, "no outcome within \(limit.words)",
      at: check.expectationPlace)
  }

  /// Whether the fake has a response under way that it has never sent before in this check: a
  /// consumer may also request the same again and again.
  private static func isWaiting(_ journal: [JournalEntry]) -> Bool {
    journal.contains { entry in
      entry.outcome == .underWay
        && !journal.contains {
          $0.outcome == .responded && $0.contract == entry.contract && $0.caseName == entry.caseName
        }
    }
  }

  private static func doubt(
    _ check: PlannedCheck, _ outcome: ConsumerOutcome?, _ journal: [JournalEntry], isRefused: Bool
  ) -> Doubt? {
    if let late = journal.first(where: \.isLate) {
      return Doubt(
        reason: "the machine extended a delay of \(late.delayConfigured.words) to"
          + " \(late.delayActual.words)",
        isLasting: true)
    }
    guard let outcome else {
      // If the client is expected to time out, its response is held back.
      return Doubt(
        reason: "the fake had not responded within the time limit",
        isLasting: !check.expectsTimeout && isWaiting(journal))
    }
    if case .notStarted(let reason) = outcome { return Doubt(reason: reason, isLasting: true) }
    guard case .error(let error) = outcome, let failure = error.transport else { return nil }
    switch failure.kind {
    case .timedOut: return Doubt(reason: "a request timed out", isLasting: false)
    case .failed, .cannotStore, .cannotConnect:
      guard !isRefused else { return nil }
      return Doubt(reason: "the fake was not reached: \(failure)", isLasting: true)
    default: return nil
    }
  }

  /// The check; `isAlone` when nothing else ran at the time.
  func result(isAlone: Bool) -> CheckResult {
    if findings.isEmpty { return .pass }
    guard let doubt else { return .fail }
    return isAlone && !doubt.isLasting ? .fail : .couldNotCheck
  }
}

extension JournalEntry {
  /// Whether its response was so late that a client may have reacted differently.
  fileprivate var isLate: Bool {
    record.delayConfigured > .zero
      && record.delayActual > record.delayConfigured
        + max(.milliseconds(100), record.delayConfigured / 4)
  }
}

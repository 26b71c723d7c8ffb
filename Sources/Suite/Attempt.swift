import UnderstudyClient
import UnderstudyConsumers
import UnderstudyContractModel
import UnderstudyFakeServer
import UnderstudyFindings
import UnderstudyJSON

/// What came of playing a check once.
struct Attempt: Sendable {
  /// `nil` when there was none in time.
  let outcome: ConsumerOutcome?
  /// How the outcome and the requests differ from what the contract says; empty when they do not.
  let findings: [Finding]
  /// Why the findings may be the machine's fault rather than the consumer's.
  let doubt: Doubt?
  let duration: Duration

  struct Doubt: Sendable {
    let reason: String
    /// Whether it stays one when the check had the machine for itself: a service that then still
    /// hangs or gives up, although the fake did its part, has failed.
    let isLasting: Bool
  }

  /// - Parameters:
  ///   - limit: within which there had to be an outcome.
  ///   - journal: of this check alone.
  ///   - refused: requests that were to go elsewhere.
  init(
    _ check: PlannedCheck, _ outcome: ConsumerOutcome?, journal: [JournalEntry], refused: [String],
    index: RequestIndex, duration: Duration, limit: Duration
  ) {
    self.outcome = outcome
    self.duration = duration
    let differences =
      outcome.map { Judgement($0, against: check.expectation, in: check.contract.file).findings }
      ?? [Self.hang(of: check, limit)]
    findings =
      differences
      + RequestJudgement(check, journal, refused: refused, index).findings
    doubt =
      findings.isEmpty
      ? nil : Self.doubt(check, outcome, journal, isRefused: !refused.isEmpty)
  }

  private static func hang(of check: PlannedCheck, _ limit: Duration) -> Finding {
    Finding(
      .error, .hang, "found no outcome within \(limit.words)",
      at: check.expectationPlace)
  }

  private static func doubt(
    _ check: PlannedCheck, _ outcome: ConsumerOutcome?, _ journal: [JournalEntry], isRefused: Bool
  ) -> Doubt? {
    if let late = journal.first(where: \.isLate) {
      return Doubt(
        reason: "the machine made a delay of \(late.delayAsked.words) one of"
          + " \(late.delayGiven.words)",
        isLasting: true)
    }
    guard let outcome else {
      // Where the client is to give up, its answer is kept back.
      return Doubt(
        reason: "the fake had not answered when the time was over",
        isLasting: !check.expectsTimeout && journal.contains { $0.outcome == .underWay })
    }
    guard case .error(let error) = outcome, let failure = error.transport else { return nil }
    switch failure.kind {
    case .timedOut: return Doubt(reason: "a request timed out", isLasting: false)
    case .failed, .cannotStore, .cannotConnect:
      guard !isRefused else { return nil }
      return Doubt(reason: "the fake was not reached: \(failure)", isLasting: true)
    default: return nil
    }
  }

  /// What can be said; `isAlone` when nothing else was run at the time.
  func verdict(isAlone: Bool) -> Verdict {
    if findings.isEmpty { return .pass }
    guard let doubt else { return .fail }
    return isAlone && !doubt.isLasting ? .fail : .couldNotCheck
  }
}

extension JournalEntry {
  /// Whether its answer came so much later than asked that a client may have judged it otherwise.
  fileprivate var isLate: Bool {
    delayAsked > .zero && delayGiven > delayAsked + max(.milliseconds(100), delayAsked / 4)
  }
}

import UnderstudyConsumers
import UnderstudyContractModel
import UnderstudyCore
import UnderstudyDrafting
import UnderstudyFindings

/// The judgement on all attempts at a live case.
struct ProbeJudgement {
  /// Why there are no more attempts.
  enum Ending {
    /// There is no doubt, or the limit is reached.
    case complete
    case impossible(String)
    case cut
  }

  private static let cutShort = "the run was interrupted before the request was repeated"

  let probe: PlannedProbe
  /// At least one, in order.
  private(set) var attempts: [ProbeAttempt]
  /// The differences of each attempt's answer by itself; empty if there was none to judge.
  private var seen: [[Finding]] = []
  /// In seconds since 1970.
  private let now: Moment
  private let failsOn: Finding.Severity

  init(
    of attempt: ProbeAttempt, for probe: PlannedProbe, _ now: Moment,
    _ configuration: DriftConfiguration
  ) {
    self.probe = probe
    self.now = now
    failsOn = configuration.failsOn
    attempts = [attempt]
    seen = [findings(of: attempts)]
  }

  /// Adds the attempts of another judgement of the same case.
  mutating func add(_ other: ProbeJudgement) {
    attempts += other.attempts
    seen += other.seen
  }

  /// Whether a finding needs a further answer to confirm or refute it.
  var isInDoubt: Bool {
    attempts.contains { $0.readings.contains(where: \.isBroken) } || firstChange != nil
  }

  /// Whether to try again, given the number of answers wanted: the last only in doubt, and none if
  /// the API cannot be reached.
  func wantsMore(than sampleCount: Int) -> Bool {
    guard attempts.count < sampleCount else { return false }
    return isInDoubt || attempts.count < sampleCount - 1 && attempts.last?.judged != nil
  }

  /// The first answer that shows a change, or else the first.
  var answer: LiveAnswer? { attempts[firstChange ?? 0].answer }

  private var firstChange: Int? { seen.firstIndex(where: \.hasChange) }

  func checks(_ ending: Ending) -> [Check] {
    [answerCheck(ending)] + probe.readers.indices.map { consumerCheck($0, ending) }
  }

  private func answerCheck(_ ending: Ending) -> Check {
    let latency = attempts[0].answer?.ownLatency ?? .zero
    func open(_ reason: String, _ cause: Check.Cause?, attempts: Int = 1) -> Check {
      .couldNotCheck(
        probe.identity, at: probe.place, because: reason, cause, duration: latency,
        attemptCount: attempts)
    }
    if attempts[0].judged == nil {
      let inconclusive = attempts[0].inconclusive ?? Inconclusive("there was no answer")
      return open(inconclusive.reason, inconclusive.cause)
    }
    let answered = attempts.filter { $0.judged != nil }
    let findings = attempts.count == 1 ? seen[0] : findings(of: answered)
    // Nothing can confirm or refute the one that shows a change.
    if findings.hasChange, answered.count == 1 {
      switch ending {
      case .impossible(let reason): return open(reason + findings.seenOnce, .unconfirmed)
      case .cut: return open(Self.cutShort + findings.seenOnce, nil)
      case .complete where attempts.count > 1:
        let reason = attempts.last?.inconclusive?.reason ?? "there was no answer"
        return open(
          "repeated request: \(reason)" + findings.seenOnce, .unconfirmed, attempts: attempts.count)
      case .complete: break
      }
    }
    return .judged(
      probe.identity, at: probe.place, findings: findings, failsOn: failsOn, duration: latency,
      attemptCount: seen.contains(where: \.hasChange) ? attempts.count : 1)
  }

  /// The combined differences of several answers, each for the consumers that received it.
  private func findings(of attempts: [ProbeAttempt]) -> [Finding] {
    let strangers = probe.strangers.map {
      Reader($0.name, paths: nil, headers: nil, isContent: true)
    }
    let samples = attempts.compactMap { attempt in
      attempt.judged.map { answer in
        Comparison.Sample(
          answer,
          readers: zip(probe.readers, attempt.readings).map { reader, reading in
            Reader(
              reader.consumer.name, paths: reading.paths, headers: reading.headers,
              isContent: !reading.isBroken)
          } + strangers)
      }
    }
    guard !samples.isEmpty else { return [] }
    let redirects = attempts.compactMap { $0.judged == nil ? nil : $0.redirect }
    return Comparison(samples, to: probe.played, of: probe.contract, now: now).findings
      + redirects.prefix(1)
  }

  private func consumerCheck(_ place: Int, _ ending: Ending) -> Check {
    let reader = probe.readers[place]
    let identity = probe.identity(of: reader)
    let readings = attempts.map { $0.readings[place] }
    let duration = readings[0].exchanges.compactMap { $0.answer?.ownLatency }.max() ?? .zero
    func open(_ reason: String, _ cause: Check.Cause?, attempts: Int = 1) -> Check {
      .couldNotCheck(
        identity, at: probe.place(of: reader), because: reason, cause, duration: duration,
        attemptCount: attempts)
    }
    let judged = readings.filter { $0.isContent || $0.isBroken }
    guard !judged.isEmpty else {
      return open(
        readings[0].inconclusive?.reason ?? "there was no answer", readings[0].inconclusive?.cause)
    }
    let broken = judged.filter(\.isBroken)
    let findings = (broken.first?.findings ?? []).map {
      $0.seen(Finding.Frequency(broken.count, of: judged.count))
    }
    if !broken.isEmpty, judged.count == 1 {
      switch ending {
      case .impossible(let reason): return open(reason + findings.seenOnce, .unconfirmed)
      case .cut: return open(Self.cutShort + findings.seenOnce, nil)
      case .complete where attempts.count > 1:
        let reason = readings.compactMap(\.inconclusive?.reason).last ?? "there was no answer"
        return open(
          "repeated request: \(reason)" + findings.seenOnce, .unconfirmed, attempts: attempts.count)
      case .complete: break
      }
    }
    return .judged(
      identity, at: probe.place(of: reader), findings: findings, failsOn: failsOn,
      duration: duration, attemptCount: broken.isEmpty ? 1 : attempts.count)
  }
}

extension ProbeAttempt {
  /// The answer, if it can be judged.
  var judged: LiveAnswer? { inconclusive == nil ? answer : nil }
}

extension ProbeAttempt.ConsumerResult {
  /// Whether the consumer's result for the live answer matches the contract.
  var isContent: Bool { outcome != nil && findings.isEmpty }
  var isBroken: Bool { !isContent && inconclusive == nil }
}

extension Finding {
  /// The same, marked as intermittent.
  fileprivate func seen(_ frequency: Frequency?) -> Finding {
    guard let frequency else { return self }
    return Finding(
      severity, type, "\(message) (intermittent: \(frequency))", at: place, path: path,
      header: header, diff: diff, fix: fix, frequency: frequency)
  }
}

extension [Finding] {
  /// Whether any of them is more than an addition.
  fileprivate var hasChange: Bool { contains { !$0.type.isAddition } }

  /// The unconfirmed change: `; seen once: STATUS: found status 410, expected 200, and 2 more`
  fileprivate var seenOnce: String {
    let changes = filter { !$0.type.isAddition }
    guard let worst = changes.min(by: { $0.severity < $1.severity }) else { return "" }
    let path = worst.spot.map { " at \($0)" } ?? ""
    let others = changes.count > 1 ? ", and \(changes.count - 1) more" : ""
    return "; seen once: \(worst.type.rawValue)\(path): \(worst.message)\(others)"
  }
}

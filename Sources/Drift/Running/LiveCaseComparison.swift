import UnderstudyContractModel
import UnderstudyCore
import UnderstudyDrafting
import UnderstudyFindings
import UnderstudySecrets

/// All attempts at a live case, and the checks on them: of the response, and of each consumer.
struct LiveCaseComparison {
  /// Why there are no more attempts.
  enum Ending {
    /// There is no doubt, or the limit is reached.
    case complete
    case impossible(String)
    case cut
  }

  private static let cutShort = "the run was interrupted before the request was repeated"

  let liveCase: PlannedCase
  /// The attempts in order, at least one.
  private(set) var attempts: [LiveCaseAttempt]
  /// The differences of each attempt's response, before its readers are known; empty if there was
  /// no response to check.
  private var found: [[Difference]]
  /// What is different in each attempt by itself.
  private var seen: [[Difference]] = []
  private let failsOn: Finding.Severity

  init(
    of attempt: LiveCaseAttempt, for liveCase: PlannedCase, _ now: Moment,
    _ configuration: DriftConfiguration
  ) {
    self.liveCase = liveCase
    failsOn = configuration.failsOn
    attempts = [attempt]
    let expectation = ExpectedResponse(of: liveCase.served, in: liveCase.contract, now: now)
    found = [
      attempt.undecodable.map { [expectation.difference(ofUndecodable: $0)] }
        ?? attempt.checked.map(expectation.differences(from:)) ?? []
    ]
    seen = [differences(of: attempts.indices)]
  }

  /// Adds the attempts of another check of the same case.
  mutating func add(_ other: LiveCaseComparison) {
    attempts += other.attempts
    found += other.found
    seen += other.seen
  }

  /// Cuts large bodies to the part that a capture keeps, if nothing else needs them: a body whose
  /// case has a file is not written into the contract.
  mutating func cutBodies(_ mask: SecretMask) {
    guard case .file = liveCase.served.response?.body else { return }
    // A response is in its attempt and in its exchange.
    var known: (whole: LiveResponse, cut: LiveResponse)?
    var headers: [ExactText: String] = [:]
    attempts = attempts.map { attempt in
      attempt.withResponses { response in
        guard response.isCutInCapture else { return response }
        if let known, known.whole == response { return known.cut }
        let kept = response.kept(mask, &headers)
        let cut = kept.cutFromByteCount == nil ? response : kept
        known = (response, cut)
        return cut
      }
    }
  }

  /// Whether a finding needs a further response to confirm or refute it.
  var isInDoubt: Bool {
    attempts.contains { $0.readings.contains(where: \.isBroken) } || firstChange != nil
  }

  /// Whether to try again, given the number of responses wanted: the last only in doubt, and none
  /// if the API cannot be reached.
  func wantsMore(than sampleCount: Int) -> Bool {
    guard attempts.count < sampleCount else { return false }
    return isInDoubt || attempts.count < sampleCount - 1 && attempts.last?.isChecked ?? false
  }

  /// The first response that shows a change, or else the first.
  var response: LiveResponse? { attempts[firstChange ?? 0].response }

  private var firstChange: Int? {
    seen.firstIndex { $0.contains { !$0.type.isAddition } }
  }

  /// What is different in all responses that can be checked.
  var differences: [Difference] {
    attempts.count == 1
      ? seen[0] : differences(of: attempts.indices.filter { attempts[$0].isChecked })
  }

  func checks(_ differences: [Difference], _ ending: Ending) -> [Check] {
    [responseCheck(differences, ending)]
      + liveCase.readers.indices.map { consumerCheck($0, ending) }
  }

  private func responseCheck(_ differences: [Difference], _ ending: Ending) -> Check {
    check(
      liveCase.identity, at: liveCase.place, differences.map { $0.finding(in: liveCase.contract) },
      isChecked: attempts[0].isChecked, count: attempts.count(where: \.isChecked),
      attempts.map(\.inconclusive), latency: attempts[0].response?.ownLatency,
      isInDoubt: firstChange != nil, ending)
  }

  private func consumerCheck(_ place: Int, _ ending: Ending) -> Check {
    let reader = liveCase.readers[place]
    let readings = attempts.map { $0.readings[place] }
    let count = readings.count { $0.isContent || $0.isBroken }
    let broken = readings.filter(\.isBroken)
    let findings = (broken.first?.findings ?? []).map {
      $0.seen(Finding.Frequency(broken.count, of: count))
    }
    return check(
      liveCase.identity(of: reader), at: liveCase.place(of: reader), findings, isChecked: count > 0,
      count: count, readings.map(\.inconclusive),
      latency: readings[0].exchanges.compactMap { $0.response?.ownLatency }.max(),
      isInDoubt: !broken.isEmpty, ending)
  }

  /// The check on the response, or on a consumer.
  ///
  /// - Parameters:
  ///   - count: of the attempts that show what to check.
  ///   - inconclusive: of each attempt.
  ///   - isInDoubt: whether it is why there were several attempts.
  private func check(
    _ identity: Check.Identity, at place: Place, _ findings: [Finding], isChecked: Bool, count: Int,
    _ inconclusive: [Inconclusive?], latency: Duration?, isInDoubt: Bool, _ ending: Ending
  ) -> Check {
    func open(_ reason: String, _ cause: Check.Cause?, attempts: Int = 1) -> Check {
      .couldNotCheck(
        identity, at: place, because: reason, cause, duration: latency ?? .zero,
        attemptCount: attempts)
    }
    guard isChecked else {
      return open(inconclusive[0]?.reason ?? "there was no response", inconclusive[0]?.cause)
    }
    // Nothing can confirm or refute the one that shows a change.
    if findings.hasChange, count == 1 {
      switch ending {
      case .impossible(let reason): return open(reason + findings.seenOnce, .unconfirmed)
      case .cut: return open(Self.cutShort + findings.seenOnce, nil)
      case .complete where attempts.count > 1:
        let reason = inconclusive.compactMap { $0?.reason }.last ?? "there was no response"
        return open(
          "repeated request: \(reason)" + findings.seenOnce, .unconfirmed, attempts: attempts.count)
      case .complete: break
      }
    }
    return .checked(
      identity, at: place, findings: findings, failsOn: failsOn, duration: latency ?? .zero,
      attemptCount: isInDoubt ? attempts.count : 1)
  }

  /// The combined differences of several responses, each for the consumers that received it.
  private func differences(of places: some Sequence<Int>) -> [Difference] {
    let checked = places.filter { attempts[$0].isChecked }
    guard !checked.isEmpty else { return [] }
    let samples = checked.map { place in
      (differences: found[place], readers: attempts[place].readers(of: liveCase))
    }
    return Comparison(samples, from: liveCase.contract).differences
      + checked.compactMap { attempts[$0].redirect }.prefix(1)
  }
}

extension Finding {
  /// This finding, marked as intermittent.
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

  /// The unconfirmed change: `; seen once: status: found status 410, expected 200, and 2 more`
  fileprivate var seenOnce: String {
    let changes = filter { !$0.type.isAddition }
    guard let worst = changes.min(by: { $0.severity < $1.severity }) else { return "" }
    let path = worst.spot.map { " at \($0)" } ?? ""
    let others = changes.count > 1 ? ", and \(changes.count - 1) more" : ""
    return "; seen once: \(worst.type.rawValue)\(path): \(worst.message)\(others)"
  }
}

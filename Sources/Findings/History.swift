package import UnderstudyCore

/// The results of live checks, run by run.
package struct History: Sendable {
  /// The oldest first.
  package let records: [HistoryRecord]
  /// What each run sent to each upstream, the oldest first.
  package let requests: [RequestRecord]
  private let cases: [String: CaseHistory]

  package init(_ records: [HistoryRecord] = [], requests: [RequestRecord] = []) {
    self.requests = requests.sorted { $0.at < $1.at }
    let isSorted = zip(records, records.dropFirst()).allSatisfy { $0.at <= $1.at }
    self.records = isSorted ? records : records.sorted { $0.at < $1.at }
    var cases: [String: CaseHistory] = [:]
    for record in self.records {
      cases[record.identity.caseID, default: CaseHistory()].append(record)
    }
    self.cases = cases
  }

  /// This history with the records of another run.
  package func appending(
    _ new: [HistoryRecord], requests newRequests: [RequestRecord] = []
  ) -> History {
    new.isEmpty && newRequests.isEmpty
      ? self : History(records + new, requests: requests + newRequests)
  }

  /// The sizes of the last runs, the latest first, of those among these that have any.
  package func sizes(of identities: Set<Check.Identity>, runCount: Int) -> [Check.Identity: [Int]] {
    var sizes: [Check.Identity: [Int]] = [:]
    for record in records.reversed() where identities.contains(record.identity) {
      guard let size = record.size, sizes[record.identity]?.count ?? 0 < runCount else { continue }
      sizes[record.identity, default: []].append(size)
    }
    return sizes
  }

  /// By the case's id, `dog-ceo/random-images#ok`.
  package subscript(caseID: String) -> CaseHistory { cases[caseID] ?? CaseHistory() }
}

/// The state of a live case compared with its contract.
package enum DriftState: String, Hashable, Sendable, CaseIterable {
  /// As in the contract.
  case well
  /// Different from the contract, but nothing breaks.
  case changed
  case drifting
  /// It could not be checked.
  case out
  case unasked

  package init(_ verdict: Verdict, _ findings: [Finding]) {
    self =
      switch verdict {
      case .pass: findings.contains { $0.severity <= .warning } ? .changed : .well
      case .fail: .drifting
      case .couldNotCheck: .out
      case .notExercised: .unasked
      }
  }

  /// The state of a case, from its checks with all consumers: the worst verdict counts.
  package init(of checks: [Check]) {
    let verdict = checks.map(\.verdict).max { $0.weight < $1.weight }
    self.init(verdict ?? .notExercised, checks.flatMap(\.findings))
  }

  /// Whether a run in this state says something about the answer.
  var isJudged: Bool { self == .well || self == .changed || self == .drifting }
}

/// The results of one case, run by run, over all consumers.
package struct CaseHistory: Hashable, Sendable {
  package struct Night: Hashable, Sendable {
    package let at: Moment
    fileprivate(set) package var verdict: Verdict
    /// Why it was not checked.
    fileprivate(set) package var reason: String?
    fileprivate(set) package var cause: Check.Cause?
    fileprivate(set) package var latency: Duration?
    fileprivate(set) package var notes: [Note]

    /// A finding, and the consumer in whose check it was found; `nil` for the answer's own.
    package struct Note: Hashable, Sendable {
      package let consumer: String?
      package let finding: Finding
    }

    package var findings: [Finding] { notes.map(\.finding) }

    package var state: DriftState { DriftState(verdict, findings) }

    /// Whether requests were left that could not be sent.
    fileprivate var isUnfinished: Bool {
      verdict == .couldNotCheck && (cause == .limited || cause == .unconfirmed)
    }

    /// Whether every break was seen in only some of the answers.
    fileprivate var isIntermittent: Bool {
      let errors = findings.filter { $0.severity == .error }
      return !errors.isEmpty && errors.allSatisfy { $0.frequency != nil }
    }
  }

  /// The oldest first.
  package private(set) var nights: [Night] = []

  /// The worst verdict of a run counts. Of several latencies the first counts: the answer's own
  /// record precedes those of consumers.
  fileprivate mutating func append(_ record: HistoryRecord) {
    let notes = record.findings.map {
      Night.Note(consumer: record.identity.consumer, finding: $0)
    }
    if let last = nights.last, last.at == record.at {
      let index = nights.count - 1
      if record.verdict.weight > last.verdict.weight {
        (nights[index].verdict, nights[index].reason) = (record.verdict, record.reason)
        nights[index].cause = record.cause
      }
      nights[index].latency = last.latency ?? record.latency
      nights[index].notes += notes
    } else {
      nights.append(
        Night(
          at: record.at, verdict: record.verdict, reason: record.reason, cause: record.cause,
          latency: record.latency, notes: notes))
    }
  }

  /// When its answer was last known.
  package var lastVerified: Moment? { nights.last { $0.state.isJudged }?.at }

  /// When it last had its turn: was verified, or could not be for a reason that another request
  /// would meet as well. A run that ran out of requests is no turn, but of two such runs in a row
  /// the last one is: a case that is always limited must not keep out others.
  package var lastTurn: Moment? {
    guard let last = nights.last else { return nil }
    let before = nights.dropLast().last
    return last.isUnfinished && !(before?.isUnfinished ?? false) ? before?.at : last.at
  }

  /// As of the last run that checked it.
  package var state: DriftState { nights.last { $0.state != .unasked }?.state ?? .unasked }

  /// When the current state began. Nights on which it could not be checked do not end a drift.
  package var since: Moment? { state == .unasked ? nil : beginning(of: state) }

  /// The last night on which it drifted, if it has not been checked since: a night on which it
  /// could not be checked does not end a drift.
  package var unendedDrift: Night? {
    nights.last { $0.state.isJudged }.flatMap { $0.state == .drifting ? $0 : nil }
  }

  /// How many nights without it end an intermittent break.
  package static let cleanNightCount = 3

  /// The last night with an intermittent break, if fewer than three clean nights have followed.
  package var openBreak: Night? {
    guard let place = nights.lastIndex(where: { $0.state == .drifting }),
      nights[place].isIntermittent
    else { return nil }
    let clean = Set(nights[place...].filter(\.state.isJudged).map(\.at.date))
      .subtracting([nights[place].at.date])
    return clean.count < Self.cleanNightCount ? nights[place] : nil
  }

  /// When the drift that has not ended began.
  package var driftingSince: Moment? {
    unendedDrift == nil ? openBreak?.at : beginning(of: .drifting)
  }

  private func beginning(of state: DriftState) -> Moment? {
    var beginning: Moment?
    for night in nights.reversed() {
      if night.state == state {
        beginning = night.at
      } else if night.state.isJudged {
        break
      }
    }
    return beginning
  }

  package var latencies: [Duration] { nights.compactMap(\.latency) }
}

extension Duration {
  /// In its largest unit, rounded down: `3 hours`, `2 days`.
  package var inLargestUnit: String {
    let seconds = Int(clamping: max(0, components.seconds))
    switch seconds {
    case ..<60: return seconds.of("second")
    case ..<3_600: return (seconds / 60).of("minute")
    case ..<86_400: return (seconds / 3_600).of("hour")
    default: return (seconds / 86_400).of("day")
    }
  }
}

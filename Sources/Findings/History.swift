package import UnderstudyCore

/// What live checks came to, run after run.
package struct History: Sendable {
  /// The oldest first.
  package let records: [HistoryRecord]
  private let cases: [String: CaseHistory]

  package init(_ records: [HistoryRecord] = []) {
    let isSorted = zip(records, records.dropFirst()).allSatisfy { $0.at <= $1.at }
    self.records = isSorted ? records : records.sorted { $0.at < $1.at }
    var cases: [String: CaseHistory] = [:]
    for record in self.records {
      cases[record.identity.caseID, default: CaseHistory()].append(record)
    }
    self.cases = cases
  }

  /// With what a further run came to.
  package func appending(_ new: [HistoryRecord]) -> History {
    new.isEmpty ? self : History(records + new)
  }

  /// By the case's id, `dog-ceo/random-images#ok`.
  package subscript(caseID: String) -> CaseHistory { cases[caseID] ?? CaseHistory() }
}

/// How a live case stands beside its contract.
package enum DriftState: String, Hashable, Sendable, CaseIterable {
  /// As the contract says.
  case well
  /// Otherwise than the contract says, and nothing is broken by it.
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

  /// Of a case, by what it came to with each of its readers: the worst verdict counts.
  package init(of checks: [Check]) {
    let verdict = checks.map(\.verdict).max { $0.weight < $1.weight }
    self.init(verdict ?? .notExercised, checks.flatMap(\.findings))
  }

  /// What a run that came to this says of the answer.
  var isJudged: Bool { self == .well || self == .changed || self == .drifting }
}

/// What one case came to, run after run, whoever reads its answer.
package struct CaseHistory: Hashable, Sendable {
  package struct Night: Hashable, Sendable {
    package let at: Moment
    fileprivate(set) package var verdict: Verdict
    /// Why it was not judged.
    fileprivate(set) package var reason: String?
    fileprivate(set) package var latency: Duration?
    fileprivate(set) package var findings: [Finding]

    package var state: DriftState { DriftState(verdict, findings) }

    /// Whether nothing broke but what only some answers showed.
    fileprivate var isIntermittent: Bool {
      let errors = findings.filter { $0.severity == .error }
      return !errors.isEmpty && errors.allSatisfy { $0.frequency != nil }
    }
  }

  /// The oldest first.
  package private(set) var nights: [Night] = []

  /// The worst verdict of a run counts, and of several latencies that of the first: the answer's own
  /// record comes before those of consumers.
  fileprivate mutating func append(_ record: HistoryRecord) {
    if let last = nights.last, last.at == record.at {
      let index = nights.count - 1
      if record.verdict.weight > last.verdict.weight {
        (nights[index].verdict, nights[index].reason) = (record.verdict, record.reason)
      }
      nights[index].latency = last.latency ?? record.latency
      nights[index].findings += record.findings
    } else {
      nights.append(
        Night(
          at: record.at, verdict: record.verdict, reason: record.reason, latency: record.latency,
          findings: record.findings))
    }
  }

  /// When it was last known how it answers.
  package var lastVerified: Moment? { nights.last { $0.state.isJudged }?.at }

  /// As of the last run that asked.
  package var state: DriftState { nights.last { $0.state != .unasked }?.state ?? .unasked }

  /// When the present state began. Nights on which it could not be checked do
  /// not end a drift.
  package var since: Moment? { state == .unasked ? nil : beginning(of: state) }

  /// The last night on which it drifted, when it has not been judged since: a night on which it could
  /// not be checked does not end a drift.
  package var unendedDrift: Night? {
    nights.last { $0.state.isJudged }.flatMap { $0.state == .drifting ? $0 : nil }
  }

  /// So many nights without it end a break that only some answers showed.
  package static let cleanNightCount = 3

  /// The last night on which only some answers broke something, when fewer than three nights have
  /// been clean since.
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

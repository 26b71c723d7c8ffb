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
  case passing
  /// Different from the contract, but nothing breaks.
  case changed
  case drifting
  /// It could not be checked.
  case unreachable
  case notRun = "not-run"

  package var words: String { self == .notRun ? "not run" : rawValue }

  package init(_ result: CheckResult, _ findings: [Finding]) {
    self =
      switch result {
      case .pass: findings.contains { $0.severity <= .warning } ? .changed : .passing
      case .fail: .drifting
      case .couldNotCheck: .unreachable
      case .notExercised: .notRun
      }
  }

  /// The state of a case, from its checks with all consumers: the worst result counts.
  package init(of checks: [Check]) {
    let result = checks.map(\.result).max { $0.weight < $1.weight }
    self.init(result ?? .notExercised, checks.flatMap(\.findings))
  }

  /// Whether a run in this state says something about the response.
  var isChecked: Bool { self == .passing || self == .changed || self == .drifting }
}

/// The results of one case, run by run, over all consumers.
package struct CaseHistory: Hashable, Sendable {
  /// The result of the case in one run; of several consumers the worst result counts.
  package struct Run: Hashable, Sendable {
    package let at: Moment
    fileprivate(set) package var result: CheckResult
    /// Why it was not checked.
    fileprivate(set) package var reason: String?
    fileprivate(set) package var cause: Check.Cause?
    fileprivate(set) package var latency: Duration?
    fileprivate(set) package var notes: [Note]
    /// Those with a record; `nil` is the response's own.
    fileprivate var consumers: Set<String?>

    /// A finding, and the consumer in whose check it was found; `nil` for the response's own.
    package struct Note: Hashable, Sendable {
      package let consumer: String?
      package let finding: Finding
    }

    package var findings: [Finding] { notes.map(\.finding) }

    package var state: DriftState { DriftState(result, findings) }

    /// Whether requests were left that could not be sent.
    fileprivate var isUnfinished: Bool {
      result == .couldNotCheck && (cause == .limited || cause == .unconfirmed)
    }

    /// Whether every break was seen in only some of the responses.
    fileprivate var isIntermittent: Bool {
      let errors = findings.filter { $0.severity == .error }
      return !errors.isEmpty && errors.allSatisfy { $0.frequency != nil }
    }
  }

  /// The oldest first.
  package private(set) var runs: [Run] = []

  /// The worst result of a run counts. Of several latencies the first counts: the response's own
  /// record precedes those of consumers.
  fileprivate mutating func append(_ record: HistoryRecord) {
    let notes = record.findings.map {
      Run.Note(consumer: record.identity.consumer, finding: $0)
    }
    // Two runs may begin within a second, but each has one record for each consumer.
    if let last = runs.last, last.at == record.at,
      !last.consumers.contains(record.identity.consumer)
    {
      let index = runs.count - 1
      if record.result.weight > last.result.weight {
        (runs[index].result, runs[index].reason) = (record.result, record.reason)
        runs[index].cause = record.cause
      }
      runs[index].latency = last.latency ?? record.latency
      runs[index].notes += notes
      runs[index].consumers.insert(record.identity.consumer)
    } else {
      runs.append(
        Run(
          at: record.at, result: record.result, reason: record.reason, cause: record.cause,
          latency: record.latency, notes: notes, consumers: [record.identity.consumer]))
    }
  }

  /// When its response was last known.
  package var lastChecked: Moment? { runs.last { $0.state.isChecked }?.at }

  /// When it last had its turn: was verified, or could not be for a reason that another request
  /// would meet as well. A run that ran out of requests is no turn, but of two such runs in a row
  /// the last one is: a case that is always limited must not keep out others.
  package var lastTurn: Moment? {
    guard let last = runs.last else { return nil }
    let before = runs.dropLast().last
    return last.isUnfinished && !(before?.isUnfinished ?? false) ? before?.at : last.at
  }

  /// As of the last run that checked it.
  package var state: DriftState { runs.last { $0.state != .notRun }?.state ?? .notRun }

  /// When the current state began. Runs on which it could not be checked do not end a drift.
  package var since: Moment? { state == .notRun ? nil : beginning(of: state) }

  /// The last run on which it drifted, if it has not been checked since: a run on which it
  /// could not be checked does not end a drift.
  package var unendedDrift: Run? {
    runs.last { $0.state.isChecked }.flatMap { $0.state == .drifting ? $0 : nil }
  }

  /// How many runs without it end an intermittent break.
  package static let cleanRunCount = 3

  /// The last run with an intermittent break, if fewer than three clean runs have followed.
  package var openBreak: Run? {
    guard let place = runs.lastIndex(where: { $0.state == .drifting }),
      runs[place].isIntermittent
    else { return nil }
    let clean = Set(runs[place...].filter(\.state.isChecked).map(\.at.date))
      .subtracting([runs[place].at.date])
    return clean.count < Self.cleanRunCount ? runs[place] : nil
  }

  /// When the drift that has not ended began.
  package var driftingSince: Moment? {
    unendedDrift == nil ? openBreak?.at : beginning(of: .drifting)
  }

  /// The run with which the case left the contract, and the last one before that was well; `nil`
  /// while it is as in the contract.
  package var turn: (firstBad: Run, lastGood: Run?)? {
    let state = unendedDrift == nil ? self.state : .drifting
    guard state != .passing else { return nil }
    let good: [DriftState] = state == .changed ? [.passing] : [.passing, .changed]
    let lastGood = runs.lastIndex { good.contains($0.state) }
    let start = lastGood.map { $0 + 1 } ?? 0
    let firstBad = runs[start...].first {
      state == .unreachable ? $0.state != .notRun : $0.state.isChecked
    }
    return firstBad.map { ($0, lastGood.map { runs[$0] }) }
  }

  private func beginning(of state: DriftState) -> Moment? {
    var beginning: Moment?
    for run in runs.reversed() {
      if run.state == state {
        beginning = run.at
      } else if run.state.isChecked {
        break
      }
    }
    return beginning
  }

  package var latencies: [Duration] { runs.compactMap(\.latency) }
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

package import UnderstudyFindings

/// Runs checks in worker processes, so that a service that crashes or hangs costs no other check.
///
/// One worker runs all checks, many at a time. When it is lost, each check that was running is
/// repeated in its own process, which shows the culprit, and another worker continues with the
/// rest.
///
/// The folder keeps a run alive while services crash or hang. Read this file, then `WorkerProcess`,
/// which starts this program once more and talks to it, and `CheckWorker`, which runs in there.
/// `WorkerLine` has the messages between the two, and `WorkerPipe` is the worker's side of them.
///
/// A check that has failed once stays failed. A lost worker is never taken for a passed check:
/// whatever it had begun is run again.
package struct SupervisedRun: Sendable {
  private let checks: [PlannedCheck]
  private let configuration: SuiteConfiguration
  private let program: WorkerProgram
  private let startupTime: Duration

  /// - Parameter program: creates a `CheckWorker` of these checks and runs its instructions.
  package init(
    of checks: [PlannedCheck], _ configuration: SuiteConfiguration, by program: WorkerProgram,
    startupTime: Duration = .seconds(120)
  ) {
    (self.checks, self.configuration) = (checks, configuration)
    (self.program, self.startupTime) = (program, startupTime)
  }

  /// The results of a run in worker processes, whichever of these were lost.
  package struct Results: Sendable {
    /// In the order of the plan.
    package let checks: [Check]
    /// Losses that no check causes alone.
    package let findings: [Finding]
  }

  private static let interrupted = "the run was interrupted"

  private struct State {
    var results: [Check?]
    var findings: [Finding] = []
    var progress: (_ doneCount: Int, _ failureCount: Int) -> Void
    private var doneCount = 0
    private(set) var failureCount = 0

    init(count: Int, _ progress: @escaping (Int, Int) -> Void) {
      results = Array(repeating: nil, count: count)
      self.progress = progress
    }

    /// A failure remains a failure.
    mutating func add(_ check: Check, at index: Int) {
      guard results[index]?.result != .fail else { return }
      if results[index] == nil { doneCount += 1 }
      results[index] = check
      if check.result == .fail { failureCount += 1 }
      progress(doneCount, failureCount)
    }
  }

  /// How a worker ended.
  private enum Ending {
    case finished
    /// `.crash` or `.hang`, a description, and the checks begun but not ended.
    case lost(FindingType, String, underWay: [Int])
    /// It did not start.
    case failed(String)
    case interrupted
  }

  /// The results of the checks. Blocks the thread. `progress` receives the numbers of checks done
  /// and failed.
  ///
  /// - Parameter interruption: a descriptor; once it is readable, the run ends with the results so
  ///   far.
  package func results(
    endedBy interruption: Int32 = -1,
    progress: @escaping (_ doneCount: Int, _ failureCount: Int) -> Void = { _, _ in }
  ) -> Results {
    var state = State(count: checks.count, progress)
    let reason = run(&state, interruption)
    let results = checks.indices.map { index in
      state.results[index] ?? unchecked(index, because: reason)
    }
    return Results(checks: results, findings: state.findings)
  }

  /// Why checks remain, if any; `nil` when `--fail-fast` ended the run.
  private func run(_ state: inout State, _ interruption: Int32) -> String? {
    var open = Array(checks.indices)
    while !open.isEmpty {
      let ending = run(open, areAlone: false, &state, interruption)
      open.removeAll { state.results[$0] != nil }
      let suspects: [Int]
      switch ending {
      // A thread of the worker may be busy with these forever.
      case .finished: suspects = open
      case .lost(_, _, let underWay): suspects = underWay
      case .failed(let reason): return reason
      case .interrupted: return Self.interrupted
      }
      open.removeAll(where: suspects.contains)
      for suspect in suspects {
        if configuration.stopsAtFailure, state.failureCount > 0 { return nil }
        guard runAlone(suspect, &state, interruption) else { return Self.interrupted }
      }
      let isExplained = suspects.contains { suspect in
        state.results[suspect]?.findings.contains { [.crash, .hang].contains($0.type) } ?? false
      }
      if case .lost(let type, let words, _) = ending, !isExplained {
        state.findings.append(.unexplained(type, words, suspectCount: suspects.count))
      }
      if configuration.stopsAtFailure, state.failureCount > 0 { return nil }
    }
    return nil
  }

  /// Runs a check in its own process, unless the run was interrupted.
  private func runAlone(_ suspect: Int, _ state: inout State, _ interruption: Int32) -> Bool {
    switch run([suspect], areAlone: true, &state, interruption) {
    case .finished where state.results[suspect] == nil:
      state.add(unchecked(suspect, because: "its worker process skipped it"), at: suspect)
    case .finished: break
    case .lost(let type, let words, _): state.add(loss(of: suspect, type, words), at: suspect)
    case .failed(let reason): state.add(unchecked(suspect, because: reason), at: suspect)
    case .interrupted: return false
    }
    return true
  }

  /// Runs these checks in a worker.
  private func run(
    _ numbers: [Int], areAlone: Bool, _ state: inout State, _ interruption: Int32
  ) -> Ending {
    let order = WorkerOrder.checks(
      numbers, areAlone: areAlone, guardTime: configuration.guardTime)
    guard let worker = WorkerProcess(program, order) else {
      return .failed("cannot start a worker process")
    }
    let meant = Set(numbers)
    var underWay: [Int: (count: Int, end: ContinuousClock.Instant)] = [:]
    var (begun, heardAt) = (Set<Int>(), ContinuousClock.now)
    func lost(_ type: FindingType, _ words: String) -> Ending {
      .lost(type, words, underWay: begun.filter { state.results[$0] == nil }.sorted())
    }
    while true {
      let end =
        underWay.values.map(\.end).min().map { max($0, heardAt) + silenceMax }
        ?? heardAt + startupTime
      switch worker.next(until: end, or: interruption) {
      case .line(.begun(let index)) where meant.contains(index):
        heardAt = .now
        begun.insert(index)
        underWay[index, default: (0, heardAt)].count += 1
        underWay[index]?.end = heardAt + limit(of: index)
      case .line(.attempted(let index)) where meant.contains(index):
        heardAt = .now
        underWay[index]?.count -= 1
        if underWay[index]?.count ?? 0 <= 0 { underWay[index] = nil }
      case .line(.checked(let index, let check)) where meant.contains(index):
        heardAt = .now
        underWay[index] = nil
        guard check.identity == checks[index].identity else {
          return .failed("the contracts have changed since the run began")
        }
        state.add(check, at: index)
      case .line(.finished): return .finished
      case .line: break
      case .interruption: return .interrupted
      case .silence:
        guard !begun.isEmpty else { return .failed("the worker process sent nothing") }
        return lost(.hang, "no outcome within \(configuration.guardTime.words)")
      case .end(let words):
        guard !begun.isEmpty else {
          return .failed("the worker process \(words) before its first check")
        }
        return lost(.crash, "crashed: \(words)")
      }
    }
  }

  /// The time by which the worker ends an attempt, unless all its threads are busy.
  private func limit(of index: Int) -> Duration {
    checks[index].timeMax(
      timeScale: configuration.timeScale, guardTime: configuration.guardTime)
  }

  /// The extra time for a worker to report that.
  private var silenceMax: Duration { configuration.guardTime / 3 }

  private func loss(of index: Int, _ type: FindingType, _ words: String) -> Check {
    let check = checks[index]
    return .checked(
      check.identity, at: check.place,
      findings: [Finding(.error, type, words, at: check.expectationPlace)], attemptCount: 2)
  }

  private func unchecked(_ index: Int, because reason: String?) -> Check {
    let check = checks[index]
    guard let reason else { return check.result(of: [], attemptCount: 0) }
    return .couldNotCheck(check.identity, at: check.place, because: reason)
  }
}

extension Finding {
  /// A worker was lost, but each running check ended well when repeated alone.
  fileprivate static func unexplained(
    _ type: FindingType, _ words: String, suspectCount count: Int
  ) -> Finding {
    let checks = count == 1 ? "1 check was" : "\(count) checks were"
    return type == .hang
      ? Finding(
        .warning, .hang,
        "no check ended while \(checks) running, and none of them hangs alone",
        fix: "make services wait without blocking a thread; --jobs 1 runs one check at a time")
      : Finding(
        .error, .crash, "the services \(words) while \(checks) running, and none crashes alone",
        fix: "look for state that checks share or that outlives a check; --jobs 1 runs one at a"
          + " time"
      )
  }
}

package import UnderstudyContractModel
package import UnderstudyCore
package import UnderstudyFindings
import UnderstudySecrets

/// Requests live cases, at the rate each upstream allows, and checks the responses.
///
/// The folder requests live cases and checks the responses. Read `DriftPlan`, which lists the cases
/// and their consumers; this file, which takes the cases of each upstream in turn from a
/// `LiveCaseLane`; `Prober`, which requests a case once; `LiveCaseAttempt`, which is how that went;
/// `LiveCaseComparison`, which joins the attempts at a case and decides whether another is needed;
/// and `LiveCaseResult`. `StandIn` gives a response to consumers without the API, `RequestPlan`
/// predicts what a run would send, and `RunLock` keeps a second run out.
///
/// Each planned case gets exactly one result, also if the run is cancelled or the rate allows no
/// more requests. Upstreams do not wait for one another. A change that no second response could
/// confirm or refute is reported as not checked.
package struct DriftRun: Sendable {
  /// The source of responses, by case, sender and round.
  package typealias Source =
    @Sendable (_ liveCase: PlannedCase, _ consumer: String?, _ round: Int) -> any ResponseSource
  /// Whether to start one more case of an upstream that has this many without a result.
  package typealias Gate = @Sendable (_ upstream: String, _ openCount: Int) async -> Admission

  private let plan: DriftPlan
  private let index: RequestIndex
  private let source: Source
  private let admits: Gate
  private let history: History
  private let clock: DriftClock
  private let configuration: DriftConfiguration
  /// When it began.
  private let now: Moment

  /// - Parameters:
  ///   - gate: for an upstream whose rate may not allow all requests.
  ///   - history: says which cases have waited longest, and are requested first.
  package init(
    _ plan: DriftPlan, _ library: ContractLibrary, from source: @escaping Source,
    gate: @escaping Gate = { _, _ in .now }, after history: History = History(),
    clock: DriftClock, now: Moment, _ configuration: DriftConfiguration
  ) {
    self.plan = plan
    index = library.index
    self.source = source
    admits = gate
    self.history = history
    self.clock = clock
    self.now = now
    self.configuration = configuration
  }

  /// The progress of a run.
  package struct Progress: Sendable {
    /// The number of cases with a response.
    package let doneCount: Int
    /// The number of these that seem to have changed.
    package let changeCount: Int
    /// When the next of these is requested again, by the clock's `elapsed`; `nil` when none waits.
    package let nextAt: Duration?

    package init(doneCount: Int, changeCount: Int, nextAt: Duration?) {
      self.doneCount = doneCount
      self.changeCount = changeCount
      self.nextAt = nextAt
    }
  }

  /// The results of the live cases, in their order. If the task is cancelled, cases without a
  /// response could not be checked. `progress` receives every step in turn.
  package func results(progress: (Progress) -> Void = { _ in }) async -> [LiveCaseResult] {
    let liveCases = plan.liveCases
    let mask = SecretMask(of: plan.upstreams)
    var doneCount = 0
    var comparisons = [LiveCaseComparison?](repeating: nil, count: liveCases.count)
    var results = [LiveCaseResult?](repeating: nil, count: liveCases.count)
    var changed: Set<Int> = []
    var waiting: [Int: Duration] = [:]
    var lanes = plan.lanes(after: history)
    await withTaskGroup(of: Responded.self) { group in
      // In parallel: a slow or limited upstream delays no other.
      var names = lanes.keys.sorted()
      while true {
        for name in names {
          starting: while let place = lanes[name]?.next, lanes[name]?.hasRoom ?? false {
            if Task.isCancelled {
              for place in lanes[name]?.takeAll() ?? [] {
                results[place] = LiveCaseResult(
                  liveCases[place], [], liveCases[place].unchecked(because: Self.interrupted),
                  response: nil, mask, isCut: true)
              }
              break starting
            }
            switch await admits(name, lanes[name]?.openCount ?? 0) {
            case .now:
              lanes[name]?.start()
              group.addTask {
                .once(place, await ask(liveCases[place], 1), isCut: Task.isCancelled)
              }
            case .later: break starting
            case .never(let reason):
              let isFirst = lanes[name]?.startedCount == 0
              for place in lanes[name]?.takeAll() ?? [] {
                doneCount += 1
                // A drift that could not be checked has not ended.
                let isOpen = history[liveCases[place].identity.caseID].unendedDrift != nil
                results[place] = LiveCaseResult(
                  leftOut: liveCases[place], because: reason, mustBeChecked: isFirst || isOpen, mask
                )
              }
            }
          }
        }
        guard let responded = await group.next() else { break }
        let place = responded.place
        let liveCase = liveCases[place]
        let name = liveCase.upstream.name
        names = [name]
        waiting[place] = nil
        if case .once = responded { lanes[name]?.askingCount -= 1 }
        switch responded {
        case .once(_, let first, isCut: true):
          results[place] = LiveCaseResult(
            liveCase, first.attempts, liveCase.unchecked(because: Self.interrupted),
            response: first.attempts[0].response, mask, isCut: true)
        case .once(_, let first, isCut: false):
          doneCount += 1
          comparisons[place] = first
        case .again(_, let further): comparisons[place]?.add(further)
        case .cut: results[place] = comparisons[place].map { LiveCaseResult($0, .cut, mask) }
        }
        comparisons[place]?.cutBodies(mask)
        if results[place] == nil, let comparison = comparisons[place] {
          let isFirstDoubt = comparison.isInDoubt && changed.insert(place).inserted
          let pause = isFirstDoubt ? configuration.confirmPause : .zero
          let round = comparison.attempts.count + 1
          if !comparison.wantsMore(than: configuration.sampleCount) {
            results[place] = LiveCaseResult(comparison, .complete, mask)
          } else if clock.elapsed() + pause > configuration.deadline {
            results[place] = LiveCaseResult(
              comparison,
              .impossible(
                "it seems to have changed, and the deadline left no time to repeat the"
                  + " request"),
              mask)
          } else {
            if pause > .zero { waiting[place] = clock.elapsed() + pause }
            group.addTask { await again(place, liveCase, round: round, after: pause) }
          }
        }
        if results[place] != nil { lanes[name]?.openCount -= 1 }
        progress(
          Progress(
            doneCount: doneCount, changeCount: changed.count,
            nextAt: waiting.values.filter { $0 > clock.elapsed() }.min()))
      }
    }
    return results.compactMap(\.self)
  }

  private static let interrupted = "the run was interrupted"

  private enum Responded: Sendable {
    /// - Parameter isCut: whether the task was cancelled meanwhile.
    case once(_ place: Int, LiveCaseComparison, isCut: Bool)
    case again(_ place: Int, LiveCaseComparison)
    case cut(_ place: Int)

    var place: Int {
      switch self {
      case .once(let place, _, _), .again(let place, _), .cut(let place): place
      }
    }
  }

  /// Requests a case once. If that shows a change, every consumer reads the response.
  private func ask(_ liveCase: PlannedCase, _ round: Int) async -> LiveCaseComparison {
    let prober = prober(round: round)
    let attempt = await prober.ask(liveCase)
    let comparison = LiveCaseComparison(of: attempt, for: liveCase, now, configuration)
    guard liveCase.readers.count > 1, comparison.isInDoubt else { return comparison }
    return LiveCaseComparison(
      of: await prober.checkingAll(attempt, of: liveCase), for: liveCase, now, configuration)
  }

  private func prober(round: Int) -> Prober {
    let (source, clock, deadline) = (source, clock, configuration.deadline)
    return Prober(
      upstreams: plan.upstreams, index: index, source: { source($0, $1, round) },
      bypassesCaches: round > 1,
      // A request still waiting has ended by then.
      limit: { max(.zero, deadline - clock.elapsed()) + .seconds(5) })
  }

  private func again(
    _ place: Int, _ liveCase: PlannedCase, round: Int, after pause: Duration
  ) async -> Responded {
    do {
      try Task.checkCancellation()
      if pause > .zero { try await clock.sleep(pause) }
      let comparison = await ask(liveCase, round)
      try Task.checkCancellation()
      return .again(place, comparison)
    } catch {
      return .cut(place)
    }
  }
}

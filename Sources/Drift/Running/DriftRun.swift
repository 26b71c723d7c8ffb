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
  private let mask: SecretMask
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
    mask = SecretMask(of: plan.upstreams)
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
    var course = Course(lanes: plan.lanes(after: history), count: plan.liveCases.count)
    await withTaskGroup(of: Responded.self) { group in
      // In parallel: a slow or limited upstream delays no other.
      for name in course.lanes.keys.sorted() { await start(name, &course, in: &group) }
      while let responded = await group.next() {
        let place = responded.place
        take(responded, &course)
        if let pause = settle(place, &course) {
          let round = (course.comparisons[place]?.attempts.count ?? 0) + 1
          group.addTask { await again(place, round: round, after: pause) }
        }
        let name = plan.liveCases[place].upstream.name
        if course.results[place] != nil { course.lanes[name]?.openCount -= 1 }
        progress(
          Progress(
            doneCount: course.doneCount, changeCount: course.changed.count,
            nextAt: course.waiting.values.filter { $0 > clock.elapsed() }.min()))
        await start(name, &course, in: &group)
      }
    }
    return course.results.compactMap(\.self)
  }

  /// How far a run is. Cases are named by their places in the plan.
  private struct Course {
    /// By the names of their upstreams.
    var lanes: [String: LiveCaseLane]
    var comparisons: [LiveCaseComparison?]
    var results: [LiveCaseResult?]
    /// The number of cases with a response, or without a turn.
    var doneCount = 0
    /// The cases that seem to have changed.
    var changed: Set<Int> = []
    /// When a case is requested again.
    var waiting: [Int: Duration] = [:]

    init(lanes: [String: LiveCaseLane], count: Int) {
      self.lanes = lanes
      comparisons = Array(repeating: nil, count: count)
      results = Array(repeating: nil, count: count)
    }
  }

  /// Starts the cases of an upstream that may be requested now.
  private func start(
    _ name: String, _ course: inout Course, in group: inout TaskGroup<Responded>
  ) async {
    guard var lane = course.lanes[name] else { return }
    defer { course.lanes[name] = lane }
    while let place = lane.next, lane.hasRoom {
      if Task.isCancelled {
        for place in lane.takeAll() { course.results[place] = interrupted(plan.liveCases[place]) }
        return
      }
      switch await admits(name, lane.openCount) {
      case .now:
        lane.start()
        group.addTask {
          .once(place, await ask(plan.liveCases[place], 1), isCut: Task.isCancelled)
        }
      case .later: return
      case .never(let reason):
        let isFirst = lane.startedCount == 0
        for place in lane.takeAll() {
          course.doneCount += 1
          let liveCase = plan.liveCases[place]
          // A drift that could not be checked has not ended.
          let isOpen = history[liveCase.identity.caseID].unendedDrift != nil
          course.results[place] = LiveCaseResult(
            leftOut: liveCase, because: reason, mustBeChecked: isFirst || isOpen, mask)
        }
      }
    }
  }

  /// Notes what came of a request.
  private func take(_ responded: Responded, _ course: inout Course) {
    let place = responded.place
    let liveCase = plan.liveCases[place]
    course.waiting[place] = nil
    switch responded {
    case .once(_, let first, let isCut):
      course.lanes[liveCase.upstream.name]?.askingCount -= 1
      if isCut {
        course.results[place] = interrupted(liveCase, after: first.attempts)
      } else {
        course.doneCount += 1
        course.comparisons[place] = first
      }
    case .again(_, let further): course.comparisons[place]?.add(further)
    case .cut:
      course.results[place] = course.comparisons[place].map { LiveCaseResult($0, .cut, mask) }
    }
    course.comparisons[place]?.cutBodies(mask)
  }

  /// Gives a case its result, or returns how long to wait before it is requested again.
  private func settle(_ place: Int, _ course: inout Course) -> Duration? {
    guard course.results[place] == nil, let comparison = course.comparisons[place] else {
      return nil
    }
    let isFirstDoubt = comparison.isInDoubt && course.changed.insert(place).inserted
    guard comparison.wantsMore(than: configuration.sampleCount) else {
      course.results[place] = LiveCaseResult(comparison, .complete, mask)
      return nil
    }
    let pause = isFirstDoubt ? configuration.confirmPause : .zero
    let end = clock.elapsed() + pause
    guard end <= configuration.deadline else {
      let reason = "it seems to have changed, and the deadline left no time to repeat the request"
      course.results[place] = LiveCaseResult(comparison, .impossible(reason), mask)
      return nil
    }
    if pause > .zero { course.waiting[place] = end }
    return pause
  }

  private func interrupted(
    _ liveCase: PlannedCase, after attempts: [LiveCaseAttempt] = []
  ) -> LiveCaseResult {
    LiveCaseResult(
      liveCase, attempts, liveCase.unchecked(because: "the run was interrupted"),
      response: attempts.first?.response, mask, isCut: true)
  }

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

  private func again(_ place: Int, round: Int, after pause: Duration) async -> Responded {
    do {
      try Task.checkCancellation()
      if pause > .zero { try await clock.sleep(pause) }
      let comparison = await ask(plan.liveCases[place], round)
      try Task.checkCancellation()
      return .again(place, comparison)
    } catch {
      return .cut(place)
    }
  }
}

import Consumers
package import ContractModel
package import Findings

/// How the live APIs are asked.
package struct DriftConfiguration: Sendable {
  /// The mildest finding that fails a check.
  package var failsOn = Finding.Severity.error
  /// Between an answer that shows a change and the second that has to show it too.
  package var confirmPause: Duration = .seconds(30)
  /// By the clock's `elapsed`: by then all is over.
  package var deadline: Duration = .seconds(600)

  package init() {}
}

/// What came of a live case, and what it is founded on.
package struct ProbeResult: Sendable {
  package let probe: PlannedProbe
  /// Of the answer first, then of each consumer.
  package let checks: [Check]
  /// The one that was judged, the first of two, without the secrets that were sent; `nil` when there
  /// was none.
  package let answer: LiveAnswer?
  package let exchanges: [ProbeExchange]
  /// Whether the run was ended before it was known what came of it.
  package let isCut: Bool
}

/// An exchange of a run: who asked, and in which round.
package struct ProbeExchange: Sendable {
  /// `nil` for the request of the contract itself.
  package let consumer: String?
  /// 1, or 2 for a second answer.
  package let round: Int
  package let exchange: Exchange
}

/// Asks for live cases, those of one upstream no harder than it allows, and judges the answers.
package struct DriftRun: Sendable {
  /// Where the answers come from: by the case, who asks, and the round.
  package typealias Source =
    @Sendable (_ probe: PlannedProbe, _ consumer: String?, _ round: Int) -> any AnswerSource

  private let plan: DriftPlan
  private let index: RequestIndex
  private let source: Source
  private let clock: DriftClock
  private let configuration: DriftConfiguration
  /// When it began, in seconds since 1970.
  private let now: Double

  package init(
    _ plan: DriftPlan, _ library: ContractLibrary, from source: @escaping Source,
    clock: DriftClock, now: Double, _ configuration: DriftConfiguration
  ) {
    self.plan = plan
    index = library.index
    self.source = source
    self.clock = clock
    self.now = now
    self.configuration = configuration
  }

  /// What came of the probes, in their order, also when the task is cancelled: what had no answer
  /// until then could not be checked. `progress` is told of every case that has answered,
  /// one after the other, and how many seem to have changed.
  package func results(
    progress: (_ doneCount: Int, _ changeCount: Int) -> Void = { _, _ in }
  ) async -> [ProbeResult] {
    let probes = plan.probes
    var (doneCount, changeCount) = (0, 0)
    let first = await ask(probes, round: 1) { asked in
      guard !asked.isCut else { return }
      doneCount += 1
      if asked.judgement.isInDoubt { changeCount += 1 }
      progress(doneCount, changeCount)
    }
    let doubtful = first.indices.filter { !first[$0].isCut && first[$0].judgement.isInDoubt }
    var second: [Int: Asking] = [:]
    var obstacle: String?
    if !doubtful.isEmpty {
      obstacle = await pause()
      if obstacle == nil {
        let again = await ask(doubtful.map { probes[$0] }, round: 2) { _ in }
        for (place, asked) in zip(doubtful, again) where !asked.isCut {
          second[place] = asked.judgement.first
        }
        if second.count < doubtful.count { obstacle = Self.endedEarly }
      }
    }
    let redaction = LiveRedaction(plan.upstreams)
    return first.enumerated().map { place, asked in
      let (judgement, again) = (asked.judgement, second[place])
      let isDoubtful = doubtful.contains(place)
      let checks =
        asked.isCut
        ? judgement.probe.unchecked(because: "the run was ended")
        : judgement.checks(
          again.map { .asked($0) } ?? (isDoubtful ? obstacle.map { .impossible($0) } : nil) ?? .none
        )
      return ProbeResult(
        probe: judgement.probe, checks: checks.map(redaction.redacted),
        answer: judgement.first.answer.map(redaction.withoutSecrets),
        exchanges: judgement.first.notes(round: 1) + (again?.notes(round: 2) ?? []),
        isCut: asked.isCut || isDoubtful && again == nil && obstacle == Self.endedEarly)
    }
  }

  private static let endedEarly = "the run was ended before it was asked again"

  /// Waits before what seems to have changed is asked again; says why it cannot be.
  private func pause() async -> String? {
    guard clock.elapsed() + configuration.confirmPause <= configuration.deadline else {
      return "it seems to have changed, and the deadline left no time to ask again"
    }
    do {
      try Task.checkCancellation()
      try await clock.sleep(configuration.confirmPause)
      return nil
    } catch {
      return Self.endedEarly
    }
  }

  private func ask(
    _ probes: [PlannedProbe], round: Int, done: (Asked) -> Void
  ) async -> [Asked] {
    let (source, clock, configuration) = (source, clock, configuration)
    let asker = Asker(
      upstreams: plan.upstreams, index: index,
      source: { source($0, $1, round) }, bypassesCaches: round > 1,
      // A request that waits for its end is over by then.
      limit: { max(.zero, configuration.deadline - clock.elapsed()) + .seconds(5) })
    var results = [Asked?](repeating: nil, count: probes.count)
    await withTaskGroup(of: (place: Int, asking: Asking, isCut: Bool).self) { group in
      // All at once: the gates of the upstreams let them through, and one that is slow or wants to
      // be left alone keeps nobody from the others.
      for place in probes.indices {
        group.addTask { (place, await asker.ask(probes[place]), Task.isCancelled) }
      }
      while let (place, asking, isCut) = await group.next() {
        let judgement = ProbeJudgement(
          probe: probes[place], first: asking, now: now, failsOn: configuration.failsOn)
        let asked = Asked(judgement: judgement, isCut: isCut)
        results[place] = asked
        done(asked)
      }
    }
    return results.compactMap(\.self)
  }

  private struct Asked {
    let judgement: ProbeJudgement
    /// The task was cancelled meanwhile.
    let isCut: Bool
  }
}

extension PlannedProbe {
  fileprivate func unchecked(because reason: String) -> [Check] {
    [.couldNotCheck(identity, at: place, because: reason)]
      + readers.map { reader in
        .couldNotCheck(identity(of: reader), at: place(of: reader), because: reason)
      }
  }
}

extension Asking {
  fileprivate func notes(round: Int) -> [ProbeExchange] {
    exchanges.map { ProbeExchange(consumer: $0.consumer, round: round, exchange: $0.exchange) }
  }
}

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
  fileprivate let judged: LiveAnswer?
  fileprivate let mask: SecretMask
  package let exchanges: [ProbeExchange]
  /// Whether the run was ended before it was known what came of it.
  package let isCut: Bool

  /// The one that was judged, the first of two, with its secrets masked; `nil` when there was none.
  package var answer: LiveAnswer? { judged.map { mask.masked($0) } }
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
    let (asker, again) = (asker(round: 1), asker(round: 2))
    let mask = SecretMask(of: plan.upstreams)
    var (doneCount, changeCount) = (0, 0)
    var results = [ProbeResult?](repeating: nil, count: probes.count)
    await withTaskGroup(of: Answered.self) { group in
      // All at once: the gates of the upstreams let them through, and one that is slow or wants to
      // be left alone keeps nobody from the others, nor from being asked again.
      for place in probes.indices {
        group.addTask { .once(place, await asker.ask(probes[place]), isCut: Task.isCancelled) }
      }
      while let answered = await group.next() {
        switch answered {
        case .once(let place, let asking, isCut: true):
          let probe = probes[place]
          results[place] = ProbeResult(
            probe, asking, nil, probe.unchecked(because: "the run was ended"), mask,
            isCut: true)
        case .once(let place, let asking, isCut: false):
          let judgement = ProbeJudgement(
            probe: probes[place], first: asking, now: now, failsOn: configuration.failsOn)
          doneCount += 1
          if judgement.isInDoubt {
            changeCount += 1
            group.addTask { .twice(place, judgement, await second(of: probes[place], by: again)) }
          } else {
            results[place] = ProbeResult(judgement, .none, mask)
          }
          progress(doneCount, changeCount)
        case .twice(let place, let judgement, let second):
          results[place] = ProbeResult(judgement, second, mask)
        }
      }
    }
    return results.compactMap(\.self)
  }

  private enum Answered: Sendable {
    /// - Parameter isCut: the task was cancelled meanwhile.
    case once(_ place: Int, Asking, isCut: Bool)
    case twice(_ place: Int, ProbeJudgement, ProbeJudgement.Second)
  }

  private func asker(round: Int) -> Asker {
    let (source, clock, deadline) = (source, clock, configuration.deadline)
    return Asker(
      upstreams: plan.upstreams, index: index, source: { source($0, $1, round) },
      bypassesCaches: round > 1,
      // A request that waits for its end is over by then.
      limit: { max(.zero, deadline - clock.elapsed()) + .seconds(5) })
  }

  /// Waits, and asks what seems to have changed again.
  private func second(
    of probe: PlannedProbe, by asker: Asker
  ) async -> ProbeJudgement.Second {
    guard clock.elapsed() + configuration.confirmPause <= configuration.deadline else {
      return .impossible("it seems to have changed, and the deadline left no time to ask again")
    }
    do {
      try Task.checkCancellation()
      try await clock.sleep(configuration.confirmPause)
      let asking = await asker.ask(probe)
      try Task.checkCancellation()
      return .asked(asking)
    } catch {
      return .cut
    }
  }
}

extension ProbeResult {
  fileprivate init(
    _ judgement: ProbeJudgement, _ second: ProbeJudgement.Second, _ mask: SecretMask
  ) {
    var (again, isCut): (Asking?, Bool) = (nil, false)
    switch second {
    case .asked(let asking): again = asking
    case .cut: isCut = true
    case .none, .impossible: break
    }
    self.init(
      judgement.probe, judgement.first, again, judgement.checks(second), mask, isCut: isCut)
  }

  fileprivate init(
    _ probe: PlannedProbe, _ first: Asking, _ again: Asking?, _ checks: [Check],
    _ mask: SecretMask, isCut: Bool
  ) {
    self.init(
      probe: probe, checks: checks.map { mask.withoutSent($0) },
      judged: first.answer, mask: mask,
      exchanges: first.notes(round: 1) + (again?.notes(round: 2) ?? []), isCut: isCut)
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

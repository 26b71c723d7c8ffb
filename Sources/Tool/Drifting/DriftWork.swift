import UnderstudyClient
import UnderstudyContractModel
import UnderstudyCore
import UnderstudyDrift
import UnderstudyFakeServer
import UnderstudyFindings

/// The asking of a drift run, or what was kept of an earlier one.
struct DriftWork {
  private let plan: DriftPlan
  private let library: ContractLibrary
  private let kept: KeptRun?
  private let evidence: EvidenceFolder
  private let configuration: DriftConfiguration
  private let timeout: Duration
  private let showsProgress: Bool

  init(
    _ plan: DriftPlan, _ library: ContractLibrary, _ kept: KeptRun?, _ evidence: EvidenceFolder,
    configuration: DriftConfiguration, timeout: Duration, showsProgress: Bool
  ) {
    self.plan = plan
    self.library = library
    self.kept = kept
    self.evidence = evidence
    self.configuration = configuration
    self.timeout = timeout
    self.showsProgress = showsProgress
  }

  struct Outcome {
    let results: [ProbeResult]
    /// In seconds since 1970.
    let startedAt: Int
    let duration: Duration
    /// The one that ended the run early.
    let signal: Int32?
    /// By the clock's `elapsed`: by then all is over.
    let deadline: Duration
  }

  let clock = DriftClock.system

  func outcome() throws(Failure) -> Outcome {
    let signals = try SignalWatch.orError()
    let (startedAt, start) = (clock.unixSeconds(), clock.elapsed())
    var configuration = configuration
    configuration.deadline += start
    do throws(SystemError) {
      let (results, signal) = try Blocking.run(cancelledBy: signals) { [self, configuration] in
        if let kept { return await replayed(kept, clock, configuration) }
        return await asked(clock, configuration, startedAt: startedAt)
      }
      return Outcome(
        results: results, startedAt: startedAt, duration: clock.elapsed() - start, signal: signal,
        deadline: configuration.deadline)
    } catch {
      throw Failure(message: error.description)
    }
  }

  private func asked(
    _ clock: DriftClock, _ configuration: DriftConfiguration, startedAt: Int
  ) async -> [ProbeResult] {
    var connection = CurlConfiguration()
    let transport = CurlTransport(connection)
    connection.ignoresProxies = true
    let localTransport = CurlTransport(connection)
    let network = LiveNetwork(
      transport, local: localTransport, upstreams: plan.upstreams,
      earlier: EarlierAnswers(in: evidence, to: plan, now: startedAt), clock: clock,
      timeout: timeout, deadline: configuration.deadline,
      sampleCount: configuration.sampleCount)
    let results = await run(
      DriftRun(
        plan, library, from: { _, _, round in network.answers(inRound: round) }, clock: clock,
        now: Double(startedAt),
        configuration))
    await transport.close()
    await localTransport.close()
    return results
  }

  private func replayed(
    _ kept: KeptRun, _ clock: DriftClock, _ configuration: DriftConfiguration
  ) async -> [ProbeResult] {
    var configuration = configuration
    configuration.confirmPause = .zero
    configuration.sampleCount = kept.sampleCount
    return await run(
      DriftRun(
        plan, library,
        from: { probe, consumer, round in
          kept.answers(for: probe.identity.caseID, consumer, round: round)
        }, clock: clock, now: Double(kept.at), configuration))
  }

  private func run(_ run: DriftRun) async -> [ProbeResult] {
    let progress = DriftProgress(of: plan.probes.count, isShown: showsProgress)
    let ticking = showsProgress ? Task { await progress.tick() } : nil
    defer {
      ticking?.cancel()
      progress.end()
    }
    return await run.results { progress.show($0) }
  }
}

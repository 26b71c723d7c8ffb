package import UnderstudyClient
package import UnderstudyConsumers
package import UnderstudyContractModel
package import UnderstudyCore
import UnderstudyDrafting
package import UnderstudyFindings
import UnderstudyHTTP
package import UnderstudySuite

/// A drift run from plan to report: gets responses from the live APIs or an earlier run, checks
/// them, and stores responses and history.
///
/// The target checks contracts against live APIs and OpenAPI documents. Read this file; `Running`,
/// which requests the cases and calls their consumers; `Probing`, which sends each request; and
/// `Comparing`, which finds differences and decides how severe they are. `Captures` and `History`
/// are what runs leave on disk, `Accepting` has known changes, and `Updating` edits contracts.
/// `DocumentSession` and `Documents` are for checks against a document, which send nothing.
///
/// While a session exists, no other run in its folder sends requests, writes history or changes
/// contracts. Requests go to the upstreams of the run and where these redirect, with secrets only
/// for their own origin, and no faster than `rate` in `upstream.json` allows, earlier runs
/// included. What seems to have changed is requested again before it counts. What is stored has its
/// secrets masked.
package struct DriftSession: Sendable {
  /// What `understudy drift` was asked for.
  package struct Options: Sendable {
    /// The folder of responses and history.
    package var folder = ".understudy/drift"
    /// The selected cases; all when empty.
    package var globs: [CaseGlob] = []
    /// Addresses that replace live APIs, by upstream name.
    package var baseURLs: [String: WebURL] = [:]
    /// The only origins that some secrets may be sent to.
    package var secretHosts = SecretHosts()
    /// Whether a secret that is not set is a failure.
    package var requiresSecrets = false
    package var configuration = DriftConfiguration()
    /// The time limit of each request.
    package var timeout = Duration.seconds(30)
    package var accepted: AcceptedDrift?
    /// The folder with the responses of an earlier run to check instead.
    package var replay: String?
    /// The history file, which then also records upstreams at other addresses; `nil` for the
    /// default file without them.
    package var historyPath: String?
    /// What commands read.
    package var learned = LearnedReads()
    /// The number of runs after which an upstream or case that could not be checked is a finding.
    package var outageRunCount = 3
    /// A certificate that ends within this many days is a warning; none is at 0.
    package var certificateDays = 14
    /// How the live APIs are connected to.
    package var connection = CurlConfiguration.ofUser
    package var clock = DriftClock.system

    package init() {}
  }

  private let library: ContractLibrary
  private let registry: ConsumerRegistry
  private let options: Options
  private let kept: KeptRun?
  private let plan: DriftPlan
  private let past: History
  private let historyFile: HistoryFile
  private let lock: RunLock?
  private var clock: DriftClock { options.clock }
  private let captures: CaptureFolder

  /// Reports every mistake in the options before any request is sent.
  ///
  /// - Parameter warn: receives the lines of the history that are not records.
  package init(
    _ library: ContractLibrary, _ registry: ConsumerRegistry, _ options: Options,
    environment: (String) -> String?, warn: (HistoryFile, HistoryFile.BrokenLine) -> Void
  ) throws(Failure) {
    try CurlTransport.checkLibrary()
    self.library = library
    self.registry = registry
    self.options = options
    try options.secretHosts.checkNames(of: library.upstreams)
    let upstreams = [LiveUpstream](library, options.baseURLs, environment: environment)
    for upstream in upstreams { try options.secretHosts.check(upstream) }
    kept = try options.replay.map { folder throws(Failure) in
      try KeptRun(folder, upstreams: upstreams)
    }
    captures = CaptureFolder("\(options.folder)/captures")
    historyFile = HistoryFile(path: options.historyPath ?? "\(options.folder)/history.jsonl")
    let (past, brokenLines) = try historyFile.read(now: options.clock.now())
    self.past = past
    for line in brokenLines { warn(historyFile, line) }
    var planned = DriftPlan.Options()
    planned.baseURLs = kept?.baseURLs ?? options.baseURLs
    planned.requiresSecrets = options.requiresSecrets
    planned.learned = options.learned
    planned.responded = kept?.caseIDs
    plan = DriftPlan(library, registry, planned, environment: environment) { contract, served in
      options.globs.selects(contract, served)
    }
    lock = kept == nil ? try RunLock("\(options.folder)/lock") : nil
  }

  // MARK: - Responses

  /// The number of cases requested.
  package var liveCaseCount: Int { plan.liveCases.count }

  /// The results of the cases.
  package struct Responses: Sendable {
    fileprivate let results: [LiveCaseResult]
    /// What was sent to each upstream.
    fileprivate let traffic: [Traffic]
    fileprivate let startedAt: Moment
    /// When it started, by the clock's `elapsed`.
    fileprivate let start: Duration
    fileprivate let duration: Duration
    /// The end of the run, by the clock's `elapsed`.
    fileprivate let deadline: Duration
  }

  /// Sends the requests, or checks stored responses. Cases without a response when the task is
  /// cancelled could not be checked.
  package func responses(progress: (DriftRun.Progress) -> Void = { _ in }) async -> Responses {
    let (startedAt, start) = (clock.now(), clock.elapsed())
    var configuration = options.configuration
    configuration.deadline += start
    let (results, traffic): ([LiveCaseResult], [Traffic]) =
      if let kept { (await replayed(kept, configuration, progress), []) } else {
        await asked(configuration, startedAt, start, progress)
      }
    return Responses(
      results: results, traffic: traffic, startedAt: startedAt, start: start,
      duration: clock.elapsed() - start, deadline: configuration.deadline)
  }

  private func asked(
    _ configuration: DriftConfiguration, _ startedAt: Moment, _ start: Duration,
    _ progress: (DriftRun.Progress) -> Void
  ) async -> ([LiveCaseResult], [Traffic]) {
    var connection = options.connection
    connection.readsCertificates = options.certificateDays > 0
    let transport = CurlTransport(connection)
    connection.ignoresProxies = true
    let localTransport = CurlTransport(connection)
    let network = LiveNetwork(
      transport, local: localTransport, upstreams: plan.upstreams,
      earlier: EarlierResponses(in: captures, to: plan, now: startedAt), clock: clock,
      timeout: options.timeout, deadline: configuration.deadline,
      after: earlierStarts(startedAt, start))
    let run = DriftRun(
      plan, library, from: { _, _, round in network.responses(inRound: round) },
      gate: { await network.admission(to: $0, openCount: $1) }, after: past, clock: clock,
      now: startedAt, configuration)
    let results = await run.results(progress: progress)
    await transport.close()
    await localTransport.close()
    return (results, await network.traffic)
  }

  /// When earlier runs sent the requests that still count, by the clock's `elapsed`.
  private func earlierStarts(_ now: Moment, _ start: Duration) -> [String: [Duration]] {
    var starts: [String: [Duration]] = [:]
    for upstream in plan.upstreams where !isElsewhere(upstream.name) {
      guard let rate = upstream.upstream.rate, let period = rate.period else { continue }
      let countMax = rate.requestCountMax ?? 0
      let recent = past.requests.reversed().prefix { now - $0.at < period + .seconds(86_400) }
      var times: [Duration] = []
      for record in recent where record.upstream == upstream.name {
        for batch in record.batches.reversed() {
          let age = now - record.at - .seconds(batch.second)
          guard age >= .zero, age < period, times.count < countMax else { continue }
          times += Array(repeating: start - age, count: min(batch.count, countMax - times.count))
        }
      }
      starts[upstream.name] = times
    }
    return starts
  }

  /// Whether an upstream has an address of which the history says nothing.
  private func isElsewhere(_ name: String) -> Bool {
    options.historyPath == nil && options.baseURLs[name] != nil
  }

  private func replayed(
    _ kept: KeptRun, _ configuration: DriftConfiguration, _ progress: (DriftRun.Progress) -> Void
  ) async -> [LiveCaseResult] {
    var configuration = configuration
    configuration.confirmPause = .zero
    configuration.sampleCount = kept.sampleCount
    let run = DriftRun(
      plan, library,
      from: { liveCase, consumer, round in
        kept.responses(for: liveCase.identity.caseID, consumer, round: round)
      }, clock: clock, now: kept.at, configuration)
    return await run.results(progress: progress)
  }

  /// The requests that a run would send now, without those that repeat others.
  package func requestPlan() async -> RequestPlan {
    let start = clock.elapsed()
    return await plan.requests(
      library.index, after: past, earlierStarts(clock.now(), start), from: start,
      until: start + options.configuration.deadline)
  }

  // MARK: - Report

  /// The report of a run.
  package struct Outcome: Sendable {
    package let report: Report
    /// The history of all runs, including this one.
    package let history: History
    /// Notes on the run itself, in this order.
    package let remarks: [Remark]
    /// The file with the captured responses of a case, by when their run began.
    package let captures: @Sendable (_ caseID: String, _ at: Moment) -> String?
    fileprivate let responses: Responses
    fileprivate let update: ContractUpdate

    /// What would make the contracts match the responses, as `git apply` takes it.
    package var patch: String { update.files.map(\.diff).joined() }
  }

  /// What the reader of a report should know about the run, besides its findings.
  package enum Remark: Sendable {
    /// There are live APIs, and no case is live.
    case noLiveCases
    /// The number of responses that were revalidated and not sent again.
    case held(Int, of: Int)
    /// Responses or history could not be stored, which must not cost the run.
    case failure(Failure)
    /// The number of cases whose responses exceeded the limit.
    case leftOut(Int)
  }

  /// Stores the responses and reports the results.
  package func outcome(of responses: Responses, toolVersion: String) -> Outcome {
    let results = responses.results
    var remarks = kept == nil ? keep(responses) : []
    let hasLiveCases = library.contracts.contains { $0.cases.contains { $0.live != nil } }
    if !hasLiveCases, !plan.upstreams.isEmpty { remarks.append(.noLiveCases) }
    let failsOn = options.configuration.failsOn
    let update = ContractUpdate(
      of: results, except: options.accepted, now: responses.startedAt,
      isOver: { clock.elapsed() > responses.deadline })
    let refusals = update.refusals()
    var checks =
      results.flatMap { ContractUpdate.checks(of: $0, refusals, failsOn: failsOn) } + plan.settled
    var findings: [Finding] = []
    let sizes: [Check.Identity: Int] = results.reduce(into: [:]) { sizes, result in
      if !isElsewhere(result.liveCase.upstream.name) {
        sizes.merge(result.sizes) { first, _ in first }
      }
    }
    if kept == nil { checks = past.withShrinkage(checks, sizes, failsOn: failsOn) }
    if let accepted = options.accepted {
      (checks, findings) = accepted.applied(
        to: checks, failsOn: failsOn, now: kept?.at ?? responses.startedAt)
    }
    // An interrupted run is not an outage, and neither is one that had to leave out a case.
    let unsent = Set(
      results.filter { $0.isCut || $0.isLeftOut }.flatMap(\.checks).map(\.identity))
    var history = past
    if kept == nil {
      findings += remember(
        checks.filter { !unsent.contains($0.identity) }, sizes, of: responses, in: &history,
        &remarks)
    }
    findings += responses.traffic.findings(of: results, library.upstreams)
    findings += responses.traffic.certificateFindings(
      withinDays: options.certificateDays, of: responses.startedAt, library.upstreams)
    findings += results.unknownReaders(in: checks)
    let run = Run(
      command: (["understudy drift"] + options.globs.map(\.text)).joined(separator: " "),
      toolVersion: toolVersion, plannedCount: checks.count, failsOn: failsOn,
      startedAt: responses.startedAt.rfc3339, duration: responses.duration)
    return Outcome(
      report: Report(run, checks: checks, findings: findings, owners: library.owners),
      history: history, remarks: remarks,
      captures: { [captures] caseID, at in captures.file(of: caseID, at: at) },
      responses: responses, update: update)
  }

  private func keep(_ responses: Responses) -> [Remark] {
    var remarks: [Remark] = []
    let found = responses.results.flatMap(\.exchanges).compactMap(\.exchange.response)
    let heldCount = found.count { $0.wholeAt != nil }
    if heldCount > 0 { remarks.append(.held(heldCount, of: found.count)) }
    guard !responses.results.isEmpty else { return remarks }
    var leftOutCount = 0
    do throws(Failure) {
      _ = try captures.keep(
        responses.results.filter { !$0.isLeftOut }, of: plan.upstreams, at: responses.startedAt,
        leftOut: { _ in leftOutCount += 1 })
    } catch {
      remarks.append(.failure(error))
    }
    if leftOutCount > 0 { remarks.append(.leftOut(leftOutCount)) }
    return remarks
  }

  /// Adds the checks of a run, and reports upstreams and cases that could not be checked for too
  /// long, and intermittent breaks of earlier runs.
  private func remember(
    _ checks: [Check], _ sizes: [Check.Identity: Int], of responses: Responses,
    in history: inout History, _ remarks: inout [Remark]
  ) -> [Finding] {
    let at = responses.startedAt
    // Responses from other addresses prove nothing about the live APIs.
    let records = HistoryRecord.records(
      of: checks.filter { !isElsewhere($0.identity.upstream) }, sizes: sizes, at: at)
    let requests = responses.traffic.filter { !isElsewhere($0.upstream) }
      .compactMap { $0.record(at: at, since: responses.start) }
    history = history.appending(records, requests: requests)
    do throws(Failure) {
      try historyFile.append(records, requests: requests)
    } catch {
      remarks.append(.failure(error))
    }
    let names = Set(records.map(\.identity.upstream))
    let caseIDs = Set(records.map(\.identity.caseID))
    return history.outages(
      runCount: options.outageRunCount,
      of: library.upstreams.filter { names.contains($0.name) }, caseIDs)
      + history.openBreaks(of: library.liveCases, caseIDs)
  }

  // MARK: - Update

  /// How live responses get into the contracts.
  package enum Change: Sendable {
    /// Changes the contracts to match the live responses.
    case update
    /// Adds the live responses as new cases.
    case addCases
  }

  /// The update of the contracts, served as `understudy test` serves them.
  package func update(
    _ change: Change, after outcome: Outcome
  ) async throws(Failure) -> UpdateTrial {
    let responses = outcome.responses
    let isOver = { clock.elapsed() > responses.deadline }
    let update =
      switch change {
      case .update: outcome.update
      case .addCases:
        ContractUpdate(
          addingCasesOf: responses.results, reportedAs: outcome.report.checks,
          on: (kept?.at ?? responses.startedAt).date, isOver: isOver)
      }
    return try await UpdateTrial(of: update, registry, isOver: isOver)
  }
}

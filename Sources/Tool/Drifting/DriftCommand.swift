import UnderstudyConsumers
import UnderstudyContractModel
import UnderstudyCore
import UnderstudyDrafting
import UnderstudyDrift
import UnderstudyFakeServer
import UnderstudyFindings
import UnderstudyReports
import UnderstudySystem

/// `understudy drift` compares the live APIs with the contracts.
///
/// `DriftOptions` has the parameters, and `DriftSession` in the target `Drift` does the work.
/// `DriftAgainst` is the comparison with documents in place of live APIs, `RequestPlanReport` what
/// `--dry-run` prints, `UpdateReport` what `--update` changes, and `DriftProgress` the line on the
/// terminal.
enum DriftCommand {
  static func command(_ registry: ConsumerRegistry) -> Command {
    Command(
      name: "understudy drift",
      summary: "Compares the live APIs with the contracts",
      discussion: discussion,
      parameters: DriftOptions.declarations,
      optionGroups: DriftOptions.groups,
      jsonOutput: """
        The object of understudy test. With --dry-run alone, an object: upstreams, an array of \
        objects with name, baseURL, rateRequests, ratePeriodMilliseconds, cases, casesInThisRun, \
        runsPerRound, durationMilliseconds and requests (case, consumer, method, url); and \
        notRequested, an array of objects with case, consumer and reason.
        """,
      examples: examples,
      starts: .ofContracts,
      exitCodes: [
        .pass: "The live APIs, or the documents, match the contracts.",
        .findings: "Something has changed, or nothing was exercised.",
        .couldNotRun:
          "Could not run: wrong usage, contracts with errors, names that match nothing, an invalid"
          + " document or file of accepted drift, or another run in progress.",
        .couldNotCheck:
          "No change was found, but something could not be checked.",
      ],
      run: { arguments, terminal throws(Failure) in
        let output = try ReportOutput(arguments)
        let (library, globs) = try Selection(arguments).loadAll(for: .running, &terminal)
        if arguments.isGiven(DriftOptions.against.declaration) {
          return try DriftAgainst.run(arguments, library, globs, registry, output, &terminal)
        }
        var options = try options(arguments, library, globs)
        let (change, isDryRun) = try change(arguments)
        // A plan alone needs no reads, and what only shows changes learns nothing anew.
        if !isDryRun {
          options.learned = try ReadsFile.current(for: library, of: options.globs, &terminal)
        } else if change != nil {
          options.learned = try ReadsFile.read(for: library)
        }
        let session = try DriftSession(
          library, registry, options, environment: arguments.environment,
          warn: { HistoryCommand.warn(of: $1, in: $0, &terminal) })
        // No other run may write history or change contracts until this one has.
        defer { withExtendedLifetime(session) {} }
        if isDryRun, change == nil {
          let plan = try Blocking.value { await session.requestPlan() }
          let report = RequestPlanReport(plan)
          switch try arguments.value(of: OutputFormat.option) {
          case .text: report.writeText(to: &terminal.output)
          case .json: report.writeJSON(to: &terminal.output)
          }
          return .pass
        }
        let (responses, signal) = try responses(session, showsProgress: terminal.showsProgress)
        if let signal { terminal.writeEndedEarly(by: signal) }
        let outcome = session.outcome(of: responses, toolVersion: UnderstudyVersion.text)
        for remark in outcome.remarks { tell(of: remark, &terminal) }
        let report = outcome.report
        let update = { (change: DriftSession.Change) throws(Failure) in
          try Blocking.value { () async throws(Failure) in
            try await session.update(change, after: outcome)
          }
        }
        if isDryRun, let change {
          try update(change).show(on: &terminal)
          terminal.errors.write(line: report.summary)
          return ExitCode(rawValue: report.exitCode) ?? .findings
        }
        // Before the update, since its failure must not cost the report.
        let context = ReportContext(
          history: outcome.history, captures: outcome.captures, patch: { outcome.patch })
        let code = try output.publish(report, of: library, context: context, to: &terminal)
        guard let change else { return code }
        guard signal == nil else {
          terminal.errors.write(line: "left all contracts unchanged: the run was interrupted")
          return code
        }
        return try update(change).apply(to: &terminal) ? code : .couldNotRun
      })
  }

  private static let discussion = """
    Sends the requests of all cases that have "live" to the live APIs, and reports what has \
    changed, how severe it is, on which line of which contract, and whether the services still \
    work. Services with expectations send their own requests; drift sends the others. A service is \
    checked by kind: a value, or which error.

    error is a change that broke a service that reads it. warning is a change that a service reads \
    and handles, or that may have consumers. A note is a change that no service reads, or an \
    addition.

    An apparent change is requested again. Values that differ from response to response are not a \
    change. Types, fields, headers or a status that only some responses have are intermittent, and \
    are reported with their frequency. If some responses broke a service, that stays a finding \
    until three runs have passed without it. --samples compares more responses.

    An upstream that is down, limits requests or refuses access is not a change: the case could \
    not be checked. Requests respect "rate" in upstream.json, over all runs that the history has, \
    and the pauses that an upstream asks for, and never wait beyond --deadline. If the rate allows \
    fewer requests than a run needs, the cases that have waited longest come first, and the report \
    says how many runs a round takes. The last eighth of the rate, and at least one of two \
    requests, waits while a request may have to be repeated.

    An upstream gets no more requests in a run after three time-outs in a row. Requests that fail \
    and succeed when repeated turn nothing red: the report says how many failed, as a warning from \
    "failedPercent" in upstream.json on.

    A certificate of a live API that ends within 14 days (--certificate-days) is a warning. If it \
    has ended, the cases could not be checked.

    --dry-run sends nothing and shows the requests of a run: which, to which upstream, how many, \
    and how long they take at its rate. The requests of services are those that they send when the \
    contracts respond.

    Responses with an ETag are revalidated: after a 304, the response stored by an earlier run is \
    used. Repeated requests always fetch the response, and so does every request once a week. A \
    service that sends its own conditions gets the response to them.

    A redirect is not a change: its target is checked, and the redirect is reported. A service \
    follows redirects as its own requests say. Up to five are followed, but none from https to \
    http, from a public name to an IP address or a local name, or with a request that could change \
    something on another host. A redirect that is not followed is a change, and a service that \
    would have followed it could not be checked.

    Secrets come from the environment, by the names in upstream.json, which begin with UNDERSTUDY_ \
    and the upstream's name, and are sent only to the address that file declares. Whoever can \
    change the file can change the address: with --secret UNDERSTUDY_GITHUB_TOKEN=api.github.com \
    nothing is sent if it is another one. If a required secret is missing, a case is not \
    exercised. Output, captured responses and contracts never show a secret, however a response \
    encodes it. Secrets shorter than four bytes are not masked.

    --accepted names a file of known drift: [{ "contract": "github/repo", "case": "ok", "type": \
    "schema-field-removed", "path": "/language", "reason": "…", "until": "2027-01-31" }]. "case" \
    and "path" are optional. In a path, * matches any key or index, and an index matches any \
    index. Matching findings are notes until the end of that day.

    The responses of the last 30 runs are kept in .understudy/drift/captures, with secrets \
    redacted. --replay checks those of one run again, except for services that fail after reading \
    a redacted value. The result of each check is a line in .understudy/drift/history.jsonl, which \
    `understudy history` shows. Results with --base-url are not recorded unless --history names a \
    file.

    --against compares the contracts with an OpenAPI document (3.0 or 3.1) instead: what it allows \
    and a case does not, and what a contract says and it does not allow. Nothing is sent, so all \
    good cases are checked. Services get the document's examples, and responses made from its \
    schemas: complete, with only what is required, with null wherever it is allowed, with each \
    alternative and each listed value. Values, times and optional headers are not compared. \
    Without NAME, the document describes the upstream whose "baseURL" is its first server, or the \
    only upstream. Neither responses nor history are kept.

    --update makes each changed case what the API responded, as a whole or not at all: its schema \
    with the smallest edits, its example as it was sent, and the values expected of services. \
    Examples of cases that are "like" it follow. It reports what it left unchanged and why, and \
    what understudy lint and understudy test now find. Accepted drift and files edited during the \
    run are left unchanged. With --dry-run it prints a diff for `git apply` instead; the requests \
    are sent, and history and captured responses kept. The exit code is that of the run, or 2 when \
    a file could not be updated.

    --add-cases leaves schemas and examples unchanged, and adds each changed response to its \
    contract as a new case, named after the day, with the current results of the services. With \
    --replay it uses the responses of an earlier run.

    SIGINT, SIGTERM or SIGHUP interrupts a run: responses received so far are kept and reported, \
    and the rest could not be checked. A second signal ends it at once.
    """

  private static let examples: Command.Examples = [
    "understudy drift": "Compare every live case.",
    "understudy drift joke --base-url joke=http://127.0.0.1:8080/joke --confirm 0s":
      "Use a server of your own for the jokes.",
    "understudy drift --dry-run": "Show which requests a run would send.",
    "understudy drift --update --dry-run": "Show how the contracts would have to change.",
    "understudy drift --add-cases --dry-run": "Show the changed responses as new cases.",
    "understudy drift --against joke=openapi.json":
      "Compare all contracts of joke with a document.",
    "understudy drift --require-secrets --fail-on warning --report junit=drift.xml":
      "Be strict, and write a report for CI.",
  ]

  private static func options(
    _ arguments: ParsedArguments, _ library: ContractLibrary, _ globs: [CaseGlob]
  ) throws(Failure) -> DriftSession.Options {
    var options = DriftSession.Options()
    options.globs = globs
    options.accepted = try accepted(arguments, library)
    options.baseURLs = try DriftOptions.baseURLs(arguments, library, options.globs)
    options.secretHosts = try SecretHost.hosts(arguments)
    options.requiresSecrets = try arguments.value(of: DriftOptions.requireSecrets)
    options.configuration.failsOn = try arguments.value(of: DriftOptions.failOn)
    options.configuration.sampleCount = try arguments.value(of: DriftOptions.samples)
    options.configuration.confirmPause = try arguments.value(of: DriftOptions.confirm)
    options.configuration.deadline = try arguments.value(of: DriftOptions.deadline)
    options.timeout = try arguments.value(of: DriftOptions.timeout)
    options.replay = try replay(arguments)
    options.historyPath = try arguments.value(of: DriftOptions.history)
    options.outageRunCount = try arguments.value(of: DriftOptions.outageRuns)
    options.certificateDays = try arguments.value(of: DriftOptions.certificateDays)
    return options
  }

  static func accepted(
    _ arguments: ParsedArguments, _ library: ContractLibrary
  ) throws(Failure) -> AcceptedDrift? {
    guard let path = try arguments.value(of: DriftOptions.accepted) else { return nil }
    let bytes = try FileRoot(around: path).read(path)
    let accepted = try AcceptedDrift(parsing: bytes, file: path)
    try accepted.hold(against: library)
    return accepted
  }

  private static func replay(_ arguments: ParsedArguments) throws(Failure) -> String? {
    guard let folder = try arguments.value(of: DriftOptions.replay) else { return nil }
    let idle = [
      DriftOptions.baseURLs.declaration, DriftOptions.confirm.declaration,
      DriftOptions.samples.declaration, DriftOptions.certificateDays.declaration,
      DriftOptions.history.declaration,
    ].first(where: arguments.isGiven)
    let changes = [DriftOptions.update.declaration, DriftOptions.addCases.declaration]
    if arguments.isGiven(DriftOptions.dryRun.declaration),
      !changes.contains(where: arguments.isGiven)
    {
      throw Failure(
        message: "--dry-run cannot be used with --replay, which sends no requests to show",
        fix: "add --update or --add-cases, or leave one of them out")
    }
    if let idle {
      throw Failure(
        message: "--\(idle.name) cannot be used with --replay, which sends no requests and"
          + " writes no history",
        fix: "leave one of them out")
    }
    return folder
  }

  /// `nil` when nothing has changed.
  private static func change(
    _ arguments: ParsedArguments
  ) throws(Failure) -> (DriftSession.Change?, isDryRun: Bool) {
    let isDryRun = try arguments.value(of: DriftOptions.dryRun)
    let updates = try arguments.value(of: DriftOptions.update)
    let adds = try arguments.value(of: DriftOptions.addCases)
    if updates, adds {
      throw Failure(
        message: "--add-cases and --update cannot be used together",
        fix: "leave one of them out")
    }
    if isDryRun, !updates, !adds, arguments.isGiven(ReportOutput.reports.declaration) {
      throw Failure(
        message: "--report cannot be used with --dry-run, which checks nothing to report",
        fix: "leave one of them out, or print the requests with --format json")
    }
    return (updates ? .update : adds ? .addCases : nil, isDryRun)
  }

  /// With the signal that interrupted the run.
  private static func responses(
    _ session: DriftSession, showsProgress: Bool
  ) throws(Failure) -> (DriftSession.Responses, signal: Int32?) {
    let signals = try SignalWatch.orError()
    do throws(SystemError) {
      return try Blocking.run(cancelledBy: signals) {
        let progress = DriftProgress(of: session.liveCaseCount, isShown: showsProgress)
        let ticking = showsProgress ? Task { await progress.tick() } : nil
        defer {
          ticking?.cancel()
          progress.end()
        }
        return await session.responses { progress.show($0) }
      }
    } catch {
      throw Failure(message: error.description)
    }
  }

  private static func tell(of remark: DriftSession.Remark, _ terminal: inout Terminal) {
    switch remark {
    case .noLiveCases: terminal.errors.write(line: HistoryListing.noLiveCases)
    case .held(let heldCount, let count):
      terminal.errors.write(
        line:
          "\(heldCount) of \(count.of("response")) not sent again: unchanged since an earlier run"
          + " (ETag)")
    case .failure(let failure): terminal.writeError(failure)
    case .leftOut(let count):
      terminal.errors.write(
        line:
          "kept no responses of \(count.of("case")): the responses of a run are limited to 64 MiB")
    }
  }
}

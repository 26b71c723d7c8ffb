import UnderstudyConsumers
import UnderstudyContractModel
import UnderstudyCore
import UnderstudyDrafting
import UnderstudyDrift
import UnderstudyFakeServer
import UnderstudyFindings
import UnderstudySystem

/// `understudy drift` holds the live APIs against the contracts.
enum DriftCommand {
  static func command(_ registry: ConsumerRegistry) -> Command {
    Command(
      name: "understudy drift",
      summary: "Compares the live APIs with the contracts",
      discussion: discussion,
      parameters: DriftOptions.declarations,
      examples: examples,
      exitCodes: [
        .pass: "The live APIs answer as the contracts say.",
        .findings: "Something has changed, or nothing was exercised.",
        .couldNotRun:
          "Could not run: wrong usage, contracts with errors, names that match nothing, a broken"
          + " file of accepted drift, or another run that is under way.",
        .couldNotCheck:
          "Nothing has changed, as far as is known, but something could not be checked.",
      ],
      run: { arguments, terminal throws(Failure) in
        let output = try ReportOutput(arguments)
        let library = try TestOptions.library(arguments)
        let options = try options(arguments, library)
        let (change, isDryRun) = try change(arguments)
        let session = try DriftSession(
          library, registry, options, environment: arguments.environment,
          warn: { HistoryCommand.warn(of: $1, in: $0, &terminal) })
        // Nobody else is to keep history, or change contracts, until this has.
        defer { withExtendedLifetime(session) {} }
        let (answers, signal) = try answers(session, showsProgress: terminal.showsProgress)
        if let signal { terminal.writeEndedEarly(by: signal) }
        let outcome = session.outcome(of: answers, toolVersion: UnderstudyVersion.text)
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
        // First, for an update that fails must not cost the report.
        let code = try output.publish(report, of: library, history: outcome.history, to: &terminal)
        guard let change else { return code }
        guard signal == nil else {
          terminal.errors.write(line: "left all contracts as they are: the run was ended")
          return code
        }
        return try update(change).apply(to: &terminal) ? code : .couldNotRun
      })
  }

  private static let discussion = [
    "Sends the requests of all cases that have \"live\" to the live APIs, by the services that expect"
      + " something of them and otherwise by itself, and says what has changed, how badly, on which"
      + " line of which contract, and whether the services still work. A service is judged by kind:"
      + " a value, or which error.",
    "ERR is a change that a service reads and that has broken it; WARN one that it reads and has"
      + " survived, or of which nobody knows who reads it; INFO one that nobody reads, and whatever is"
      + " only new.",
    "What seems to have changed is asked again. Values that change from answer to answer are no"
      + " change; types, fields, headers or a status that only some answers have are intermittent, and"
      + " are reported with how often they were seen. What broke a service in some answers stays a"
      + " finding until three nights have passed without it. --samples asks more often.",
    "An upstream that is away, asks to be left alone or refuses access is no change: the"
      + " check could not be made. \"rate\" of upstream.json is kept, and what an upstream says about"
      + " when it may be asked again; nothing waits longer than --deadline. Of the last period of a rate"
      + " before the deadline an eighth, and at least one of two requests, is left for asking again.",
    "What has an ETag is asked for by it: as long as it holds, which a 304 says, the answer kept of an"
      + " earlier run stands for it. Second answers are always sent, and every answer once a week; a"
      + " service that has conditions of its own is sent what it asks for.",
    "A redirect is no change: what it leads to is judged, and the redirect told. A service follows as"
      + " its own requests say. Up to five are followed, none from https to http, from a public name to a"
      + " bare address or a local name, or with a request that could change something on another host."
      + " One that is not followed is a change, and a service that would have followed it could not be"
      + " checked.",
    "Secrets come from the environment, by the names in upstream.json, and go to the address that"
      + " file declares and nowhere else. Without one that is needed, a case is not exercised. What"
      + " is printed, kept or written shows none of them, however an answer spells it; one of less"
      + " than four bytes is not looked for.",
    "--accepted names a file of drift that is known:"
      + " [{ \"contract\": \"github/repo\", \"case\": \"ok\", \"type\": \"SCHEMA_FIELD_REMOVED\","
      + " \"path\": \"/language\", \"reason\": \"…\", \"until\": \"2027-01-31\" }]. \"case\" and"
      + " \"path\" may be left out; in a path, * is any key or index, and an index any index. What it"
      + " names is shown as INFO until that day is over.",
    "The answers are kept in .understudy/drift/evidence, secrets redacted, those of the last 30 runs;"
      + " --replay judges those of one run again, but for services that fail and read what was"
      + " redacted. What each check came to is a line in"
      + " .understudy/drift/history.jsonl, which `understudy history` shows; what an upstream asked by"
      + " --base-url came to is none, unless --history names a file.",
    "--update writes what has changed into schema and example of the contracts by the smallest edit,"
      + " and into the values that services are expected to make of that; it says what it leaves and"
      + " why, and which checks of understudy test no longer hold. What was accepted stays as it is,"
      + " and so does a file that somebody has edited meanwhile. With --dry-run it prints a diff for"
      + " `git apply` instead. The exit code is that of the run, or 2 when a file could not be"
      + " updated.",
    "--add-cases leaves schema and example as they are, and writes each answer that has changed into"
      + " its contract as a case of its own, named by the day, with what the services make of it now:"
      + " a test of what an API once did. With --replay it does so for an earlier run.",
    "SIGINT, SIGTERM or SIGHUP ends a run early: what had answered by then is kept and reported, and"
      + " the rest could not be checked. A second signal ends it at once.",
  ]

  private static let examples = [
    Command.Example(line: "understudy drift", meaning: "Compare every live case."),
    Command.Example(
      line: "understudy drift joke --base-url joke=http://127.0.0.1:8080/joke --confirm 0s",
      meaning: "Ask a server of your own for the jokes."),
    Command.Example(
      line: "understudy drift --update --dry-run",
      meaning: "See what the contracts would have to say."),
    Command.Example(
      line: "understudy drift --add-cases --dry-run",
      meaning: "See what has changed as cases of their own."),
    Command.Example(
      line: "understudy drift --require-secrets --fail-on WARN --report junit=drift.xml",
      meaning: "Be strict, and leave a report for CI."),
  ]

  private static func options(
    _ arguments: ParsedArguments, _ library: ContractLibrary
  ) throws(Failure) -> DriftSession.Options {
    var options = DriftSession.Options()
    options.globs = try globs(arguments, library)
    options.accepted = try accepted(arguments, library)
    options.baseURLs = try DriftOptions.baseURLs(arguments, library)
    options.requiresSecrets = try arguments.value(of: DriftOptions.requireSecrets)
    options.configuration.failsOn = try arguments.value(of: DriftOptions.failOn)
    options.configuration.sampleCount = try arguments.value(of: DriftOptions.samples).value
    options.configuration.confirmPause = try arguments.value(of: DriftOptions.confirm).duration
    options.configuration.deadline = try arguments.value(of: DriftOptions.deadline).duration
    options.timeout = try arguments.value(of: DriftOptions.timeout).duration
    options.replay = try replay(arguments)
    options.historyPath = try arguments.value(of: DriftOptions.history)?.argument
    options.outageNightCount = try arguments.value(of: DriftOptions.outageNights).value
    return options
  }

  private static func globs(
    _ arguments: ParsedArguments, _ library: ContractLibrary
  ) throws(Failure) -> [CaseGlob] {
    let globs = try arguments.value(of: TestOptions.globs).map { CaseGlob($0.argument) }
    for glob in globs where !library.contracts.contains(where: glob.matchesCase) {
      throw .matchesNothing(glob.text, library)
    }
    return globs
  }

  private static func accepted(
    _ arguments: ParsedArguments, _ library: ContractLibrary
  ) throws(Failure) -> AcceptedDrift? {
    guard let path = try arguments.value(of: DriftOptions.accepted)?.argument else { return nil }
    let bytes = try FileRoot(around: path).read(path)
    let accepted = try AcceptedDrift(parsing: bytes, file: path)
    try accepted.hold(against: library)
    return accepted
  }

  private static func replay(_ arguments: ParsedArguments) throws(Failure) -> String? {
    guard let folder = try arguments.value(of: DriftOptions.replay)?.argument else { return nil }
    let idle = [
      DriftOptions.baseURLs.declaration, DriftOptions.confirm.declaration,
      DriftOptions.samples.declaration, DriftOptions.history.declaration,
    ].first(where: arguments.isGiven)
    if let idle {
      throw Failure(
        message: "found --\(idle.name) beside --replay, which asks nobody and keeps no history",
        fix: "leave one of them out")
    }
    return folder
  }

  /// No change is `nil`.
  private static func change(
    _ arguments: ParsedArguments
  ) throws(Failure) -> (DriftSession.Change?, isDryRun: Bool) {
    let isDryRun = try arguments.value(of: DriftOptions.dryRun)
    let updates = try arguments.value(of: DriftOptions.update)
    let adds = try arguments.value(of: DriftOptions.addCases)
    if updates, adds {
      throw Failure(
        message: "found --add-cases beside --update, which changes what those would be added to",
        fix: "leave one of them out")
    }
    if isDryRun, !updates, !adds {
      throw Failure(
        message: "found --dry-run without --update or --add-cases, which it is about",
        fix: "add one of them, or leave it out: without them no contract changes")
    }
    return (updates ? .update : adds ? .addCases : nil, isDryRun)
  }

  /// With the signal that has ended the run early.
  private static func answers(
    _ session: DriftSession, showsProgress: Bool
  ) throws(Failure) -> (DriftSession.Answers, signal: Int32?) {
    let signals = try SignalWatch.orError()
    do throws(SystemError) {
      return try Blocking.run(cancelledBy: signals) {
        let progress = DriftProgress(of: session.probeCount, isShown: showsProgress)
        let ticking = showsProgress ? Task { await progress.tick() } : nil
        defer {
          ticking?.cancel()
          progress.end()
        }
        return await session.answers { progress.show($0) }
      }
    } catch {
      throw Failure(message: error.description)
    }
  }

  private static func tell(of remark: DriftSession.Remark, _ terminal: inout Terminal) {
    switch remark {
    case .held(let heldCount, let count):
      terminal.errors.write(
        line:
          "\(heldCount) of \(count.of("answer")) not sent again: unchanged since an earlier run,"
          + " by ETag")
    case .failure(let failure): terminal.writeError(failure)
    case .leftOut(let count):
      terminal.errors.write(
        line: "kept no answers of \(count.of("case")): those of a run may have 64 MiB")
    }
  }
}

import UnderstudyClient
import UnderstudyConsumers
import UnderstudyContractModel
import UnderstudyCore
import UnderstudyDrift
import UnderstudyFakeServer
import UnderstudyFindings
import UnderstudySuite
import UnderstudySystem

/// `understudy test` checks services and commands against every case of their contracts.
///
/// `TestOptions` has the parameters. `RunSelection`, `ShardOption` and `Share` decide which checks
/// this machine runs, `TestRun` runs them in worker processes, and `ReportOutput` writes the
/// reports; `MergeCommand` joins those of several machines. `WorkerCommand` is the same program on
/// the other side of the pipe. `LastRun` keeps the checks that did not pass, for `--failed`.
///
/// Services are called in workers only, so none can end this process.
enum TestCommand {
  static func command(_ registry: ConsumerRegistry) -> Command {
    Command(
      name: "understudy test",
      summary: "Runs services and commands against every case of their contracts",
      discussion: discussion,
      parameters: TestOptions.declarations,
      optionGroups: TestOptions.groups,
      jsonOutput: """
        An object, also with --report json=PATH: schemaVersion, result (pass, fail or \
        couldNotCheck), exitCode, summary, counts by result, run (command, toolVersion, seed, shard, \
        division, plannedCount, failsOn, startedAt, durationNanoseconds, and the commit and branch \
        of the checkout), owners by upstream, brokenConsumers of a drift, findings on \
        the run as a whole, and checks, an array of objects with contract, case, consumer, file, \
        line, column, result, reason, attempts, durationNanoseconds and findings (severity, type, \
        message, file, line, column, path, diff, fix, page).
        """,
      examples: examples,
      variables: ShardFromEnvironment.variables,
      starts: .ofContracts,
      exitCodes: [
        .pass: "Every check passed.",
        .findings: "A consumer does not meet a contract's expectation, or nothing was exercised.",
        .couldNotRun:
          "Could not run: wrong usage, contracts with errors, names that match nothing, or"
          + " consumers that differ from consumers.json.",
        .couldNotCheck:
          "Nothing failed, but something could not be checked, or a signal ended the run.",
      ],
      run: { arguments, terminal throws(Failure) in
        let output = try ReportOutput(arguments)
        let mutation = try TestOptions.mutation(arguments)
        let words = try Selection(arguments)
        let (library, globs) = try words.loadAll(for: .running, &terminal)
        let differences = registry.differences(from: library.consumers)
        guard differences.isEmpty else {
          throw .otherConsumers(differences, isOfStockTool: registry.consumers.isEmpty)
        }
        let selection = try RunSelection(arguments, globs, in: library)
        let plan = SuitePlan(library, registry, where: selection.contains)
        if plan.checks.isEmpty { try explainNothing(plan, registry, library) }
        try refuseMissingPrograms(of: plan)
        if plan.checks.contains(where: { $0.command == nil }) { try CurlTransport.checkLibrary() }
        if let mutation {
          if plan.checks(for: mutation).isEmpty { throw .nothingToMutate(for: mutation.ids) }
          _ = try ReadsFile.read(for: library)
        }
        let share = try Share(arguments, of: plan, &terminal)
        let result = try TestRun(
          plan, share, try TestOptions.configuration(arguments), mutation,
          environment: CommandEnvironment.ofWorker(
            library.consumers, reading: WorkerCommand.variables),
          showsProgress: terminal.showsProgress
        ).report(
          command: selection.command(isMutation: mutation != nil),
          stale: try stale(arguments, library, selection, &terminal))
        if let signal = result.signal { terminal.writeEndedEarly(by: signal) }
        let report = result.report.requiring(
          percent: try arguments.value(of: TestOptions.requiredCoverage))
        guard mutation == nil else {
          return try output.publish(report, of: library, to: &terminal)
        }
        let isWhole = try words.isInStandardFolder && selection.isEverything && share == nil
        let isKept = keep(report, of: plan, isWhole: isWhole, &terminal)
        let code = try output.publish(report, of: library, to: &terminal)
        if isKept, terminal.isOutputShown, output.format == .text,
          !(report.checks(.fail) + report.checks(.couldNotCheck)).isEmpty
        {
          let folder = try words.isInStandardFolder ? "" : " --contracts \(words.folder)"
          let command = terminal.tool.inserted(in: "understudy test --failed")
          output.writeText(to: &terminal) { $0.write(line: "run these again: \(command)\(folder)") }
        }
        return code
      })
  }

  private static let discussion = """
    Starts the fake on a free port, calls every service and runs every command (a "consumer") for \
    every case that gives its outcome under "expect", and compares with the contract: the value, \
    or the error and its cause; of a command the exit code and the output; the requests sent, and \
    their number; and that none went to another host. Each check has its own session and all run \
    in parallel, so the run takes as long as its slowest case.

    SELECTION is UPSTREAM/ENDPOINT#CASE with * for any text and ? for any character; omitted parts \
    match anything: joke, dog-ceo/random-images, '*#reset'. Quote it if the shell would interpret \
    * or a leading #.

    Services are called in a separate process. If it crashes, or all its threads are busy for 30 s \
    longer than a case takes, the checks that were running are repeated, each in its own process: \
    a check that does it again has failed, and all others continue. The output of services goes to \
    stderr. SIGINT, SIGTERM or SIGHUP ends the run early with a report of the results so far; the \
    remaining checks could not be checked.

    A command is run as consumers.json declares it: without a shell or input, in the folder that \
    the contracts folder is in. UNDERSTUDY_URL_DOG_CEO is the base URL of the upstream dog-ceo, \
    UNDERSTUDY_URL the address of all, UNDERSTUDY_CASE the case. Of other variables it gets PATH, \
    HOME and the like, and those that consumers.json names; no credentials. After 30 s more than \
    the response takes, or the contract's "timeout", it is stopped with all that it started.

    A failure that may be the machine's fault, such as a delay it could not keep, is run again \
    alone; if it still cannot be checked, it is reported but not a failure. Cases without an \
    expectation are listed as not exercised.

    With --mutate the good JSON responses are mutated wherever a service reads them: values left \
    out, null, empty, huge or of another type, bodies cut off, HTML for JSON and more. A service \
    must end with an error it declares, or with the same value if it does not read the mutated \
    part; "tolerates" beside an expected value lists exceptions. Anything else is a finding, \
    including a crash or a hang, which affects only a separate process.

    With --shard 2/8 only the second of eight shards is run. All machines divide the run in the \
    same way, by the delays in the contracts or by --durations, which must be the same file on \
    all; "understudy merge" joins their reports. --shard auto takes the shard from \
    UNDERSTUDY_SHARD=2/8; from CI_NODE_INDEX and CI_NODE_TOTAL of GitLab; from CIRCLE_NODE_INDEX \
    and CIRCLE_NODE_TOTAL; from BUILDKITE_PARALLEL_JOB and BUILDKITE_PARALLEL_JOB_COUNT; or, in an \
    indexed Job of Kubernetes, from JOB_COMPLETION_INDEX, which also needs UNDERSTUDY_SHARD_COUNT. \
    Without --shard these variables are ignored.

    Checks that did not pass are stored in .understudy/last-test.json for --failed, until they are \
    run again. Runs with --mutate do not change it.

    With --max-age the run fails if a live case of a contract was not checked against the live API \
    within this time, as understudy history shows: a fake that is no longer compared proves \
    little.
    """

  private static let examples: Command.Examples = [
    "understudy test": "Run every check.",
    "understudy test joke 'dog-ceo/*#reset' --time-scale 0.1":
      "Run those of one upstream and some of another, ten times as fast.",
    "understudy test --mutate joke --mutants 1000": "Give a service a thousand mutated responses.",
    "understudy test --report junit=.understudy/junit.xml --require-coverage 90":
      "Write a report for CI, and fail when too little is exercised.",
    "understudy test --shard 2/8 --report json=shards/2.json":
      "Run an eighth, and write a report for \"understudy merge\".",
  ]

  /// For an executable without services: names the executable that has them, or what is missing.
  private static func explainNothing(
    _ plan: SuitePlan, _ registry: ConsumerRegistry, _ library: ContractLibrary
  ) throws(Failure) {
    guard plan.leftToOthers.isEmpty else { throw .leftToOthers(plan.leftToOthers) }
    guard registry.consumers.isEmpty else { return }
    throw .noConsumers(library.consumers.map(\.name))
  }

  /// Before any check, so that all commands are there or the run is not a run.
  static func refuseMissingPrograms(of plan: SuitePlan) throws(Failure) {
    if let missing = plan.checks.lazy.compactMap(\.command?.missingProgram).first { throw missing }
  }

  /// Contracts that were not checked within the allowed time.
  private static func stale(
    _ arguments: ParsedArguments, _ library: ContractLibrary, _ selection: RunSelection,
    _ terminal: inout Terminal
  ) throws(Failure) -> [Finding] {
    guard let age = try arguments.value(of: HistoryCommand.maxAge) else { return [] }
    return try HistoryCommand.read(HistoryFile(), &terminal).history.staleness(
      of: library.liveCases.filter { selection.names($0.contract, $0.liveCase) },
      ageMax: age, now: .now)
  }

  /// Returns whether it succeeded: a folder that is not writable must not cost the run.
  private static func keep(
    _ report: Report, of plan: SuitePlan, isWhole: Bool, _ terminal: inout Terminal
  ) -> Bool {
    do throws(Failure) {
      try LastRun.keep(report, planned: plan.checks.map(\.identity), isWhole: isWhole)
      return true
    } catch {
      terminal.writeWarning(
        Failure(
          message: "\(error.message), so --failed cannot repeat what failed in this run",
          fix: error.fix))
      return false
    }
  }
}

extension Failure {
  fileprivate static func nothingToMutate(for ids: [String]) -> Self {
    guard let id = ids.first else {
      return Self(
        message: "no selected case can be mutated: none is good, has JSON and expects a value",
        fix: "select other cases")
    }
    return Self(
      message: "no mutant of the selected cases has the id \"\(id)\"",
      fix: "copy its id from a report of \"understudy test --mutate\"")
  }

  fileprivate static func otherConsumers(_ differences: [String], isOfStockTool: Bool) -> Self {
    Self(
      message: "the consumers differ from those of consumers.json: "
        + differences.joined(separator: "; "),
      fix: isOfStockTool
        ? "run the executable that registers them, and name it in consumers.json: \"in\":"
          + " \"my-tool\""
        : "declare every registered consumer, and register every declared one")
  }

  fileprivate static func leftToOthers(_ names: [String: [String]]) -> Self {
    let tools = names.sorted { $0.key < $1.key }
    return Self(
      message: tools.map { tool, names in
        "only \(tool) can run \(names.count > 3 ? names.count.of("consumer") : names.joined(separator: ", "))"
      }.joined(separator: "; "),
      fix: tools.map { "\($0.key) test" }.joined(separator: ", then "))
  }

  /// - Parameter consumers: all that is declared.
  fileprivate static func noConsumers(_ consumers: [String]) -> Self {
    guard let first = consumers.first else {
      return Self(
        message: "nothing was exercised: no consumer is declared for these contracts",
        fix:
          "let a test runner use them: understudy run -- COMMAND; or declare a command of yours in"
          + " consumers.json")
    }
    return Self(
      message: "nothing was exercised: no case expects anything of "
        + consumers.joined(separator: " or "),
      fix: "say in a case how it must end: \"expect\": { \"\(first)\": { \"exitCode\": 0 } }")
  }
}

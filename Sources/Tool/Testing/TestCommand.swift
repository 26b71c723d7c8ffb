import UnderstudyConsumers
import UnderstudyContractModel
import UnderstudyCore
import UnderstudyDrift
import UnderstudyFakeServer
import UnderstudyFindings
import UnderstudySuite
import UnderstudySystem

/// `understudy test` holds services against every case of their contracts.
enum TestCommand {
  static func command(_ registry: ConsumerRegistry) -> Command {
    Command(
      name: "understudy test",
      summary: "Runs services against every case of their contracts",
      discussion: discussion,
      parameters: TestOptions.declarations,
      examples: examples,
      variables: ShardFromEnvironment.variables,
      exitCodes: [
        .pass: "Every check passed.",
        .findings: "A service does not do what a contract says, or nothing was exercised.",
        .couldNotRun:
          "Could not run: wrong usage, contracts with errors, names that match nothing, or"
          + " consumers that differ from consumers.json.",
        .couldNotCheck:
          "Nothing failed, but something could not be judged, or a signal ended the run.",
      ],
      run: { arguments, terminal throws(Failure) in
        let output = try ReportOutput(arguments)
        let mutation = try TestOptions.mutation(arguments)
        let library = try TestOptions.library(arguments)
        let differences = registry.differences(from: library.consumers)
        guard differences.isEmpty else {
          throw .otherConsumers(differences, isOfStockTool: registry.consumers.isEmpty)
        }
        let selection = try RunSelection(arguments, library)
        let plan = SuitePlan(library, registry, where: selection.contains)
        if plan.checks.isEmpty { try explainNothing(plan, registry, library) }
        if let mutation, plan.checks(for: mutation).isEmpty { throw .nothingToDamage() }
        let share = try Share(arguments, of: plan, &terminal)
        let result = try TestRun(
          plan, share, try TestOptions.configuration(arguments), mutation,
          showsProgress: terminal.showsProgress
        ).report(
          command: selection.command(isMutation: mutation != nil),
          stale: try stale(arguments, library, selection, &terminal))
        if let signal = result.signal { terminal.writeEndedEarly(by: signal) }
        let report = result.report.requiring(
          percent: try arguments.value(of: TestOptions.requiredCoverage)?.value)
        if mutation == nil {
          let isPart = try !arguments.value(of: TestOptions.contracts).isEmpty
          let isWhole = !isPart && selection.isEverything && share == nil
          keep(report, of: plan, isWhole: isWhole, &terminal)
        }
        return try output.publish(report, of: library, to: &terminal)
      })
  }

  private static let discussion = [
    "Starts the fake on a free port, calls every service (a \"consumer\") for every case that says"
      + " under \"expect\" what it must make of it, and holds against the contract: the value, or"
      + " the error and what went wrong beneath; the requests it sent, and how many; and that none"
      + " went to another host. Each check has a session of its own and all run at the same time,"
      + " so that the run takes as long as its slowest case.",
    "GLOB is UPSTREAM/ENDPOINT#CASE with * for any text and ? for any character; parts that are"
      + " left out are any: joke, dog-ceo/random-images, '*#reset'. Quote it where a shell would take"
      + " * or a leading # for its own.",
    "Services are called in a process of their own. When one crashes, or keeps every thread busy for"
      + " 30 s longer than its case takes, what was under way is run again, each check in a process"
      + " by itself: the check that does it again has failed, and all others go on. What services"
      + " print goes to stderr. SIGINT, SIGTERM or SIGHUP ends the run early with a report of what"
      + " is known; what was still to come could not be checked.",
    "What may be the machine's fault, such as a delay it could not keep, is run again alone; if it"
      + " still cannot be judged, that is said, and is no failure. Cases that nobody expects"
      + " anything of are listed as not exercised.",
    "With --mutate the good JSON answers are damaged instead, wherever a service reads them: values"
      + " left out, null, empty, huge or of another type, bodies cut off, HTML for JSON and more. A"
      + " service must end in an error it declares, or give the same value where it does not look;"
      + " \"tolerates\" beside an expected value says where else it may. All else is a finding, and"
      + " so is a crash or a hang, of which only a process of its own dies.",
    "With --shard 2/8 only the second of eight machines' shares is run. All machines divide alike,"
      + " by the delays in the contracts, or by --durations, which has to be the same file on all;"
      + " \"understudy merge\" joins their reports. --shard auto takes the number from"
      + " UNDERSTUDY_SHARD=2/8; from CI_NODE_INDEX and CI_NODE_TOTAL of GitLab; from"
      + " CIRCLE_NODE_INDEX and CIRCLE_NODE_TOTAL; from BUILDKITE_PARALLEL_JOB and"
      + " BUILDKITE_PARALLEL_JOB_COUNT; or in an indexed Job of Kubernetes from"
      + " JOB_COMPLETION_INDEX, where UNDERSTUDY_SHARD_COUNT has to be set beside it. Without --shard"
      + " these variables change nothing.",
    "What did not pass is remembered in .understudy/last-test.json for --failed, until it is run"
      + " again. A run of mutants changes nothing of it.",
    "With --format json, and --report json=PATH, one object is printed. Its keys: schemaVersion,"
      + " verdict (pass, fail or couldNotCheck), exitCode, summary, counts by verdict, run, owners by"
      + " upstream, findings about the run as a whole, and checks, an array of objects with contract,"
      + " case, consumer, file, line, column, verdict, reason, attempts, durationNanoseconds and"
      + " findings (severity, type, message, file, line, column, path, diff, fix). What is not there"
      + " is null.",
    "With --max-age a contract of which a live case was not held against the live API for longer"
      + " fails the run, as understudy history shows it: a fake that nobody compares any more proves"
      + " little.",
  ]

  private static let examples = [
    Command.Example(line: "understudy test", meaning: "Run every check."),
    Command.Example(
      line: "understudy test joke 'dog-ceo/*#reset' --time-scale 0.1",
      meaning: "Run those of one upstream and some of another, ten times as fast."),
    Command.Example(
      line: "understudy test --mutate joke --mutants 1000",
      meaning: "Feed a service a thousand damaged answers."),
    Command.Example(
      line: "understudy test --report junit=.understudy/junit.xml --require-coverage 90",
      meaning: "Leave a report for CI, and fail when too little is exercised."),
    Command.Example(
      line: "understudy test --shard 2/8 --report json=shards/2.json",
      meaning: "Run an eighth, and leave a report for \"understudy merge\"."),
  ]

  /// Where this executable has no service to run at all, another one does, or `run`.
  private static func explainNothing(
    _ plan: SuitePlan, _ registry: ConsumerRegistry, _ library: ContractLibrary
  ) throws(Failure) {
    guard plan.leftToOthers.isEmpty else { throw .leftToOthers(plan.leftToOthers) }
    guard registry.consumers.isEmpty else { return }
    throw .noConsumers(commands: library.consumers.map(\.name), tool: registry.toolName)
  }

  /// Contracts that were not verified for longer than is allowed.
  private static func stale(
    _ arguments: ParsedArguments, _ library: ContractLibrary, _ selection: RunSelection,
    _ terminal: inout Terminal
  ) throws(Failure) -> [Finding] {
    guard let age = try arguments.value(of: HistoryCommand.maxAge) else { return [] }
    return try HistoryCommand.read(HistoryFile(), &terminal).history.staleness(
      of: library.liveCases.filter { selection.names($0.contract, $0.probe) },
      ageMax: age.duration, now: .now)
  }

  /// A folder that cannot be written to is no reason to lose a run.
  private static func keep(
    _ report: Report, of plan: SuitePlan, isWhole: Bool, _ terminal: inout Terminal
  ) {
    do throws(Failure) {
      try LastRun.keep(report, planned: plan.checks.map(\.identity), isWhole: isWhole)
    } catch {
      terminal.writeError(error)
    }
  }
}

extension Failure {
  fileprivate static func nothingToDamage() -> Self {
    Self(
      message:
        "found no answer to damage: no case that was named is a good one with JSON of which a"
        + " value is expected",
      fix: "name others, and a mutant as a report does")
  }

  fileprivate static func otherConsumers(_ differences: [String], isOfStockTool: Bool) -> Self {
    Self(
      message: "the consumers differ from those of consumers.json: "
        + differences.joined(separator: "; "),
      fix: isOfStockTool
        ? "run the executable that has them, and name it in consumers.json: \"in\": \"my-tool\""
        : "declare what is registered, and register what is declared")
  }

  fileprivate static func leftToOthers(_ names: [String: [String]]) -> Self {
    let tools = names.keys.sorted().map { "declared for \($0): run `\($0) test`" }
    return Self(message: tools.joined(separator: "; "))
  }

  /// - Parameter commands: all that is declared.
  fileprivate static func noConsumers(commands: [String], tool: String) -> Self {
    guard let first = commands.first else {
      return Self(
        message: "nothing was exercised: no consumer is declared for these contracts",
        fix: "let a command or test runner use them: \(tool) run -- COMMAND; or declare services in"
          + " consumers.json, and register them in an executable of your own")
    }
    return Self(
      message: "nothing was exercised: \(tool) test calls services, and consumers.json declares"
        + " commands",
      fix: "run one: \(tool) run --consumer \(first) -- COMMAND")
  }
}

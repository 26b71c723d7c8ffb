import UnderstudyContractModel
import UnderstudyCore
import UnderstudyFakeServer
import UnderstudyFindings
import UnderstudyReports
import UnderstudySystem

/// `understudy run` starts a fake, runs a command beside it, and judges what the command asked for.
enum RunCommand {
  private static let words = Parameter<[CommandWord]>.requiredArguments(
    "COMMAND", "The command, and what it is given; after --, so that its options are its own.")
  private static let contracts = Parameter<[FilePath]>.options(
    "contracts", "PATH",
    "A folder of contracts, one of its upstreams, or a contract; without it, Contracts.")
  private static let required = Parameter<[Word]>.options(
    "require", "CASES", "Cases the command has to ask for: 'dog-ceo/random-*', '*#not-found'.")
  private static let each = Parameter<[Word]>.options(
    "each-case", "CASES", "Run the command once for each of these cases, with the case in force.")

  private static let consumer = Parameter<Word?>.optionalOption(
    "consumer", "NAME",
    "Hold the command against what contracts expect of this one of consumers.json.")

  static let command = Command(
    name: "understudy run",
    summary: "Runs a command beside a fake, and judges what it asked for",
    discussion: [
      "For tests in any language. The command finds the fake by its environment: UNDERSTUDY_URL is"
        + " the address of all upstreams, UNDERSTUDY_URL_DOG_CEO the base URL of the upstream"
        + " dog-ceo, and so on. The port is any that is free.",
      "Findings are: a request that no contract answers, with those that come nearest; no request"
        + " at all; a case of --require that was not asked for; a command that exits with anything"
        + " but 0 or is ended by a signal; and one that is still running after --timeout, which is"
        + " ended with all it has started. A command with a time limit reads nothing on stdin.",
      "Tests that run at the same time take a session each: a client whose base URL is"
        + " $UNDERSTUDY_URL/~worker-3/dog-ceo/api has cases, scripts and state of its own. While the"
        + " command runs, a test chooses the case it needs by the admin API, in either of these ways:",
      """
        curl -X PUT -d '{"case": "not-found"}' \\
          $UNDERSTUDY_URL/~worker-3/__understudy/contracts/dog-ceo/random-images/case
        understudy use --session worker-3 dog-ceo/random-images=not-found
      """,
      "POST /__understudy/reset forgets what was chosen, GET /__understudy/journal lists the"
        + " requests, and GET /__understudy/openapi.json describes the rest. --case and --script"
        + " choose what is played from the start.",
      "With --each-case the command also finds UNDERSTUDY_CASE, such as"
        + " dog-ceo/random-images#not-found, and each run has a fake of its own. It has to ask for"
        + " the case and exit with 0 if it took it well. A star stands for any letters; dog-ceo"
        + " means every case of the upstream, dog-ceo/random-images every case of the contract.",
      "With --consumer the command is run once for each case that says under \"expect\" how the"
        + " consumer of this name must end, with the case in force: with which exit code, what it"
        + " must have printed, and how many requests it sends. What an \"expect\" does not speak of"
        + " is listed as not exercised; --each-case leaves out all other cases. The verdict is a"
        + " report as of \"understudy test\", for programs too.",
      "--report writes the verdict on each case with --consumer and with --each-case. SIGINT, SIGTERM"
        + " or SIGHUP goes on to the command and ends the run with a report of what is known.",
      "What the command prints stays as it is; the verdict follows on stderr. With --format json"
        + " one object is printed on stdout, and the command prints on stderr. With --consumer its"
        + " keys are those \"understudy test --help\" names. Without, they are: command, problems,"
        + " requests, interrupted (a signal), runs, an array of objects with case, exitCode, signal,"
        + " requests and findings (message, fix and nearest); missing, the cases of --require nobody"
        + " asked for; and asked, how often each case was played. What is not there is null.",
    ],
    parameters: [
      words.declaration, contracts.declaration, required.declaration, each.declaration,
      consumer.declaration,
    ] + RunOptions.declarations + [
      TestOptions.reports.declaration, OutputFormat.option.declaration,
    ],
    examples: [
      Command.Example(
        line: "understudy run -- ./test-client",
        meaning: "Run a test beside a fake of the contracts below ./Contracts."),
      Command.Example(
        line: "understudy run --require 'dog-ceo/*#ok' -- ./test-client",
        meaning: "The same, and it has to ask for these cases."),
      Command.Example(
        line: "understudy run --each-case dog-ceo --time-scale 0 -- ./test-client",
        meaning: "Run it once for each way the upstream may answer, without delays."),
      Command.Example(
        line: "understudy run --each-case dog-ceo --report junit=run.xml -- ./test-client",
        meaning: "The same with all delays, and leave a report for CI."),
      Command.Example(
        line: "understudy run --consumer dogs-cli -- ./test-client",
        meaning: "Hold a command against what contracts expect of it, case by case."),
    ],
    exitCodes: [
      .pass: "No findings, and the command exited with 0, each time.",
      .findings: "Findings, of which the command's own failure is one.",
      .couldNotRun:
        "Could not run: wrong usage, contracts with errors, or a command that cannot be started.",
      .couldNotCheck:
        "No findings until a signal ended the command early, or something could not be judged.",
    ],
    run: { arguments, terminal throws(Failure) in
      let words = try arguments.value(of: words).map(\.argument)
      let paths = try arguments.value(of: contracts)
      let library = try ContractPaths.load(paths.isEmpty ? ContractPaths.standard : paths)
      let errors = LintReport(library, only: .error)
      guard errors.errorCount == 0 else {
        errors.writeText(to: &terminal.errors)
        throw .brokenContracts(errors)
      }
      let required = try CaseID.named(by: arguments.value(of: required), in: library)
      let cases = try CaseID.named(by: arguments.value(of: each), in: library)
      let options = try RunOptions(arguments, library)
      let output = try ReportOutput(arguments)
      if let name = try arguments.value(of: consumer)?.argument {
        let others = [
          RunCommand.required.declaration, ServeOptions.cases.declaration,
          ServeOptions.scripts.declaration,
        ]
        if let other = others.first(where: arguments.isGiven) {
          throw .excludes("--\(other.name)", "--consumer")
        }
        let report = try ConsumerRun(of: words, as: name, cases, in: library).report(options)
        return try output.publish(report, of: library, besideOutput: true, to: &terminal)
      }
      let reports = try arguments.value(of: TestOptions.reports)
      if cases.isEmpty, !reports.isEmpty { throw .needsCases("--report") }
      var report = RunReport(of: words, cases, required: required, in: library)
      try perform(words, cases.isEmpty ? [nil] : cases, library, options, &report, &terminal)
      if options.outputToErrors {
        report.writeJSON(to: &terminal.output)
      } else {
        report.writeSummary(to: &terminal.errors)
      }
      if !reports.isEmpty { try output.write(report.report, of: library, to: &terminal) }
      return report.exitCode
    })

  /// Every run after the other, until a signal ends it.
  private static func perform(
    _ words: [String], _ cases: [CaseID?], _ library: ContractLibrary, _ options: RunOptions,
    _ report: inout RunReport, _ terminal: inout Terminal
  ) throws(Failure) {
    let signals = try SignalWatch.orError()
    let pool = LoopPool(loopCountMax: 1)
    defer { pool.stop() }
    for played in cases {
      let run = try JudgedRun(of: words, playing: played, library, options, on: pool, signals)
      report.add(run)
      if !options.outputToErrors { report.writeLast(to: &terminal.errors) }
      _ = terminal.flush()
      if run.interruption != nil { return }
    }
  }
}

/// A word of a command, as it is.
private struct CommandWord: ArgumentValue {
  static let shape = ValueShape.other("a command and its arguments")
  let argument: String

  init(argument: String) { self.argument = argument }
}

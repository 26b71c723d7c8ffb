import UnderstudyContractModel
import UnderstudyCore
import UnderstudyFakeServer
import UnderstudyFindings
import UnderstudyReports
import UnderstudySuite
import UnderstudySystem

/// `understudy run` starts a fake, runs a command with it, and checks the command's requests.
///
/// `CheckedRun` is one run of the command with a fake of its own, `Tally` counts its requests as
/// they come, and `RunReport` makes findings and the result of all runs. `CommandSafety` prepares
/// this process before it starts commands: those of contracts find no credentials in it, and a
/// guard ends what a killed run leaves behind.
enum RunCommand {
  private static let words = Parameter.arguments(
    "COMMAND", ValueFormat(.other("a command and its arguments")) { $0 }, isRequired: true,
    isAfterDashes: true, "The command and its arguments, after --.")
  private static let required = Parameter.options(
    "require", "CASES", .word,
    "Cases the command must request: 'dog-ceo/random-*', '*#not-found'.")
  private static let each = Parameter.options(
    "each-case", "CASES", .word,
    "Run the command once for each of these cases, while the fake serves it.")

  static let command = Command(
    name: "understudy run",
    summary: "Runs a command with a fake, and checks its requests",
    discussion: """
      For tests in any language. The command finds the fake through its environment: \
      UNDERSTUDY_URL is the address of all upstreams, UNDERSTUDY_URL_DOG_CEO the base URL of the \
      upstream dog-ceo, and so on. The fake uses a free port.

      Findings are: an unmatched request, with the nearest contracts; no request at all; a case of \
      --require that was not requested; a command that exits with a code other than 0 or is killed \
      by a signal; and a command still running after --timeout, which is stopped with all its \
      child processes. A command with a time limit has no stdin.

      Tests that run in parallel use one session each: a client with the base URL \
      $UNDERSTUDY_URL/~worker-3/dog-ceo/api has its own cases, scripts and state. While the \
      command runs, a test chooses its case through the admin API, in either of these ways:

        curl -X PUT -d '{"case": "not-found"}' \\
          $UNDERSTUDY_URL/~worker-3/__understudy/contracts/dog-ceo/random-images/case
        understudy use --session worker-3 dog-ceo/random-images=not-found

      POST /__understudy/reset clears the choices, GET /__understudy/journal lists the requests, \
      and GET /__understudy/openapi.json describes the rest. --case and --script set what is \
      served from the start.

      With --each-case, each run has its own fake, and the command also gets UNDERSTUDY_CASE, such \
      as dog-ceo/random-images#not-found. It must request the case, and exit with 0 if it handled \
      it well. A star matches any text; dog-ceo means every case of the upstream, \
      dog-ceo/random-images every case of the contract.

      A client that calls a live API meets the fake, too: HTTP_PROXY and HTTPS_PROXY make the fake \
      its proxy, JAVA_TOOL_OPTIONS that of Java, and NODE_USE_ENV_PROXY or, before Node 22.21, \
      NODE_OPTIONS that of Node. A request to the host of an upstream gets what the contracts say; \
      one to any other host gets 502 and is a finding, or with --pass-through reaches that host. \
      NO_PROXY keeps this machine's other ports out of it. --no-proxy leaves all this out.

      For HTTPS an authority is made for the run alone: SSL_CERT_FILE, CURL_CA_BUNDLE, \
      REQUESTS_CA_BUNDLE, GIT_SSL_CAINFO and AWS_CA_BUNDLE name a file with its certificate and \
      the system's, NODE_EXTRA_CA_CERTS one with its certificate, and Java gets a trust store of \
      them, so that clients trust the fake without being told. With --tls the addresses of \
      UNDERSTUDY_URL begin with https, too.

      With --hermetic nothing leaves the machine (Linux). The command gets a network of its own, \
      without other machines, in which the hosts of upstreams are the fake: even clients that \
      ignore proxies and variables meet it. A name that no upstream declares is a finding. Where \
      the system forbids such networks, the command is not run, or with --hermetic=try run \
      without one.

      --report writes the same reports as understudy test. With --each-case they have the result \
      on each case. Without it they have a check for each case, which passes if the command \
      requested the case and is otherwise not exercised; all findings concern the run as a whole. \
      SIGINT, SIGTERM or SIGHUP is forwarded to the command and ends the run with a report of the \
      results so far.

      A command that consumers.json declares is run by "understudy test", case by case, and also \
      checked for its exit code and output.

      The command's output is passed through; the result follows on stderr. With --format json, or \
      a report that is printed, only that is on stdout, and the command's output goes to stderr.
      """,
    parameters: [
      Selection.wholeContracts.declaration, words.declaration, Selection.folder.declaration,
      required.declaration, each.declaration,
    ] + RunOptions.declarations + [
      ReportOutput.reports.declaration, OutputFormat.option.declaration,
    ],
    jsonOutput: """
      An object: command; problems; requests; passedThrough, how many went to other hosts; interrupted, a signal; runs, an array of objects \
      with case, exitCode, signal, requests and findings (message, fix and nearest); skipped, an \
      array of objects with case and reason, which could not be served; missing, the \
      cases of --require that were not requested; and served, how often each case was.
      """,
    examples: [
      "understudy run -- ./test-client":
        "Run a test with a fake of the contracts below ./Contracts.",
      "understudy run --require 'dog-ceo/*#ok' -- ./test-client":
        "The same; these cases must be requested.",
      "understudy run --tls -- ./test-client": "Run it over HTTPS.",
      "understudy run --hermetic -- ./test-client": "Run it in a network without a way out.",
      "understudy run --each-case dog-ceo --time-scale 0 -- ./test-client":
        "Run it once for each case of the upstream, without delays.",
      "understudy run --each-case dog-ceo --report junit=run.xml -- ./test-client":
        "The same with all delays, and write a report for CI.",
    ],
    starts: .ofUser,
    exitCodes: [
      .pass: "No findings, and the command exited with 0, each time.",
      .findings: "There are findings, such as a failure of the command.",
      .couldNotRun:
        "Could not run: wrong usage, contracts with errors, or a command that cannot be started.",
      .couldNotCheck:
        "No findings, but a signal ended the command early, or something could not be checked.",
    ],
    run: { arguments, terminal throws(Failure) in
      let words = try command(arguments)
      let library = try Selection(arguments, by: Selection.wholeContracts)
        .loadSound(for: .reading, &terminal)
      let required = try CaseID.named(by: arguments.value(of: required), in: library)
      let cases = try CaseID.named(by: arguments.value(of: each), in: library)
      let output = try ReportOutput(arguments)
      let options = try RunOptions(
        arguments, library, for: cases, outputToErrors: output.isForProgram, &terminal)
      var report = RunReport(of: words, cases, required: required, in: library)
      try perform(words, library, options, output, &report, &terminal)
      switch output.format {
      case .text: report.writeSummary(to: &terminal.errors)
      case .json: report.writeJSON(to: &terminal.output)
      }
      try output.write(report.report, of: library, to: &terminal)
      return report.exitCode
    })

  private static func command(_ arguments: ParsedArguments) throws(Failure) -> [String] {
    let others = arguments.words(of: Selection.wholeContracts.declaration)
    if !others.isEmpty, arguments.words(of: words.declaration).isEmpty {
      throw Failure(
        message: "missing -- before the command",
        fix: "put -- before the command: understudy run -- \(others.joined(separator: " "))")
    }
    return try arguments.value(of: words)
  }

  /// The runs, one after the other, until a signal interrupts them.
  private static func perform(
    _ words: [String], _ library: ContractLibrary, _ options: RunOptions, _ output: ReportOutput,
    _ report: inout RunReport, _ terminal: inout Terminal
  ) throws(Failure) {
    let signals = try SignalWatch.orError()
    if let obstacle = options.trustObstacle {
      terminal.writeWarning(
        Failure(
          message: "the command gets no proxy and no HTTPS: \(obstacle.message)",
          fix: obstacle.fix))
    }
    if let parents = options.parents, parents.shown != nil {
      terminal.errors.write(line: parents.words)
    }
    let pool = LoopPool(loopCountMax: 1)
    defer { pool.stop() }
    let cases: [CaseID?] = report.cases.isEmpty ? [nil] : report.cases
    for served in cases {
      if let served, served.served?.fault?.needsTLS == true, let obstacle = options.trustObstacle {
        report.skip(served, because: obstacle.message)
        continue
      }
      let run = try CheckedRun(
        of: words, serving: served, library, options, on: pool, signals)
      report.add(run)
      if output.format == .text { report.writeLast(to: &terminal.errors) }
      _ = terminal.flush()
      if run.interruption != nil { return }
    }
  }
}

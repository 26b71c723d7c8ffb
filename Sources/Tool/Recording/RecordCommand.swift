import UnderstudyContractModel
import UnderstudyCore
import UnderstudyDrafting
import UnderstudyDrift
import UnderstudyRecording

/// `understudy record` writes contracts from the responses of a live API.
///
/// `RecordValues` has the forms of its arguments, and `RecordingSession` in the target `Recording`
/// sends the requests. `RecordReport` and `FileChange+Reporting` show what was written.
/// `ServeRecording` has the options by which `understudy serve` records.
enum RecordCommand {
  static let urls = Parameter.arguments(
    "URL", .recorded, "The URLs to request; several of one endpoint become one contract.")
  private static let words = Parameter.arguments(
    "COMMAND", ValueFormat(.other("a command and its arguments")) { $0 }, isAfterDashes: true,
    "A command and its arguments, after --, whose requests are recorded.")
  private static let onlyHost = Parameter.options(
    "only-host", "HOST",
    ValueFormat(.other("a host, such as api.example.com")) { text in
      text.isEmpty || text.contains("/") ? nil : text.lowercased()
    }, "A host that a command's requests are recorded from; others are only asked. Default: all.")
  private static let hermetic = HermeticChoice.option(
    "Give the command a network in which the hosts of --only-host and of upstreams are passed on,"
      + " and no others exist")
  static let upstream = Parameter.option(
    "upstream", "NAME", UpstreamName.format,
    "The upstream's name; NAME=URL also sets its base URL. Default: derived from the host.")
  static let samples = Parameter.option(
    "samples", "COUNT", .count, default: 3,
    "How often to request each URL, to see which values change.")
  static let paths = Parameter.options(
    "path", "PATH", .pathTemplate,
    "The path of a contract, such as '/users/{name}', instead of a guess.")
  static let headers = Parameter.options(
    "header", short: "H", "HEADER", .headerLine,
    "A header to send: 'Accept: text/html'. Credentials are never written.")
  static let timeout = Parameter.option(
    "timeout", "TIME", .time, default: .seconds(30), "The time limit of each response.")
  static let force = Parameter.flag("force", "Replace existing contracts.")
  static let dryRun = Parameter.flag(
    "dry-run", "Show what would be written, and write nothing.")

  static let command = Command(
    name: "understudy record",
    summary: "Makes contracts from the responses of a live API",
    discussion: """
      Requests each URL several times and writes contracts from the responses. Schemas are \
      inferred from all responses: optional members, nullable values, formats. Numbers, UUIDs and \
      the like in a path become parameters, so that /users/1 and /users/2 are one contract; --path \
      overrides this. Each status and each value of a parameter becomes its own case. All requests \
      to a URL are GET.

      With -- and a command, such as your tests, what the command asks live APIs is recorded, with \
      all methods and bodies: it runs once, with a proxy and with files to trust it by, as in \
      "understudy run", and each host that it asks becomes an upstream. "understudy run" with the \
      same command then needs no network. With --hermetic it gets a network of its own, so that \
      clients that ignore proxies are recorded, too, and only the hosts that you name are asked. \
      "understudy serve --record" records what clients ask by \
      hand.

      Connection headers are left out, and so are headers that differ from one response to the \
      next. Members, headers and parameters with credentials are masked or left out, and so are \
      the secrets sent. If the upstream already exists, its headers and secrets are sent, a secret \
      to no other host than --secret says.

      The new contracts pass "understudy lint" and are served at once: a request that does not get \
      the same status, body and headers is listed as not recorded, with the reason. A request with \
      several responses gets a script of them. A case has "live" only if "understudy drift" can \
      send the same request. An existing contract gets a case for each new status, and nothing \
      else without --force, which also removes body files no longer needed.
      """,
    parameters: [
      urls.declaration, words.declaration, Selection.folder.declaration, onlyHost.declaration,
      hermetic.declaration, upstream.declaration, samples.declaration,
      paths.declaration, headers.declaration, SecretHost.option.declaration, timeout.declaration,
      force.declaration, dryRun.declaration, OutputFormat.option.declaration,
    ],
    jsonOutput: """
      An object, printed when all is done: written, true or false; upstreams, an array of objects \
      with upstream, baseURL, contracts, notRecorded, findings and refusals; files, an array of \
      objects with file and change, "write" or "remove"; withoutResponse, the URLs without a \
      response; and problems, what is wrong with a command. An entry of contracts has contract, method, path, fate, guesses, cases, scripts, \
      leftOut, differs, masked and notLive.
      """,
    examples: [
      "understudy record --dry-run http://127.0.0.1:8080/users/1": "Show what would be recorded.",
      "understudy record --upstream users http://127.0.0.1:8080/users/1":
        "Write Contracts/users/upstream.json and a contract beside it.",
      "understudy record --only-host 127.0.0.1 -- curl -s 127.0.0.1:8080/users/1":
        "Record what a command asks this API.",
    ],
    exitCodes: [
      .pass: "Recorded, or with --dry-run: can be recorded.",
      .findings:
        "A request was not recorded, the command failed or asked nothing, or lint finds errors; the"
        + " others are recorded.",
      .couldNotRun: "Could not run: wrong usage, or a folder that cannot be written.",
      .couldNotCheck: "A URL had no complete response; the others are recorded.",
    ],
    run: { arguments, terminal throws(Failure) in
      let command = try arguments.value(of: words)
      return try command.isEmpty
        ? recordURLs(arguments, &terminal) : record(command, arguments, &terminal)
    })

  private static func recordURLs(
    _ arguments: ParsedArguments, _ terminal: inout Terminal
  ) throws(Failure) -> ExitCode {
    let urls = try arguments.value(of: urls)
    guard !urls.isEmpty else {
      throw Failure(
        message: "nothing to record",
        fix: "name a URL, or a command after --: understudy record -- pytest")
    }
    if let host = try arguments.value(of: onlyHost).first {
      throw Failure(
        message: "--only-host \(host) needs a command after --", fix: "leave it out for URLs")
    }
    guard !arguments.isGiven(hermetic.declaration) else {
      throw Failure(message: "--hermetic needs a command after --", fix: "leave it out for URLs")
    }
    let session = try RecordingSession(
      urls, try options(arguments), environment: arguments.environment,
      differs: { $0.differs(from: $1, in: $2) })
    let responses = try Blocking.value(of: session.ask)
    let report = RecordReport(
      writes: try !arguments.value(of: dryRun), failures: responses.failures)
    return try write(responses.byTarget, report, arguments, &terminal) {
      exchanges, target throws(Failure) in try session.recording(of: exchanges, for: target)
    }
  }

  private static func record(
    _ command: [String], _ arguments: ParsedArguments, _ terminal: inout Terminal
  ) throws(Failure) -> ExitCode {
    let ofURLs = [
      upstream.declaration, samples.declaration, headers.declaration, timeout.declaration,
      SecretHost.option.declaration,
    ]
    if let option = ofURLs.first(where: arguments.isGiven) {
      throw Failure(
        message: "--\(option.name) is for URLs, not for a command",
        fix: "leave it out: the command's own requests are recorded")
    }
    guard try arguments.value(of: urls).isEmpty else {
      throw Failure(
        message: "found a URL and a command", fix: "record one after the other")
    }
    let format = try arguments.value(of: OutputFormat.option)
    let isHermetic = try HermeticChoice.isPossible(arguments.value(of: hermetic), &terminal)
    let run = try RecordedRun(
      of: command, into: try arguments.value(of: Selection.folder),
      onlyHosts: try arguments.value(of: onlyHost), isHermetic: isHermetic, arguments,
      printsToErrors: format == .json)
    let (paths, force) = (try arguments.value(of: paths), try arguments.value(of: force))
    var report = RecordReport(writes: try !arguments.value(of: dryRun))
    report.problems = run.failures
    report.command = command
    report.isHermetic = isHermetic
    return try write(run.responses.byTarget, report, arguments, &terminal) {
      exchanges, target throws(Failure) in
      try run.responses.recording(
        of: exchanges, for: target, paths: paths, replacesContracts: force,
        differs: { $0.differs(from: $1, in: $2) })
    }
  }

  /// Writes the contracts of each upstream, and says so.
  private static func write(
    _ byTarget: [(target: RecordingTarget, exchanges: [RecordedExchange])],
    _ report: consuming RecordReport, _ arguments: ParsedArguments, _ terminal: inout Terminal,
    _ recording: ([RecordedExchange], RecordingTarget) throws(Failure) -> Recording
  ) throws(Failure) -> ExitCode {
    let format = try arguments.value(of: OutputFormat.option)
    var report = report
    let writes = report.writes
    if format == .text { report.writeFailures(to: &terminal) }
    for (target, exchanges) in byTarget {
      let recording = try recording(exchanges, target)
      report.recordings.append((target, recording))
      if format == .text { report.writeText(of: recording, target, to: &terminal) }
      try recording.changes.apply(to: writes ? target.root : nil) { change in
        if format == .text { report.writeText(of: change, to: &terminal.output) }
      }
    }
    switch format {
    case .text: report.writeEnd(to: &terminal.output)
    case .json: report.writeJSON(to: &terminal.output)
    }
    return report.exitCode
  }

  private static func options(
    _ arguments: ParsedArguments
  ) throws(Failure) -> RecordingSession.Options {
    var options = RecordingSession.Options(
      folder: try arguments.value(of: Selection.folder))
    options.upstream = try arguments.value(of: upstream).map { ($0.name, $0.baseURL) }
    options.paths = try arguments.value(of: paths)
    options.headers = try arguments.value(of: headers)
    options.secretHosts = try SecretHost.hosts(arguments)
    options.samples = try arguments.value(of: samples)
    options.timeout = try arguments.value(of: timeout)
    options.replacesContracts = try arguments.value(of: force)
    return options
  }
}

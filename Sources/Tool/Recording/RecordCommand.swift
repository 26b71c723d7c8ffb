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
    "URL", .recorded, isRequired: true,
    "The URLs to request; several of one endpoint become one contract.")
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
      are GET; "understudy serve --record" records other methods and their bodies.

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
      urls.declaration, Selection.folder.declaration, upstream.declaration, samples.declaration,
      paths.declaration, headers.declaration, SecretHost.option.declaration, timeout.declaration,
      force.declaration, dryRun.declaration, OutputFormat.option.declaration,
    ],
    jsonOutput: """
      An object, printed when all is done: written, true or false; upstreams, an array of objects \
      with upstream, baseURL, contracts, notRecorded, findings and refusals; files, an array of \
      objects with file and change, "write" or "remove"; and withoutResponse, the URLs without a \
      response. An entry of contracts has contract, method, path, fate, guesses, cases, scripts, \
      leftOut, differs, masked and notLive.
      """,
    examples: [
      "understudy record --dry-run http://127.0.0.1:8080/users/1": "Show what would be recorded.",
      "understudy record --upstream users http://127.0.0.1:8080/users/1":
        "Write Contracts/users/upstream.json and a contract beside it.",
    ],
    exitCodes: [
      .pass: "Recorded, or with --dry-run: can be recorded.",
      .findings: "A request was not recorded, or lint finds errors; the others are recorded.",
      .couldNotRun: "Could not run: wrong usage, or a folder that cannot be written.",
      .couldNotCheck: "A URL had no complete response; the others are recorded.",
    ],
    run: { arguments, terminal throws(Failure) in
      let format = try arguments.value(of: OutputFormat.option)
      let session = try RecordingSession(
        try arguments.value(of: urls), try options(arguments),
        environment: arguments.environment,
        differs: { $0.differs(from: $1, in: $2) })
      let responses = try Blocking.value(of: session.ask)
      let writes = try !arguments.value(of: dryRun)
      var report = RecordReport(writes: writes, failures: responses.failures)
      if format == .text { report.writeFailures(to: &terminal) }
      for (target, exchanges) in responses.byTarget {
        let recording = try session.recording(of: exchanges, for: target)
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
    })

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

import UnderstudyContractModel
import UnderstudyCore
import UnderstudyDrafting
import UnderstudyDrift
import UnderstudyRecording

/// `understudy record` asks a live API and writes contracts from its answers.
enum RecordCommand {
  static let urls = Parameter<[RecordedURL]>.requiredArguments(
    "URL", "What to ask for: several of one endpoint become one contract.")
  static let folder = Parameter<FilePath>.option(
    "into", "FOLDER", default: FilePath("Contracts"), "The folder of contracts to write to.")
  static let upstream = Parameter<UpstreamName?>.optionalOption(
    "upstream", "NAME",
    "What the upstream is called; NAME=URL also gives its base URL. Without it: by its host.")
  static let samples = Parameter<Count>.option(
    "samples", "COUNT", default: Count(3), "How often to ask for each, to see what changes.")
  static let paths = Parameter<[PathTemplate]>.options(
    "path", "PATH", "The path of a contract, such as '/users/{name}', instead of the guess.")
  static let headers = Parameter<[HeaderLine]>.options(
    "header", "LINE",
    "A header to send: 'Accept: text/html'. One that carries credentials is never written.")
  static let timeout = Parameter<Wait>.option(
    "timeout", "TIME", default: Wait(.seconds(30)), "How long each answer may take.")
  static let force = Parameter.flag("force", "Write contracts anew that are there already.")
  static let write = Parameter.flag(
    "write", "Write the files, rather than to say what they would be.")

  static let command = Command(
    name: "understudy record",
    summary: "Makes contracts from the answers of a live API",
    discussion: [
      "Asks for each URL several times, and shows what it makes of the answers; with --write it"
        + " writes that. Schemas are inferred from all of them: what may be missing, what may be"
        + " null, formats. Numbers, UUIDs and the like in a path are taken for parameters, so that"
        + " /users/1 and /users/2 are one contract; --path decides otherwise. An answer of another"
        + " status becomes a case of its own, and so does another value of a parameter. It asks by"
        + " GET: what is sent by other methods, bodies and all, \"understudy serve --record\" records.",
      "Headers of the connection are left out, and whatever differs from one answer to the next."
        + " Values of members, headers and parameters that carry credentials are masked or left"
        + " out, and so is what was sent as a secret. Where the upstream is there already, its"
        + " headers and secrets are sent.",
      "With --format json one object is printed when all is done. Its keys: written, true or false;"
        + " upstreams, an array of objects with upstream, baseURL, contracts, notRecorded, findings and"
        + " refusals; files, an array of objects with file and change, \"write\" or \"remove\"; and"
        + " unanswered, what was asked for in vain. An entry of contracts has contract, method, path,"
        + " fate, guesses, cases, scripts, leftOut, differs, masked and notLive.",
      "What was recorded passes \"understudy lint\" and is asked of the new contracts at once: a"
        + " request that does not get the same status, body and headers is listed as not recorded,"
        + " with the reason. A request that had several answers gets a script of them. A case has a"
        + " live side only if \"understudy drift\" can send the same request. A contract that is"
        + " there gets a case for each status it does not have, and nothing else without --force,"
        + " which also removes files with bodies that nothing needs any more.",
    ],
    parameters: [
      urls.declaration, folder.declaration, upstream.declaration, samples.declaration,
      paths.declaration, headers.declaration, timeout.declaration, force.declaration,
      write.declaration, OutputFormat.option.declaration,
    ],
    examples: [
      Command.Example(
        line: "understudy record http://127.0.0.1:8080/users/1 http://127.0.0.1:8080/users/2",
        meaning: "See what would be recorded, as one contract for both."),
      Command.Example(
        line: "understudy record --write --upstream users http://127.0.0.1:8080/users/1",
        meaning: "Write Contracts/users/upstream.json and a contract beside it."),
    ],
    exitCodes: [
      .pass: "Recorded, or nothing stands in the way of it.",
      .findings: "Some request is not recorded, or lint finds errors; the others are recorded.",
      .couldNotRun: "Could not run: wrong usage, or a folder that cannot be written.",
      .couldNotCheck: "For some URL there was no whole answer; the others are recorded.",
    ],
    run: { arguments, terminal throws(Failure) in
      let format = try arguments.value(of: OutputFormat.option)
      let session = try RecordingSession(
        try arguments.value(of: urls).map(\.url), try options(arguments),
        environment: arguments.environment,
        differs: { $0.differs(from: $1, in: $2) })
      let answers = try Blocking.value(of: session.ask)
      let writes = try arguments.value(of: write)
      var report = RecordReport(writes: writes, failures: answers.failures)
      if format == .text { report.writeFailures(to: &terminal) }
      for (target, exchanges) in answers.byTarget {
        let recording = try session.recording(of: exchanges, for: target)
        report.recordings.append((target, recording))
        if format == .text { report.writeText(of: recording, target, to: &terminal) }
        try recording.apply(to: writes ? target.root : nil) { change in
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
    var options = RecordingSession.Options(folder: try arguments.value(of: folder).argument)
    options.upstream = try arguments.value(of: upstream).map { ($0.name, $0.baseURL) }
    options.paths = try arguments.value(of: paths)
    options.headers = try arguments.value(of: headers).map(\.field)
    options.samples = try arguments.value(of: samples).value
    options.timeout = try arguments.value(of: timeout).duration
    options.replacesContracts = try arguments.value(of: force)
    return options
  }
}

import UnderstudyContractModel
import UnderstudyCore
import UnderstudyDrafting
import UnderstudyRecording
import UnderstudySystem

/// `understudy init` writes the first contracts of a project.
///
/// `StartingFiles` has the files that it writes, which a user owns from then on; `--refresh`
/// updates the copies of ours among them. With `--from`, contracts are recorded as `RecordCommand`
/// does it; with `--example`, a whole project is written. Files that exist are left alone unless
/// `--force` is given, and nothing is written where a URL had no complete response.
enum InitCommand {
  private static let name = Parameter.optionalArgument(
    "NAME",
    ValueFormat(.other("a name of small letters, digits and dashes, such as shop")) {
      UpstreamName.isName($0) ? $0 : nil
    },
    "The name of the API. Default: derived from the host of a URL, or else api.")
  private static let baseURL = Parameter.option(
    "base-url", "URL",
    ValueFormat(
      .other("an address such as https://shop.example/api"),
      fix: { WebURL.fix(for: $0) }, parse: { WebURL(base: $0) }),
    "The address of the live API, for \"understudy drift\".")
  private static let sources = Parameter.options(
    "from", "URL", .recorded, "Record the response of this URL instead of writing an example.")
  private static let pipeline = Parameter<StartingFiles.Pipeline?>.option(
    "ci", "SERVICE", .choice,
    "Also write a pipeline for the contracts and the nightly comparison.")
  private static let tests = Parameter<StartingFiles.TestRunner?>.option(
    "tests", "RUNNER", .choice,
    "Also write a test that passes; in a project that has contracts, only the helper that tests"
      + " import.")
  private static let example = Parameter<StartingFiles.Example?>.option(
    "example", "NAME", .choice,
    "Write a project to try all commands on instead: contracts, a client, and a live API that can"
      + " change.")
  private static let refresh = Parameter.flag(
    "refresh",
    "Update the copied schemas, helpers and the pipeline for GitLab, and show what changes.")

  private static let force = Parameter.flag(
    "force", "Replace existing files, contracts of the same name included.")

  static let command = Command(
    name: "understudy init",
    summary: "Writes the first contracts of a project",
    discussion: """
      Writes ./Contracts with one API and one contract, whose cases are a good response, a 404, a \
      malformed body, a slow response and a broken connection; and consumers.json, whose only \
      consumer is "understudy call", until your own client takes its place. The schemas beside \
      them are for editors. .understudy/.gitignore says which of the files that commands leave \
      there may be of use in a repository.

      With --from, the responses of a live API are recorded instead, as by "understudy record". \
      With --tests, the test also needs its runner: pytest 8, Node 18, or Swift Testing and the \
      product UnderstudyTesting.

      In a project that has contracts, --tests and --ci by themselves add only the helper for tests \
      and the pipeline.

      With --example, it is a whole project in an empty folder: contracts of an API of jokes, a \
      client in Python (the same in Node and Swift is beside it), and in ./Live what acts as the \
      live API.

      Otherwise existing files are kept, and listed; --force replaces all but consumers.json.
      """,
    parameters: [
      name.declaration, baseURL.declaration, sources.declaration, pipeline.declaration,
      tests.declaration, example.declaration, refresh.declaration, force.declaration,
      RecordCommand.dryRun.declaration,
    ],
    examples: [
      "understudy init": "Start with an example.",
      "understudy init shop --tests pytest --ci github": "Start with a test and a pipeline.",
      "understudy init --from http://127.0.0.1:8080/joke/random_joke":
        "Start with what a live API responds.",
      "understudy init --example jokes": "Start with a project to try everything on.",
      "understudy init --refresh": "Update what an older version has copied.",
    ],
    exitCodes: [
      .pass: "The files are written.",
      .couldNotRun: "Could not run: wrong usage, a name that is taken, or a folder that cannot be"
        + " written.",
      .couldNotCheck: "A URL had no complete response; nothing is written.",
    ],
    run: { arguments, terminal throws(Failure) in
      if try arguments.value(of: refresh) {
        try refuse(
          own + [example.declaration], beside: "--refresh, which only updates copied files",
          arguments)
        return try updateCopies(
          writes: !arguments.value(of: RecordCommand.dryRun), &terminal)
      }
      if let example = try arguments.value(of: example) {
        return try start(with: example, arguments, &terminal)
      }
      return try isAddition(arguments) ? add(arguments, &terminal) : start(arguments, &terminal)
    })

  /// Whether a project that has contracts gets something for tests or CI, and no contracts.
  private static func isAddition(_ arguments: ParsedArguments) throws(Failure) -> Bool {
    let folder = FileRoot(".")
    guard
      ![name.declaration, baseURL.declaration, sources.declaration]
        .contains(where: arguments.isGiven),
      [tests.declaration, pipeline.declaration].contains(where: arguments.isGiven),
      try folder.kind(of: "Contracts") == .folder
    else { return false }
    for name in try folder.names(in: "Contracts")
    where try folder.kind(of: "Contracts/\(name)/upstream.json") == .file {
      return true
    }
    return false
  }

  private static func add(
    _ arguments: ParsedArguments, _ terminal: inout Terminal
  ) throws(Failure) -> ExitCode {
    let service = try arguments.value(of: pipeline)
    let runner = try arguments.value(of: tests)
    let files =
      [StartingFiles.ignored] + (runner.map(StartingFiles.helpers) ?? [])
      + (service.map { [StartingFiles.pipeline($0)] } ?? [])
    guard try write(files, arguments, &terminal) else { return .pass }
    if runner == .swift {
      terminal.output.write(
        "\nadd to Package.swift, the second line to a test target:\n\(StartingFiles.dependencyLines)\n"
      )
    } else {
      writeEnd(of: runner, &terminal)
    }
    if let service { writeEnd(of: service, &terminal) }
    return .pass
  }

  private static func start(
    with example: StartingFiles.Example, _ arguments: ParsedArguments, _ terminal: inout Terminal
  ) throws(Failure) -> ExitCode {
    try refuse(own, beside: "--example, which has its own files", arguments)
    let paths =
      ["Contracts"] + example.files.map(\.path).filter { $0 != StartingFiles.ignored.path }
    for path in try arguments.value(of: force) ? [] : paths
    where try FileRoot(".").kind(of: path) != nil {
      throw .notEmpty(path)
    }
    guard try write(example.files, arguments, &terminal) else { return .pass }
    writeNext(
      [
        ["understudy test", "run the client against every case"],
        ["understudy serve", "serve the cases at http://127.0.0.1:8080/joke/api"],
        ["understudy serve -C Live --port 8090", "act as the live API"],
        ["understudy drift", "compare the live API with the contracts"],
      ], &terminal)
    return .pass
  }

  /// What says how the first contracts of one's own are made.
  private static let own = [
    name.declaration, baseURL.declaration, sources.declaration, pipeline.declaration,
    tests.declaration,
  ]

  private static func refuse(
    _ others: [ParameterDeclaration], beside words: String, _ arguments: ParsedArguments
  ) throws(Failure) {
    if let other = others.first(where: arguments.isGiven) { throw .together(other, words) }
  }

  /// Writes the files that do not exist, or with `--force` all but one. Returns `false` in a dry
  /// run.
  private static func write(
    _ files: [StartingFiles.File], keeping keptPath: String? = nil, _ arguments: ParsedArguments,
    _ terminal: inout Terminal
  ) throws(Failure) -> Bool {
    let folder = FileRoot(".")
    let replaces = try arguments.value(of: force)
    let writes = try !arguments.value(of: RecordCommand.dryRun)
    for file in files {
      let exists = try folder.kind(of: file.path) != nil
      let isKept = exists && (!replaces || file.path == keptPath)
      let change = FileChange.write(
        RecordedFile(path: file.path, bytes: Array(file.text.utf8), isNew: !exists))
      if writes, !isKept { try change.apply(to: folder) }
      terminal.output.write(line: isKept ? "kept \(file.path)" : change.words(isDone: writes))
    }
    return writes
  }

  private static func writeNext(_ rows: [[String]], _ terminal: inout Terminal) {
    terminal.output.write("\nnext:\n")
    for line in TextLayout.aligned(rows, indent: 2) { terminal.output.write(line: line) }
  }

  private static func start(
    _ arguments: ParsedArguments, _ terminal: inout Terminal
  ) throws(Failure) -> ExitCode {
    let urls = try arguments.value(of: sources)
    let base = try arguments.value(of: baseURL)
    if !urls.isEmpty, arguments.isGiven(tests.declaration) { throw .noTestOfRecordings() }
    let upstream =
      try arguments.value(of: name)
      ?? (urls.first?.origin ?? base).map(UpstreamGuess.name) ?? "api"
    let folder = FileRoot(".")
    let replaces = try arguments.value(of: force)
    let writes = try !arguments.value(of: RecordCommand.dryRun)
    if !replaces, try folder.kind(of: "Contracts/\(upstream)") != nil { throw .taken(upstream) }
    let hadConsumers = try hasOtherConsumers(than: upstream, in: folder)
    var files = StartingFiles.schemas
    if urls.isEmpty {
      files += [
        StartingFiles.upstream(upstream, base), StartingFiles.contract(of: upstream),
      ]
    } else {
      var options = RecordingSession.Options(folder: "Contracts")
      options.upstream = (upstream, base)
      options.replacesContracts = replaces
      let recorded = try record(
        urls, options, writes: writes, arguments.environment, &terminal)
      guard recorded else { return .couldNotCheck }
    }
    files += [StartingFiles.consumers(of: upstream), StartingFiles.ignored]
    let service = try arguments.value(of: pipeline)
    if let service { files.append(StartingFiles.pipeline(service)) }
    let runner = try arguments.value(of: tests)
    if let runner {
      files += StartingFiles.helpers(runner) + [StartingFiles.test(runner, of: upstream)]
    }
    guard try write(files, keeping: StartingFiles.consumersPath, arguments, &terminal) else {
      return .pass
    }
    if hadConsumers { try removeExpectations(of: upstream, in: folder) }
    if !urls.isEmpty, !hadConsumers { try expectResponses(of: upstream, in: folder) }
    writeNext(runner, upstream, &terminal)
    writeEnd(of: runner, &terminal)
    if hadConsumers {
      let contract = urls.isEmpty ? "greeting" : "…"
      terminal.output.write(
        "\nconsumers.json was kept: say in Contracts/\(upstream)/\(contract).json what your"
          + " consumers expect\n")
    }
    if let service { writeEnd(of: service, &terminal) }
    return .pass
  }

  private static func writeNext(
    _ runner: StartingFiles.TestRunner?, _ upstream: String, _ terminal: inout Terminal
  ) {
    let test =
      switch runner {
      case .swift: "swift test"
      case .pytest: "pytest tests"
      case .node: "node --test"
      case nil: "understudy lint"
      }
    writeNext(
      [
        [test, runner == nil ? "check the contracts" : "run the test"],
        ["understudy test", "run every consumer against every case"],
        ["understudy serve", "serve the cases at http://127.0.0.1:8080/\(upstream)"],
      ], &terminal)
  }

  /// What the user does before tests find the helper.
  private static func writeEnd(
    of runner: StartingFiles.TestRunner?, _ terminal: inout Terminal
  ) {
    switch runner {
    case .swift:
      terminal.output.write("\nadd to Package.swift:\n\(StartingFiles.packageLines)\n")
    case .pytest:
      let path = "tests/conftest.py"
      guard let bytes = try? FileRoot(".").read(path),
        !String(decoding: bytes, as: UTF8.self).contains("understudy_pytest")
      else { return }
      terminal.output.write(
        "\nadd to \(path), which was kept: pytest_plugins = [\"understudy_pytest\"]\n")
    case .node, nil: break
    }
  }

  private static func writeEnd(of service: StartingFiles.Pipeline, _ terminal: inout Terminal) {
    let path = StartingFiles.pipeline(service).path
    terminal.output.write(
      "\n\(path) uses a release of understudy, which is not published yet: OWNER is whoever will"
        + " publish it\n")
    if service == .gitlab {
      terminal.output.write("include it in .gitlab-ci.yml: include: { local: \(path) }\n")
    }
  }

  private static func updateCopies(
    writes: Bool, _ terminal: inout Terminal
  ) throws(Failure) -> ExitCode {
    let folder = FileRoot(".")
    var isNone = true
    for file in StartingFiles.copies where try folder.kind(of: file.path) == .file {
      isNone = false
      let old = String(decoding: try folder.read(file.path), as: UTF8.self)
      let patch = TextDiff.patch(of: file.path, old, file.text)
      guard !patch.isEmpty else {
        terminal.output.write(line: "up to date  \(file.path)")
        continue
      }
      if writes { try folder.write(Array(file.text.utf8), to: file.path) }
      terminal.output.write(patch)
      if writes { terminal.output.write(line: "updated     \(file.path)") }
    }
    if isNone { throw .nothingToRefresh() }
    return .pass
  }
}

extension Failure {
  fileprivate static func taken(_ name: String) -> Self {
    Self(
      at: Place("Contracts/\(name)"), message: "contracts are there already",
      fix: "name another API: understudy init NAME; or replace them: --force")
  }

  fileprivate static func notEmpty(_ path: String) -> Self {
    Self(
      at: Place(path), message: "it is there already",
      fix: "write the example into an empty folder: mkdir jokes && cd jokes")
  }

  fileprivate static func together(_ other: ParameterDeclaration, _ words: String) -> Self {
    let name = other.kind == .argument ? other.name : "--\(other.name)"
    return Self(
      message: "\(name) cannot be used with \(words)", fix: "leave one of them out")
  }

  fileprivate static func noTestOfRecordings() -> Self {
    Self(
      message: "--tests cannot be used with --from: the test is one of the example",
      fix: "leave out --tests, and add one later with \"understudy init example --tests …\"")
  }

  fileprivate static func nothingToRefresh() -> Self {
    Self(
      message: "no file that \"understudy init\" has copied",
      fix: "run it in the folder that Contracts is in, or write the first contracts with"
        + " \"understudy init\"")
  }
}

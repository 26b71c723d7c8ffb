import UnderstudyContractModel
import UnderstudyCore
import UnderstudyDrafting
import UnderstudyDrift
import UnderstudyInterchange

/// `understudy import` makes contracts from the files of other tools.
///
/// `ImportFiles` reads what a user names and finds the format of each file; the targets
/// `Interchange` and `Drafting` make contracts of it; `ImportReport` says what was written and what
/// was left out.
enum ImportCommand {
  static let files = Parameter.arguments(
    "PATH", .path, isRequired: true,
    "Files and folders to import, optionally after their format: har, openapi or wiremock.")
  static let upstream = Parameter.option(
    "upstream", "NAME", UpstreamName.format,
    "The upstream to import into. With NAME=URL, only what is below the URL is imported; for"
      + " OpenAPI and WireMock it is where the live API is. Default: derived from the hosts.")
  static let hosts = Parameter.options(
    "only-host", "HOST", .word, "Import only this host: api.example.com, or 127.0.0.1:3000.")
  static let takesAll = Parameter.flag("all", "Also import responses that are not JSON.")
  static let paths = Parameter.options(
    "path", "PATH", .pathTemplate,
    "The path of a contract, such as '/users/{name}', instead of a guess.")
  static let lenient = Parameter.flag(
    "lenient", "OpenAPI: respond to requests that the document forbids as to others, without a 400."
  )
  static let force = Parameter.flag("force", "Replace existing contracts.")
  static let strict = Parameter.flag("strict", "Exit with 1 if anything was left out.")
  static let dryRun = Parameter.flag(
    "dry-run", "Show what would be written, and write nothing.")

  static let command = Command(
    name: "understudy import",
    summary: "Makes contracts from the files of other tools",
    discussion: """
      Reads a HAR, the traffic that Chrome, Firefox, Safari, Proxyman, Charles or mitmproxy have \
      exported, an OpenAPI document, or WireMock's stub mappings with their __files. Writes \
      contracts. The format is seen from the content, or named before the files: "understudy \
      import har app.har". Of a folder, its folders named mappings are read, or else whatever in \
      it is of a known format.

      One HAR has many hosts. Those with JSON responses become upstreams, with their JSON, their \
      errors, redirects and empty responses; --all takes everything else, too, and --only-host and \
      --upstream choose. As "understudy record" does, it makes one contract of /users/1 and \
      /users/2, infers schemas, masks credentials, and leaves out headers of the connection. The \
      same request with several responses gets a script of them in the order of the file.

      Each operation of an OpenAPI document (3.0 or 3.1) becomes a contract, and each response a \
      case. Named examples are cases of their own; where there is none, one is made that the \
      schema allows. Slow, broken and malformed cases are added, and a case for each parameter and \
      body that a request may have wrong, which get a 400. References lead to other files in the \
      document's folder.

      Stubs for one method and path become a contract, with a case for each: by priority, then the \
      newest first. Their upstream is "wiremock" unless --upstream names another; where there are \
      several folders named mappings, each becomes an upstream. Another import rewrites the \
      contracts of stubs that have changed.

      Whatever a contract cannot say is reported with its file, line and reason: it is left out, \
      widened, narrowed, or skipped as the options say. Only what has changed is written. From a \
      HAR, an existing contract gets a case for each new status; --force replaces it.
      """,
    parameters: [
      files.declaration, Selection.folder.declaration, upstream.declaration, hosts.declaration,
      takesAll.declaration, paths.declaration, lenient.declaration, force.declaration,
      strict.declaration, dryRun.declaration, OutputFormat.option.declaration,
    ],
    jsonOutput: """
      An object: written, true or false; drafts, an array of objects with contract, method, path, \
      fate, cases and remarks; changes, an array of objects with file and change, "write" or \
      "remove"; and notes, an array of objects with kind, reason, count and places, each with \
      file, line, column, pointer and subject.
      """,
    examples: [
      "understudy import app.har --dry-run": "Show what would be imported.",
      "understudy import app.har --only-host api.example.com --upstream shop":
        "Write Contracts/shop from the responses of one host.",
      "understudy import openapi.yaml --upstream pets":
        "Write Contracts/pets from an OpenAPI document.",
      "understudy import src/test/resources --upstream shop":
        "Write Contracts/shop from the stubs in mappings and __files there.",
    ],
    exitCodes: [
      .pass: "Imported, or with --dry-run: can be imported.",
      .findings: "With --strict: something was left out; the rest is imported.",
      .couldNotRun: "Could not run: wrong usage, or a file that cannot be read or written.",
    ],
    run: { arguments, terminal throws(Failure) in
      var words = try arguments.value(of: files)
      let format = words.first.flatMap(ImportFormat.init)
      if format != nil { words.removeFirst() }
      guard !words.isEmpty else { throw .nothingToImport(format) }
      let source = try ImportFiles.source(words)
      var options = ImportOptions(
        folder: try arguments.value(of: Selection.folder),
        differs: { $0.differs(from: $1, in: $2) })
      options.upstream = try arguments.value(of: upstream).map { ($0.name, $0.baseURL) }
      options.hosts = try arguments.value(of: hosts)
      options.takesAll = try arguments.value(of: takesAll)
      options.isLenient = try arguments.value(of: lenient)
      options.replacesContracts = try arguments.value(of: force)
      options.paths = try arguments.value(of: paths)
      let plan = try ImportFormat.plan(source, as: format, options)
      let writes = try !arguments.value(of: dryRun)
      if writes { try plan.write(to: FileRoot(options.folder)) }
      let report = ImportReport(plan: plan, writes: writes)
      switch try arguments.value(of: OutputFormat.option) {
      case .text: report.writeText(to: &terminal.output)
      case .json: report.writeJSON(to: &terminal.output)
      }
      return try arguments.value(of: strict) && plan.leavesSomethingOut ? .findings : .pass
    })
}

extension Failure {
  fileprivate static func nothingToImport(_ format: ImportFormat?) -> Self {
    let word = format?.rawValue ?? "har"
    return Self(
      message: "missing FILE after \"\(word)\", expected a path",
      fix: "write understudy import \(word) FILE, or ./\(word) if that is the file")
  }
}

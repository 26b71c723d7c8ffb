import UnderstudyContractModel
import UnderstudyCore
import UnderstudyFindings
import UnderstudyInterchange
import UnderstudyJSON

/// `understudy export` writes what a server received, or contracts, in the format of other tools.
enum ExportCommand {
  enum Format: String, CaseIterable {
    case har, openapi, wiremock
  }

  private static let format = Parameter<Format>.argument(
    "FORMAT", .choice,
    "What to write: the requests to a server as har, or contracts as openapi or wiremock."
  )
  private static let path = Parameter.option(
    "output", short: "o", "PATH", .path,
    "The file to write, printed by default, or the folder of WireMock's stubs.")
  private static let filters = Parameter.assignments(
    "filter", "NAME=VALUE",
    "Only requests that match, by a filter of the request log: contract=joke/random-joke, status=404."
  )
  private static let session = Parameter.option(
    "session", "NAME", .word, "Only the requests of this session.")

  static let command = Command(
    name: "understudy export",
    summary: "Writes requests to a running server, or contracts, in the format of other tools",
    discussion: """
      Writes the request log of a server as a HAR 1.2, which browsers, Proxyman and Charles open. \
      Each entry names the contract and the case that responded as _contract and _case. \
      Credentials are masked. Bodies of responses come from the contracts as they are now; those \
      that depend on the request are missing.

      Writes the contracts of one upstream as an OpenAPI 3.1 document: schemas as they are, and \
      the good cases as named examples. The rest, such as slow and broken cases and expectations, \
      goes with each operation as x-understudy: importing the document gives the contracts back.

      Writes contracts as stub mappings of WireMock, with a stub for each case that a request \
      prefers (Prefer: example=not-found), those that a "when" serves, and the default. What no \
      stub can say is reported; the stubs carry the whole contract with them, so that importing \
      them again gives it back.
      """,
    parameters: [
      format.declaration, Selection.wholeContracts.declaration, Selection.folder.declaration,
      path.declaration, filters.declaration, AdminClient.urlOption.declaration, session.declaration,
      ServeOptions.adminToken.declaration,
    ],
    examples: [
      "understudy export har -o journal.har": "Write the request log of the server on port 8080.",
      "understudy export har --filter contract=joke/random-joke":
        "Print the requests to one contract.",
      "understudy export openapi joke -o joke.json": "Write an OpenAPI document of one upstream.",
      "understudy export wiremock joke -o stubs":
        "Write the contracts of an upstream to stubs/mappings and stubs/__files.",
    ],
    exitCodes: [
      .pass: "Written, even if there was no request.",
      .couldNotRun:
        "Could not run: wrong usage, no server there, or a file that cannot be written.",
    ],
    run: { arguments, terminal throws(Failure) in
      switch try arguments.value(of: format) {
      case .har: break
      case .openapi: return try writeDocument(arguments, &terminal)
      case .wiremock: return try writeStubs(arguments, &terminal)
      }
      let client = AdminClient(
        url: try arguments.value(of: AdminClient.urlOption),
        session: try arguments.value(of: session),
        token: try arguments.value(of: ServeOptions.adminToken))
      let query = try arguments.value(of: filters).map {
        "\(PercentEncoding.encode($0.name))=\(PercentEncoding.encode($0.value))"
      }.joined(separator: "&")
      let response = try client.send("GET", "/journal.har" + (query.isEmpty ? "" : "?\(query)"))
      guard let response, let entries = response["log"]?["entries"] else {
        throw .noUnderstudy(client.url, "it sent no HAR")
      }
      let bytes = Array("\(response.laidOut())\n".utf8)
      guard let path = try arguments.value(of: path) else {
        terminal.output.write(json: bytes)
        return .pass
      }
      try FileRoot.anywhere.write(bytes, to: path)
      terminal.output.write(line: "wrote \(entries.count.of("request")) to \(path)")
      return .pass
    })
  private static func writeStubs(
    _ arguments: ParsedArguments, _ terminal: inout Terminal
  ) throws(Failure) -> ExitCode {
    guard let folder = try arguments.value(of: path) else {
      throw Failure(
        message: "missing --output, expected the folder for mappings and __files",
        fix: "write understudy export wiremock -o stubs")
    }
    let library = try Selection(arguments, by: Selection.wholeContracts)
      .loadSound(for: .reading, &terminal)
    let export = WireMockExport(library)
    for note in export.notes {
      let kind = note.kind == .leftOut ? "left out" : "widened"
      terminal.output.write(line: "\(kind) \(note.subject), because \(note.reason)")
    }
    let root = FileRoot(folder)
    for file in export.files { try root.checkStays("\(folder)/\(file.path)", within: nil) }
    for file in export.files { try root.write(file.bytes, to: "\(folder)/\(file.path)") }
    terminal.output.write(
      line: "wrote \(export.stubCount.of("stub")) in \(export.files.count.of("file")) to \(folder)")
    return .pass
  }

  private static func writeDocument(
    _ arguments: ParsedArguments, _ terminal: inout Terminal
  ) throws(Failure) -> ExitCode {
    let library = try Selection(arguments, by: Selection.wholeContracts)
      .loadSound(for: .reading, &terminal)
    guard let upstream = library.upstreams.first, library.upstreams.count == 1 else {
      let names = library.upstreams.map(\.name).joined(separator: ", ")
      throw Failure(
        message:
          "found \(library.upstreams.count) upstreams (\(names)), expected one for a document",
        fix: "select one: understudy export openapi NAME")
    }
    let export = OpenAPIExport(upstream)
    let bytes = Array("\(export.json.root?.laidOut() ?? "")\n".utf8)
    guard let path = try arguments.value(of: path) else {
      terminal.output.write(json: bytes)
      return .pass
    }
    try FileRoot.anywhere.write(bytes, to: path)
    terminal.output.write(line: "wrote \(export.operationCount.of("operation")) to \(path)")
    return .pass
  }
}

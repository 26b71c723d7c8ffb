import UnderstudyContractModel
import UnderstudyCore
import UnderstudyJSON

/// `understudy export` writes what a server received in the format of other tools.
enum ExportCommand {
  enum Format: String, ArgumentValue, CaseIterable {
    case har
  }

  private static let format = Parameter<Format>.argument("FORMAT", "What to write.")
  private static let path = Parameter<FilePath?>.optionalOption(
    "to", "PATH", "The file to write. Default: print it.")
  private static let filters = Parameter<[Assignment]>.options(
    "filter", "NAME=VALUE",
    "Only requests that match, by a filter of the journal: contract=joke/random-joke, status=404.")
  private static let url = Parameter<ServerURL>.option(
    "url", "URL", default: ServerURL.standard, environmentVariable: "UNDERSTUDY_URL",
    "The address that the server printed when it started.")
  private static let session = Parameter<Word?>.optionalOption(
    "session", "NAME", "Only the requests of this session.")

  static let command = Command(
    name: "understudy export",
    summary: "Writes the requests to a running server in the format of other tools",
    discussion: [
      "Writes the journal of a server as a HAR 1.2, which browsers, Proxyman and Charles open. Each"
        + " entry names the contract and the case that answered as _contract and _case. Credentials"
        + " are masked. Bodies of answers come from the contracts as they are now; those that"
        + " depend on the request are missing."
    ],
    parameters: [
      format.declaration, path.declaration, filters.declaration, url.declaration,
      session.declaration, ServeOptions.adminToken.declaration,
    ],
    examples: [
      Command.Example(
        line: "understudy export har --to journal.har",
        meaning: "Write the journal of the server on port 8080."),
      Command.Example(
        line: "understudy export har --filter contract=joke/random-joke",
        meaning: "Print the requests to one contract."),
    ],
    exitCodes: [
      .pass: "Written, even if there was no request.",
      .couldNotRun:
        "Could not run: wrong usage, no server there, or a file that cannot be written.",
    ],
    run: { arguments, terminal throws(Failure) in
      _ = try arguments.value(of: format)
      let client = AdminClient(
        url: try arguments.value(of: url).url, session: try arguments.value(of: session)?.argument,
        token: try arguments.value(of: ServeOptions.adminToken)?.argument)
      let query = try arguments.value(of: filters).map {
        "\(PercentEncoding.encode($0.name))=\(PercentEncoding.encode($0.value))"
      }.joined(separator: "&")
      let answer = try client.send("GET", "/journal.har" + (query.isEmpty ? "" : "?\(query)"))
      guard let answer, let entries = answer["log"]?["entries"] else {
        throw .noUnderstudy(client.url, "it sent no HAR")
      }
      let bytes = Array("\(answer.laidOut())\n".utf8)
      guard let path = try arguments.value(of: path)?.argument else {
        terminal.output.write(json: bytes)
        return .pass
      }
      try FileRoot.anywhere.write(bytes, to: path)
      terminal.output.write(line: "wrote \(entries.count.of("request")) to \(path)")
      return .pass
    })
}

import UnderstudyContractModel
import UnderstudyCore
import UnderstudyJSON

/// `understudy use` chooses the cases that a running server plays.
enum UseCommand {
  private static let choices = Parameter<[Assignment]>.arguments(
    "CONTRACT=CASE", default: [], "Play this case: dog-ceo/random-images=not-found.")
  private static let defaults = Parameter<[Word]>.options(
    "default", "CONTRACT", "Clear the chosen case of this contract.")
  private static let reset = Parameter.flag(
    "reset", "First clear cases, scripts, state and journal, and cancel open answers.")
  private static let url = Parameter<ServerURL>.option(
    "url", "URL", default: ServerURL.standard, environmentVariable: "UNDERSTUDY_URL",
    "The address that the server printed when it started.")
  private static let session = Parameter<Word?>.optionalOption(
    "session", "NAME", "Change only this session, for clients of /~NAME/….")

  static let command = Command(
    name: "understudy use",
    summary: "Tells a running server which cases to play",
    discussion: [
      "For apps that cannot send a Prefer header: from now on every request to the contract gets"
        + " the case, until another is chosen or the server is reset. The server checks all names;"
        + " changes before a wrong name take effect.",
      "With --format json one object is printed when all is done. Its keys: reset, true or false,"
        + " and contracts, an array of objects with contract, case and chosen, which is false for"
        + " a contract without a chosen case.",
    ],
    parameters: [
      choices.declaration, defaults.declaration, reset.declaration, url.declaration,
      session.declaration, ServeOptions.adminToken.declaration, OutputFormat.option.declaration,
    ],
    examples: [
      Command.Example(
        line: "understudy use dog-ceo/random-images=not-found",
        meaning: "Make the server on port 8080 play this case."),
      Command.Example(
        line: "understudy use --reset --session worker-3",
        meaning: "Reset one session."),
    ],
    exitCodes: [
      .pass: "The server plays the chosen cases.",
      .couldNotRun: "Could not run: wrong usage, no server there, or an unknown name.",
    ],
    run: { arguments, terminal throws(Failure) in
      let format = try arguments.value(of: OutputFormat.option)
      let choices = try arguments.value(of: choices)
      let defaults = try arguments.value(of: defaults)
      let resets = try arguments.value(of: reset)
      guard resets || !choices.isEmpty || !defaults.isEmpty else { throw .nothingToUse() }
      let client = AdminClient(
        url: try arguments.value(of: url).url, session: try arguments.value(of: session)?.argument,
        token: try arguments.value(of: ServeOptions.adminToken)?.argument)
      if resets {
        try client.send("POST", "/reset")
        if format == .text { terminal.output.write("reset\n") }
      }
      var changes: [Change] = []
      for contract in defaults {
        let answer = try client.send("DELETE", path(of: contract.argument))
        changes.append(Change(contract.argument, answer, isChosen: false))
        if format == .text { changes.last?.writeText(to: &terminal.output) }
      }
      for choice in choices {
        var body = JSONWriter()
        body.object { $0.member("case", choice.value) }
        let answer = try client.send("PUT", path(of: choice.name), body: body.bytes)
        changes.append(Change(choice.name, answer, isChosen: true))
        if format == .text { changes.last?.writeText(to: &terminal.output) }
      }
      if format == .json { writeJSON(changes, resets: resets, to: &terminal.output) }
      return .pass
    })

  /// The case a contract now plays.
  private struct Change {
    let contract: String
    let caseName: String?
    let isChosen: Bool

    init(_ contract: String, _ answer: JSONValue?, isChosen: Bool) {
      self.contract = contract
      self.isChosen = isChosen
      caseName = answer?["case"]?.string
    }

    func writeText(to stream: inout TextStream) {
      let origin = isChosen ? "" : " by default"
      stream.write("\(contract) plays \(caseName ?? "its case")\(origin)\n")
    }
  }

  private static func writeJSON(
    _ changes: [Change], resets: Bool, to stream: inout TextStream
  ) {
    var writer = JSONWriter(style: .pretty(indent: 2))
    writer.object { writer in
      writer.key("reset")
      writer.bool(resets)
      writer.list("contracts", changes) { writer, change in
        writer.object { writer in
          writer.member("contract", change.contract)
          writer.member("case", change.caseName)
          writer.key("chosen")
          writer.bool(change.isChosen)
        }
      }
    }
    stream.write(json: writer.bytes + "\n".utf8)
  }

  /// A name without a slash is left to the server, which reports it.
  private static func path(of contract: String) -> String {
    let parts = contract.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
    let names = parts.count == 2 ? parts.map(String.init) : [contract, ""]
    return "/contracts/" + names.map(PercentEncoding.encode).joined(separator: "/") + "/case"
  }
}

/// Where a server is: an address of plain HTTP.
struct ServerURL: ArgumentValue {
  static let shape = ValueShape.other("an address such as http://127.0.0.1:8080")
  static let standard = ServerURL(
    url: WebURL(scheme: "http", host: "127.0.0.1", port: 8080))
  let url: WebURL

  private init(url: WebURL) { self.url = url }

  static func fix(for argument: String) -> String? {
    argument.lowercased().hasPrefix("https://")
      ? "start it with http://: the server does not support TLS" : WebURL.fix(for: argument)
  }

  init?(argument: String) {
    guard let url = WebURL(base: argument), url.scheme == "http" else { return nil }
    self.url = url
  }

  var argument: String { url.description }
}

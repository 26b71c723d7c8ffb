import UnderstudyContractModel
import UnderstudyCore
import UnderstudyJSON

/// `understudy use` chooses the cases that a running server plays, and when.
enum UseCommand {
  private static let choices = Parameter<[Assignment]>.arguments(
    "CONTRACT=CASE", default: [], "Play this case: dog-ceo/random-images=not-found.")
  private static let defaults = Parameter<[Word]>.options(
    "default", "CONTRACT", "Clear the chosen case of this contract.")
  private static let holds = Parameter<[Word]>.options(
    "hold", "CONTRACT", "Hold the answers of this contract until they are released.")
  private static let releases = Parameter<[Word]>.options(
    "release", "CONTRACT", "Release the held answers of this contract, and hold no more.")
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
      "With --hold the contract's answers wait until --release, so that you can watch an app"
        + " meanwhile. Each waits five minutes at most.",
      "With --format json one object is printed when all is done. Its keys: reset, true or false,"
        + " and contracts, an array of objects with contract, case, chosen, which is false for"
        + " a contract without a chosen case, and held.",
    ],
    parameters: [
      choices.declaration, defaults.declaration, holds.declaration, releases.declaration,
      reset.declaration, url.declaration, session.declaration, ServeOptions.adminToken.declaration,
      OutputFormat.option.declaration,
    ],
    examples: [
      Command.Example(
        line: "understudy use dog-ceo/random-images=not-found",
        meaning: "Make the server on port 8080 play this case."),
      Command.Example(
        line: "understudy use --hold joke/random-joke",
        meaning: "Let every client of this contract wait."),
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
      let holds = try arguments.value(of: holds)
      let releases = try arguments.value(of: releases)
      let resets = try arguments.value(of: reset)
      guard resets || !(choices.isEmpty && defaults.isEmpty && holds.isEmpty && releases.isEmpty)
      else { throw .nothingToUse() }
      let client = AdminClient(
        url: try arguments.value(of: url).url, session: try arguments.value(of: session)?.argument,
        token: try arguments.value(of: ServeOptions.adminToken)?.argument)
      if resets {
        try client.send("POST", "/reset")
        if format == .text { terminal.output.write("reset\n") }
      }
      var changes: [Change] = []
      func change(
        _ contract: String, _ aspect: Aspect, _ method: String, body: [UInt8] = []
      ) throws(Failure) {
        let path = path(of: contract) + "/\(aspect)"
        let answer = try client.send(method, path, body: body)
        changes.append(Change(contract, aspect, answer))
        if format == .text { changes.last?.writeText(to: &terminal.output) }
      }
      for contract in defaults { try change(contract.argument, .case, "DELETE") }
      for choice in choices {
        var body = JSONWriter()
        body.object { $0.member("case", choice.value) }
        try change(choice.name, .case, "PUT", body: body.bytes)
      }
      for contract in holds { try change(contract.argument, .hold, "PUT") }
      for contract in releases { try change(contract.argument, .hold, "DELETE") }
      if format == .json { writeJSON(changes, resets: resets, to: &terminal.output) }
      return .pass
    })

  /// What is changed of a contract: the last part of a path of the admin API.
  private enum Aspect: String {
    case `case`, hold
  }

  /// What a contract now plays.
  private struct Change {
    let contract: String
    private let aspect: Aspect
    let caseName: String?
    let isChosen: Bool
    let isHeld: Bool

    init(_ contract: String, _ aspect: Aspect, _ answer: JSONValue?) {
      self.contract = contract
      self.aspect = aspect
      caseName = answer?["case"]?.string
      isChosen = answer?["reason"]?.string == "hand"
      isHeld = answer?["held"]?.bool ?? false
    }

    func writeText(to stream: inout TextStream) {
      switch aspect {
      case .case:
        let origin = isChosen ? "" : " by default"
        stream.write("\(contract) plays \(caseName ?? "its case")\(origin)\n")
      case .hold: stream.write("\(contract) is \(isHeld ? "held" : "released")\n")
      }
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
          writer.key("held")
          writer.bool(change.isHeld)
        }
      }
    }
    stream.write(json: writer.bytes + "\n".utf8)
  }

  /// A name without a slash is left to the server, which reports it.
  private static func path(of contract: String) -> String {
    let parts = contract.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
    let names = parts.count == 2 ? parts.map(String.init) : [contract, ""]
    return "/contracts/" + names.map(PercentEncoding.encode).joined(separator: "/")
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

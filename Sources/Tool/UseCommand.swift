import UnderstudyContractModel
import UnderstudyCore
import UnderstudyJSON

/// `understudy use` chooses the cases that a running server serves, and when.
enum UseCommand {
  private static let choices = Parameter.arguments(
    "CONTRACT=CASE", Assignment.format("CONTRACT=CASE"),
    "Serve this case: dog-ceo/random-images=not-found. Or set the mode of a contract, an upstream or"
      + " the server: dog-ceo=off, '*=off'.")
  private static let defaults = Parameter.options(
    "default", "NAME", .word,
    "Clear the chosen case and the mode of this contract, or the mode of an upstream or the server."
  )
  private static let holds = Parameter.options(
    "hold", "CONTRACT", .word, "Hold the responses of this contract until they are released.")
  private static let releases = Parameter.options(
    "release", "CONTRACT", .word, "Release the held responses of this contract, and hold no more.")
  private static let scenarios = Parameter.assignments(
    "scenario", "UPSTREAM=SCENARIO", "Start this scenario of an upstream.")
  private static let reset = Parameter.flag(
    "reset", "First clear cases, scripts, modes, state and request log, and cancel open responses.")
  private static let session = Parameter.option(
    "session", "NAME", .word, "Change only this session, for clients of /~NAME/….")

  static let command = Command(
    name: "understudy use",
    summary: "Tells a running server what to serve",
    discussion: """
      For apps that cannot send a Prefer header: from now on the case is served in place of the \
      default, until another is chosen or the server is reset. Requests that the "when" of another \
      case takes, such as those for page 2, keep theirs. The server checks all names; changes \
      before a wrong name take effect.

      A mode says where responses come from: fake, from the contracts; live, from the live API, to \
      which requests are forwarded, unrecorded; off, from nowhere: connections are reset, and on \
      the upstream's own port (serve --ports) refused. The mode of a contract precedes that of its \
      upstream, which precedes that of the server, '*'. A case of the contract that is named like \
      a mode precedes the mode.

      With --hold the contract's responses wait until --release, so that you can watch an app \
      meanwhile. Each waits five minutes at most.
      """,
    parameters: [
      choices.declaration, defaults.declaration, scenarios.declaration, holds.declaration,
      releases.declaration, reset.declaration, AdminClient.urlOption.declaration,
      session.declaration, ServeOptions.adminToken.declaration, OutputFormat.option.declaration,
    ],
    jsonOutput: """
      An object, printed when all is done: reset, true or false; contracts, an array of objects \
      with contract, case, mode, chosen, which is false where case and mode were cleared, and \
      held; upstreams, an array of objects with upstream, mode and chosen; scenarios, an array of \
      objects with upstream and scenario; and mode, that of the server if it was changed.
      """,
    examples: [
      "understudy use dog-ceo/random-images=not-found":
        "Make the server on port 8080 serve this case.",
      "understudy use --hold dog-ceo/random-images": "Let every client of this contract wait.",
      "understudy use dog-ceo=live": "Forward requests for this upstream to its live API.",
      "understudy use --scenario restaurants=serve-through":
        "Start a scenario: scripts, state and modes of several contracts.",
      "understudy use '*=off'": "Let every connection fail, as if the network were down.",
      "understudy use --reset --session worker-3": "Reset one session.",
    ],
    exitCodes: [
      .pass: "The server has changed.",
      .couldNotRun: "Could not run: wrong usage, no server there, or an unknown name.",
    ],
    run: { arguments, terminal throws(Failure) in
      let format = try arguments.value(of: OutputFormat.option)
      let choices = try arguments.value(of: choices)
      let defaults = try arguments.value(of: defaults)
      let scenarios = try arguments.value(of: scenarios)
      let holds = try arguments.value(of: holds)
      let releases = try arguments.value(of: releases)
      let resets = try arguments.value(of: reset)
      let isIdle = [choices, scenarios].allSatisfy(\.isEmpty)
      guard resets || !isIdle || !(defaults + holds + releases).isEmpty else {
        throw .nothingToUse()
      }
      let client = AdminClient(
        url: try arguments.value(of: AdminClient.urlOption),
        session: try arguments.value(of: session),
        token: try arguments.value(of: ServeOptions.adminToken))
      if resets {
        try client.send("POST", "/reset")
        if format == .text { terminal.output.write("reset\n") }
      }
      var changes: [UseChange] = []
      func note(_ change: UseChange) {
        changes.append(change)
        if format == .text { change.writeText(to: &terminal.output) }
      }
      for scenario in scenarios {
        let names = [scenario.name, scenario.value].map(PercentEncoding.encode)
        try client.send("POST", "/scenarios/\(names.joined(separator: "/"))")
        if format == .text {
          terminal.output.write(line: "\(scenario.name) serves the scenario \(scenario.value)")
        }
      }
      for name in defaults { note(try UseChange.clearing(name, with: client)) }
      for choice in choices { note(try UseChange.choosing(choice, with: client)) }
      for name in holds { note(try UseChange.holding(name, "PUT", with: client)) }
      for name in releases { note(try UseChange.holding(name, "DELETE", with: client)) }
      if format == .json {
        writeJSON(changes, scenarios, resets: resets, to: &terminal.output)
      }
      return .pass
    })

  private static func writeJSON(
    _ changes: [UseChange], _ scenarios: [Assignment], resets: Bool, to stream: inout TextStream
  ) {
    var writer = JSONWriter(style: .pretty(indent: 2))
    writer.object { writer in
      writer.key("reset")
      writer.bool(resets)
      writer.list("scenarios", scenarios) { writer, scenario in
        writer.object { object in
          object.member("upstream", scenario.name)
          object.member("scenario", scenario.value)
        }
      }
      UseChange.write(changes, to: &writer)
    }
    stream.write(json: writer.bytes + "\n".utf8)
  }
}

import UnderstudyContractModel
import UnderstudyCore
import UnderstudyFakeServer
import UnderstudyFindings
import UnderstudyRecording
import UnderstudySystem

/// `understudy serve` plays contracts on a port until it is told to end.
enum ServeCommand {
  static let command = Command(
    name: "understudy serve",
    summary: "Plays contracts as a fake of their upstreams",
    discussion: [
      "Every upstream answers beneath its name, /dog-ceo/…, under the Host of its live API, and"
        + " with --ports on a port of its own. Which case is played: one the request prefers"
        + " (Prefer: example=not-found, or Prefer: code=404), else the next of a script, else one"
        + " chosen by --case, else the first whose \"when\" holds, else the default.",
      "Files that change are read again: sound contracts are live at once, broken ones are"
        + " reported and the old set stays. Ctrl-C or SIGTERM ends the server when the requests"
        + " under way are answered, after five seconds at most; a second one ends it at once.",
      "Prints where it listens and a line for every request; beneath one that no contract"
        + " answers, which come nearest. With --format json every line is an object with the key"
        + " event: listening (url, upstreams), request (time, method, target, contract, case,"
        + " status, delay and delayAsked in milliseconds, bytes, outcome, message, nearest),"
        + " reloaded (changes, upstreams), rejected (message, diagnostics), recorded (files),"
        + " unrecorded (message, diagnostics) or stopped (requests). What is not there is null.",
      "With --record, what no contract answers is asked of the live API: the client gets its answer,"
        + " and a contract is written as \"understudy record\" writes it, which answers the next time."
        + " A contract that was recorded in this run answers only requests that were recorded; any"
        + " other goes to the live API, too. With --record-all every request does, and contracts"
        + " that were recorded in this run learn from each answer. What is not recorded is printed"
        + " with the reason. An upstream that is not there yet is named by --upstream NAME=URL."
        + " Pages of another site may send requests to a live API only if --allow-origin names it;"
        + " where others can reach the server, such requests need the admin token in the header"
        + " Understudy-Token, which is not passed on.",
    ],
    parameters: [ContractPaths.argument.declaration] + ServeOptions.declarations
      + ServeRecording.declarations,
    examples: [
      Command.Example(
        line: "understudy serve", meaning: "Play the contracts below ./Contracts on port 8080."),
      Command.Example(
        line: "understudy serve --port 0 --case dog-ceo/random-images=not-found",
        meaning: "Play them on any free port, one contract always with this case."),
      Command.Example(
        line: "understudy serve --record --upstream users=https://api.example.com/v1",
        meaning: "Play them, and record what clients of /users/v1/… ask for."),
    ],
    exitCodes: [
      .pass: "It was told to end.",
      .couldNotRun:
        "Could not run: wrong usage, contracts with errors, or an address that is not free.",
    ],
    run: { arguments, terminal throws(Failure) in
      var configuration = try ServeOptions.configuration(arguments)
      let format = try arguments.value(of: OutputFormat.option)
      let paths = try arguments.value(of: ContractPaths.argument).map(\.argument)
      let recording = try ServeRecording.prepare(arguments, paths)
      let library: ContractLibrary
      if let recording {
        library = recording.library
      } else {
        library = try ContractPaths.load(arguments)
      }
      let report = LintReport(library, only: .error)
      guard report.errorCount == 0 else {
        report.writeText(to: &terminal.errors)
        throw .brokenContracts(report)
      }
      let initialCases = try InitialCases(arguments, library)
      do throws(SystemError) {
        let queue = try ExchangeQueue()
        configuration.listener = { queue.post($0) }
        configuration.relay = recording?.recorder.configuration
        var stage = try ServeSession(
          paths, library, configuration, queue, format, recorder: recording?.recorder)
        return try stage.play(initialCases, on: &terminal)
      } catch {
        throw .cannotServe(error)
      }
    })
}

public import UnderstudyConsumers
import UnderstudyCore
import UnderstudyFakeServer
import UnderstudySystem

/// The command line tool.
///
/// An executable with services of its own is one line, and has every command of this tool:
///
///     Understudy.main(consumers: [
///       ServiceConsumer("jokes.random") { call in … }
///     ])
public enum Understudy {
  package static let version = UnderstudyVersion.text

  private static let versionFlag = Parameter.flag("version", short: "v", "Print the version.")

  private static let versionCommand = Command(
    name: "understudy version",
    summary: "Prints the version",
    run: { _, terminal throws(Failure) in
      terminal.output.write("understudy \(version)\n")
      return .pass
    })

  /// Every command but `help`, which knows these.
  static let commands = commands(ShippedConsumers.all)

  static let command = command(ShippedConsumers.all)

  private static func commands(_ consumers: [ServiceConsumer]) -> [Command] {
    [
      LintCommand.command, ListCommand.command, ServeCommand.command, UseCommand.command,
      RunCommand.command, RecordCommand.command, ExplainCommand.command, CallCommand.command,
      TestCommand.command(ConsumerRegistry(consumers)), MergeCommand.command,
      DriftCommand.command(ConsumerRegistry(consumers)), HistoryCommand.command,
      CompletionsCommand.command, versionCommand,
    ]
  }

  static func command(_ consumers: [ServiceConsumer]) -> Command {
    let subcommands = commands(consumers) + [HelpCommand.command]
    return Command(
      name: "understudy",
      summary:
        "Contracts for upstream APIs: a file for each endpoint, a case for each way to answer",
      discussion: [
        "Contracts are JSON files, in ./Contracts unless other paths are given."
          + " Contracts/README.md describes their format.",
        "Output is coloured on a terminal, unless NO_COLOR is set, and plain elsewhere.",
      ],
      parameters: [versionFlag.declaration],
      examples: [
        Command.Example(
          line: "understudy lint", meaning: "Check the contracts below ./Contracts."),
        Command.Example(line: "understudy test", meaning: "Hold our services against them."),
        Command.Example(
          line: "understudy serve", meaning: "Play them on http://127.0.0.1:8080."),
        Command.Example(
          line: "understudy list --format json", meaning: "Tell another program what there is."),
      ],
      subcommands: subcommands,
      workers: [WorkerCommand.command(ConsumerRegistry(consumers))],
      run: { arguments, terminal throws(Failure) in
        guard try arguments.value(of: versionFlag) else {
          terminal.output.write(HelpPage(self.command).text)
          throw .missingCommand(known: subcommands.map(\.verb))
        }
        return try versionCommand.run(arguments, &terminal)
      })
  }

  /// Runs the command line this process was started with, for the services of this repository.
  package static func main() -> Never { main(consumers: ShippedConsumers.all) }

  /// Runs the command line this process was started with; `understudy test` runs these services.
  public static func main(consumers: [ServiceConsumer]) -> Never {
    // A reader that leaves early ends a write, not the process.
    ThisProcess.ignoreBrokenPipes()
    var terminal = Terminal.standard()
    let code = run(
      CommandLine.arguments.dropFirst(), of: command(consumers),
      environment: environment, on: &terminal)
    let isWritten = terminal.flush()
    ThisProcess.exit(isWritten ? code.rawValue : ExitCode.couldNotRun.rawValue)
  }

  /// A variable of the environment this process was started with.
  private static func environment(_ name: String) -> String? {
    Environment[name]
  }

  static func run(
    _ words: some Collection<String>, of root: Command = command,
    environment: @escaping @Sendable (String) -> String?, on terminal: inout Terminal
  ) -> ExitCode {
    // No option of the root takes a value, so its first other word names the command.
    let rootWords = words.prefix { $0.hasPrefix("-") }
    let verb = words.dropFirst(rootWords.count).first
    let wantsHelp = words.prefix { $0 != "--" }
      .contains(where: Command.helpFlag.declaration.spellings.contains)
    do throws(Failure) {
      if wantsHelp {
        let chosen = try verb.map { verb throws(Failure) in try root.subcommand(verb) }
        terminal.output.write(HelpPage(chosen ?? root).text)
        return .pass
      }
      let chosen: Command
      if let verb, rootWords.isEmpty {
        chosen = try root.subcommand(verb)
      } else {
        chosen = root
      }
      let arguments = try ParsedArguments(
        words.dropFirst(rootWords.isEmpty && verb != nil ? 1 : 0), of: chosen,
        environment: environment)
      return try chosen.run(arguments, &terminal)
    } catch {
      terminal.writeError(error)
      return .couldNotRun
    }
  }
}

public import UnderstudyConsumers
import UnderstudyCore
import UnderstudyFakeServer
import UnderstudySystem

// The target is the command line. This file lists all commands and runs the one that was typed.
// Each command is a type with a `Command` value, in a folder of its own if it has several files;
// read `ListCommand` as a small one. `CommandLine` has what all commands share, and `Loading`
// finds the contracts that a command is asked about. `AdminClient` is for the commands that talk
// to a running server, `UseCommand` above all.
//
// Commands read arguments and print; the runs themselves are in `Suite`, `Drift`, `Recording` and
// `FakeServer`, where programs can call them, too. A command writes to a `Terminal` and gives an
// `ExitCode`, so tests run it without a process.

/// The command line tool.
///
/// An executable with consumers of its own is one call, and has every command of this tool:
///
///     Understudy.main(consumers: [
///       ServiceConsumer("jokes.random") { call in … }
///     ])
///
/// An executable with commands of its own awaits them:
///
///     await Understudy.main(consumers: services, commands: [
///       ToolCommand("joke", summary: "Tells a joke") { input in … }
///     ])
public enum Understudy {
  package static let version = UnderstudyVersion.text

  private static let versionFlag = Parameter.flag("version", short: "v", "Print the version.")

  /// The tool itself, without a user's services and commands.
  static let command = command([])

  /// - Parameters:
  ///   - name: of the executable, as help shows it.
  static func command(
    _ consumers: [ServiceConsumer], _ commands: [ToolCommand] = [],
    named name: String = "understudy"
  ) -> Command {
    let registry = ConsumerRegistry(consumers, toolName: name)
    let shown: @Sendable () -> Command = { command(consumers, commands, named: name).shown }
    let purposes: [(String, [Command])] = [
      ("Commands of \(name)", commands.map { $0.command(of: name) }),
      ("Start", [InitCommand.command, RecordCommand.command]),
      ("Look at contracts", [LintCommand.command, ListCommand.command, ExplainCommand.command]),
      (
        "Serve a fake",
        [
          ServeCommand.command, UseCommand.command, CallCommand.command, AuthorityCommand.command,
        ]
      ),
      (
        "Test clients",
        [
          TestCommand.command(registry), RunCommand.command, MergeCommand.command,
          ReadsCommand.command,
        ]
      ),
      ("Watch the live APIs", [DriftCommand.command(registry), HistoryCommand.command]),
      (
        "Exchange with other tools",
        [ImportCommand.command, ExportCommand.command, WireMockCommand.command]
      ),
    ]
    let verbs = purposes.flatMap { purpose, commands in
      commands.map { $0.listed(under: purpose) }
    }
    let help = HelpCommand.command(
      verbs: verbs.map(\.verb) + ["completions", "help"], of: shown)
    let subcommands =
      verbs
      + [CompletionsCommand.command(of: shown), help].map { $0.listed(under: "More") }
    return Command(
      name: name,
      summary:
        "Contracts for upstream APIs: a file for each endpoint, a case for each way it responds",
      discussion: """
        Contracts are JSON files, in ./Contracts unless other paths are given. The manual is at \
        \(ManualSite.address); a package has it in share/doc/understudy.

        Output is coloured on a terminal, or where FORCE_COLOR or CLICOLOR_FORCE is set, unless \
        NO_COLOR is; --color of a command says it, too.
        """,
      parameters: [versionFlag.declaration],
      examples: [
        "understudy lint": "Check the contracts below ./Contracts.",
        "understudy serve": "Serve them on http://127.0.0.1:8080.",
        "understudy run -- ./test-client": "Run tests with them, in any language.",
        "understudy list --format json": "List all contracts for another program.",
      ],
      subcommands: subcommands,
      workers: [WorkerCommand.command(registry), GuardCommand.command],
      run: { arguments, terminal throws(Failure) in
        guard !CommandLine.arguments.isEmpty else { throw .unreadableArguments }
        guard try arguments.value(of: versionFlag) else {
          terminal.output.write(HelpPage(shown()).text)
          throw .missingCommand(known: subcommands.map(\.verb))
        }
        terminal.output.write("understudy \(version)\n")
        return .pass
      })
  }

  /// Runs the command line of this process. `test` and `drift` call these consumers.
  public static func main(consumers: [ServiceConsumer]) -> Never {
    let root = command(consumers, named: executableName)
    var terminal = started(root)
    let code = run(words, of: root, environment: environment, on: &terminal)
    end(&terminal, code)
  }

  /// Runs the command line of this process, with commands of your own beside those of the tool.
  ///
  /// A name that the tool uses itself, or that two of yours share, ends the process with a message.
  @MainActor
  public static func main(
    consumers: [ServiceConsumer] = [], commands: [ToolCommand]
  ) async -> Never {
    let root = command(consumers, commands, named: executableName)
    var terminal = started(root)
    do throws(Failure) {
      try ToolCommand.check(commands, beside: command(consumers))
      if let own = commands.first(where: { $0.name == words.first }) {
        let order = try order(words, of: root, environment: environment, on: &terminal)
        guard let order else { end(&terminal, .pass) }
        let code = try await own.outcome(of: order.arguments)
        end(&terminal, code)
      }
      let code = run(words, of: root, environment: environment, on: &terminal)
      end(&terminal, code)
    } catch {
      terminal.writeError(error)
      end(&terminal, .couldNotRun)
    }
  }

  private static var words: ArraySlice<String> { CommandLine.arguments.dropFirst() }

  private static var executableName: String {
    CommandLine.arguments.first?.split(separator: "/").last.map(String.init) ?? "understudy"
  }

  private static func started(_ root: Command) -> Terminal {
    // A closed pipe fails the write instead of ending the process.
    ThisProcess.ignoreBrokenPipes()
    ThisProcess.returnLargeMemory()
    let command = words.first.flatMap { root[$0] }
    do throws(SystemError) {
      try CommandSafety.prepare(for: command?.starts ?? .none)
    } catch {
      var terminal = Terminal.standard()
      terminal.writeError(
        Failure(message: "\(error)", fix: "allow this program to start processes"))
      end(&terminal, .couldNotRun)
    }
    return .standard()
  }

  private static func end(_ terminal: inout Terminal, _ code: ExitCode) -> Never {
    let isWritten = terminal.flush()
    ProcessTree.endAll()
    ThisProcess.exit(isWritten ? code.rawValue : ExitCode.couldNotRun.rawValue)
  }

  /// An environment variable of this process.
  private static func environment(_ name: String) -> String? {
    Environment[name]
  }

  static func run(
    _ words: some Collection<String>, of root: Command = command,
    environment: @escaping @Sendable (String) -> String?, on terminal: inout Terminal
  ) -> ExitCode {
    do throws(Failure) {
      let order = try order(words, of: root, environment: environment, on: &terminal)
      return try order.map { order throws(Failure) in
        try order.command.run(order.arguments, &terminal)
      } ?? .pass
    } catch {
      terminal.writeError(error)
      return .couldNotRun
    }
  }

  /// The command named by the words, and its arguments; `nil` after printing requested help.
  private static func order(
    _ words: some Collection<String>, of root: Command,
    environment: @escaping @Sendable (String) -> String?, on terminal: inout Terminal
  ) throws(Failure) -> (command: Command, arguments: ParsedArguments)? {
    terminal.tool = root.tool
    // No option of the root takes a value, so the first other word names the command.
    let rootWords = words.prefix { $0.hasPrefix("-") }
    let verb = words.dropFirst(rootWords.count).first
    let help = words.prefix { $0 != "--" }
      .filter(Command.helpFlag.declaration.spellings.contains)
    if !help.isEmpty {
      let root = root.shown
      let chosen = try verb.map { verb throws(Failure) in try root.subcommand(verb) }
      let isBrief = help.allSatisfy { !$0.hasPrefix("--") }
      terminal.output.write(HelpPage(chosen ?? root, isBrief: isBrief).text)
      return nil
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
    terminal.color(try arguments.value(of: ColorChoice.option))
    return (chosen, arguments)
  }
}

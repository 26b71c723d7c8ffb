import UnderstudyCore

/// One command: its name, parameters and action. Parsing, help and completions use this value.
///
/// The folder has what all commands share and knows none of them. Read this file, then `Parameter`
/// and `ValueFormat`, which declare what may be typed, and `ParsedArguments`, which reads it.
/// `HelpPage`, `ManualPage` and `TextLayout` write the help, `Failure+Usage` words mistakes with
/// near spellings, and `Terminal` collects the output. `ExitCode` has the meanings of exit codes,
/// `Blocking` waits for asynchronous work, and `ToolCommand` is a command that users add.
///
/// A parameter is declared once; its help, its completion and its messages follow from that.
/// Parsing ends before a command acts, so wrong usage changes nothing.
struct Command: Sendable {
  struct OptionGroup: Sendable {
    let title: String
    let options: [ParameterDeclaration]
  }

  /// Command lines with their meanings, in order.
  struct Examples: ExpressibleByDictionaryLiteral, Sendable {
    let list: [(String, String)]

    init(_ list: [(String, String)]) { self.list = list }

    init(dictionaryLiteral elements: (String, String)...) { list = elements }
  }

  enum StartedCommands {
    case none, ofUser, ofContracts
    /// The commands of contracts, in a process that `understudy test` has started with what it may
    /// know.
    case byWorker
  }

  typealias Run =
    @Sendable (_ arguments: ParsedArguments, _ terminal: inout Terminal) throws(Failure)
    -> ExitCode

  /// As typed, from the first word: `understudy lint`.
  var name: String
  /// One line without a full stop.
  let summary: String
  /// What one wants who needs it; the root's help lists its commands by this.
  var purpose = "Commands"
  /// Paragraphs, with empty lines between them. Help wraps them, but not lines that start with a
  /// space.
  var discussion = ""
  /// Paragraphs behind those, made when help is asked for.
  var tables: @Sendable () -> [String] = { [] }
  /// Without `--help`, which every command has.
  var parameters: [ParameterDeclaration] = []
  /// Options that help lists behind the others, each group under its own title.
  var optionGroups: [OptionGroup] = []
  /// What `--format json` prints, for `understudy help json`.
  var jsonOutput = ""
  var examples: Examples = [:]
  /// The environment variables it reads in addition to those of its options.
  var variables: [String] = []
  /// Whose commands it starts.
  var starts = StartedCommands.none
  /// Options of the program that it stands in for, with their dashes. Help does not list them, and
  /// their values are not read.
  var foreignOptions: @Sendable () -> Set<String> = { [] }
  /// Meanings of exit codes that are more specific for this command.
  var exitCodes: [ExitCode: String] = [:]
  var subcommands: [Command] = []
  /// Commands that the tool uses to start itself; help does not list them.
  var workers: [Command] = []
  let run: Run

  static let helpFlag = Parameter.flag(
    "help", short: "h", "Show this help, or with -h its beginning.")

  /// The last word of the name.
  var verb: String {
    name.split(separator: " ").last.map(String.init) ?? name
  }

  var arguments: [ParameterDeclaration] { parameters.filter { $0.kind == .argument } }

  var options: [ParameterDeclaration] { groupedOptions.flatMap(\.options) }

  /// As help lists them. Those that every command has come last.
  var groupedOptions: [OptionGroup] {
    let main = OptionGroup(title: "Options", options: parameters.filter { !$0.spellings.isEmpty })
    let groups = [main] + optionGroups
    guard let last = groups.last else { return [] }
    let common =
      (hasColorOption ? [ColorChoice.option.declaration] : []) + [Self.helpFlag.declaration]
    return groups.dropLast() + [OptionGroup(title: last.title, options: last.options + common)]
  }

  /// A command of the user's may have one of its own.
  private var hasColorOption: Bool {
    subcommands.isEmpty && !parameters.contains { $0.name == ColorChoice.option.declaration.name }
  }

  /// Its usage in one line: `understudy lint [OPTIONS] [PATH...]`.
  var usage: String {
    guard subcommands.isEmpty else { return "\(name) COMMAND [OPTIONS]" }
    let words = arguments.map { argument in
      let word = argument.name + (argument.isRepeatable ? "..." : "")
      let place = argument.isAfterDashes ? "-- " : ""
      return argument.isRequired ? place + word : "[\(word)]"
    }
    return ([name, "[OPTIONS]"] + words).joined(separator: " ")
  }

  /// What its help page and its man page say below the summary.
  var paragraphs: [String] {
    discussion.split(separator: "\n\n").map(String.init) + tables()
  }

  /// The name for its texts, if it is the root.
  var tool: ToolName { ToolName(name, verbs: subcommands.map(\.verb)) }

  /// The root as help and completions show it: `showcase lint` in the texts of `showcase`.
  var shown: Command { naming(tool) }

  func listed(under purpose: String) -> Command {
    var command = self
    command.purpose = purpose
    return command
  }

  private func naming(_ tool: ToolName) -> Command {
    var command = self
    command.name = tool.inserted(in: name)
    command.discussion = tool.inserted(in: discussion)
    command.jsonOutput = tool.inserted(in: jsonOutput)
    command.examples = Examples(
      examples.list.map { (tool.inserted(in: $0), tool.inserted(in: $1)) })
    command.subcommands = subcommands.map { $0.naming(tool) }
    return command
  }

  func subcommand(_ verb: String) throws(Failure) -> Command {
    guard let command = self[verb] else {
      throw .unknownCommand(verb, known: subcommands.map(\.verb))
    }
    return command
  }

  subscript(_ verb: String) -> Command? {
    subcommands.first { $0.verb == verb } ?? workers.first { $0.verb == verb }
  }
}

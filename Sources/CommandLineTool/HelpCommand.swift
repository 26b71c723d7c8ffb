import Diagnostics

/// `understudy help lint` says what `understudy lint --help` says.
enum HelpCommand {
  private static let name = Parameter<CommandName?>.optionalArgument(
    "COMMAND", "The command to explain.")

  static let command = Command(
    name: "understudy help",
    summary: "Explains a command, or shows all of them",
    parameters: [name.declaration],
    examples: [
      Command.Example(line: "understudy help lint", meaning: "Explain what lint does.")
    ],
    run: { arguments, terminal throws(CommandLineError) in
      let name = try arguments.value(of: name)
      terminal.output.write(HelpPage(name?.command ?? Understudy.command).text)
      return .pass
    })
}

/// A command as named by its verb.
private struct CommandName: ArgumentValue {
  static let shape = ValueShape.oneOf(Understudy.commands.map(\.verb))

  let command: Command

  init?(argument: String) {
    guard let command = Understudy.commands.first(where: { $0.verb == argument }) else {
      return nil
    }
    self.command = command
  }

  var argument: String { command.verb }
}

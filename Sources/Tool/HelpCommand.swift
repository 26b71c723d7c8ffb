import UnderstudyCore

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
    run: { arguments, terminal throws(Failure) in
      let name = try arguments.value(of: name)
      let root = Understudy.command
      let chosen = try name.map { name throws(Failure) in
        try root.subcommand(name.argument)
      }
      terminal.output.write(HelpPage(chosen ?? root).text)
      return .pass
    })
}

/// A command as named by its verb.
private struct CommandName: ArgumentValue {
  static let shape = ValueShape.oneOf(Understudy.commands.map(\.verb) + ["help"])

  let argument: String

  init?(argument: String) {
    guard Self.shape.choices.contains(argument) else { return nil }
    self.argument = argument
  }
}

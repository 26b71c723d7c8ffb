import UnderstudyCore

/// `understudy help lint` prints the same as `understudy lint --help`.
enum HelpCommand {
  /// - Parameter verbs: of all commands.
  static func command(verbs: [String], of root: @escaping @Sendable () -> Command) -> Command {
    let name = Parameter<String?>.optionalChoice("COMMAND", of: verbs, "The command to explain.")
    return Command(
      name: "understudy help",
      summary: "Explains a command, or shows all of them",
      parameters: [name.declaration],
      examples: [
        Command.Example(line: "understudy help lint", meaning: "Explain what lint does.")
      ],
      run: { arguments, terminal throws(Failure) in
        let root = root()
        let chosen = try arguments.value(of: name).map { name throws(Failure) in
          try root.subcommand(name)
        }
        terminal.output.write(HelpPage(chosen ?? root).text)
        return .pass
      })
  }
}

import UnderstudyCore

/// `understudy help lint` prints the same as `understudy lint --help`.
enum HelpCommand {
  private static let isManual = Parameter.flag("man", "Print the page in the language of man.")

  /// - Parameter verbs: of all commands.
  static func command(verbs: [String], of root: @escaping @Sendable () -> Command) -> Command {
    let name = Parameter<String?>.optionalChoice("COMMAND", of: verbs, "The command to explain.")
    return Command(
      name: "understudy help",
      summary: "Explains a command, or shows all of them",
      parameters: [name.declaration, isManual.declaration],
      examples: [
        Command.Example(line: "understudy help lint", meaning: "Explain what lint does."),
        Command.Example(
          line: "understudy help lint --man > understudy-lint.1", meaning: "Write a manual page."),
      ],
      run: { arguments, terminal throws(Failure) in
        let root = root()
        let chosen = try arguments.value(of: name).map { name throws(Failure) in
          try root.subcommand(name)
        }
        let page =
          try arguments.value(of: isManual)
          ? ManualPage(chosen ?? root, seeAlso: chosen == nil ? root.subcommands : [root]).text
          : HelpPage(chosen ?? root).text
        terminal.output.write(page)
        return .pass
      })
  }
}

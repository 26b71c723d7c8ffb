import UnderstudyCore

/// `understudy help lint` prints the same as `understudy lint --help`, and `understudy help json` what no page
/// of a command has: what it prints for other programs.
enum HelpCommand {
  private static let jsonTopic = "json"

  private static let isManual = Parameter.flag("man", "Print the page in the language of man.")

  /// - Parameter verbs: of all commands.
  static func command(verbs: [String], of root: @escaping @Sendable () -> Command) -> Command {
    let name = Parameter.optionalArgument(
      "COMMAND", .oneOf(verbs + [jsonTopic]),
      "The command to explain, or json for what --format json prints.")
    return Command(
      name: "understudy help",
      summary: "Explains a command or the JSON output of all, or lists them",
      parameters: [name.declaration, isManual.declaration],
      examples: [
        "understudy help lint": "Explain what lint does.",
        "understudy help lint --man > understudy-lint.1": "Write a manual page.",
      ],
      run: { arguments, terminal throws(Failure) in
        let root = root()
        if try arguments.value(of: name) == jsonTopic {
          guard try !arguments.value(of: isManual) else {
            throw Failure(
              message: "--man cannot be used with json: manual pages have JSON OUTPUT",
              fix: "leave out --man, or name a command")
          }
          terminal.output.write(jsonPage(of: root))
          return .pass
        }
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

  private static func jsonPage(of root: Command) -> String {
    let beginning = "What --format json prints, by command. Values that are missing are null."
    let commands = root.subcommands.filter { !$0.jsonOutput.isEmpty }
    let texts = commands.map { command in
      ([command.name] + TextLayout.wrapped(command.jsonOutput, width: 76).map { "    \($0)" })
        .joined(separator: "\n")
    }
    return ([beginning] + texts).map { $0 + "\n" }.joined(separator: "\n")
  }
}

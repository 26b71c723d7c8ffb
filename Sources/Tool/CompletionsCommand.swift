import UnderstudyCore

/// `understudy completions` prints what makes a shell complete our command line.
enum CompletionsCommand {
  enum Shell: String, ArgumentValue, CaseIterable {
    case bash
    case zsh
    case fish
  }

  private static let shell = Parameter<Shell>.argument("SHELL", "The shell to write for.")

  static let command = Command(
    name: "understudy completions",
    summary: "Prints a script that completes this command line in a shell",
    parameters: [shell.declaration],
    examples: [
      Command.Example(
        line: "source <(understudy completions bash)", meaning: "Complete in this bash session."),
      Command.Example(
        line: "source <(understudy completions zsh)",
        meaning: "Complete in this zsh session."),
      Command.Example(
        line: "understudy completions fish | source", meaning: "Complete in this fish session."),
    ],
    run: { arguments, terminal throws(Failure) in
      let shell = try arguments.value(of: shell)
      terminal.output.write(Completions(of: Understudy.command).script(for: shell))
      return .pass
    })
}

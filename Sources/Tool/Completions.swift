import UnderstudyCore

/// Writes the completion script of a command for a shell.
struct Completions {
  enum Shell: String, CaseIterable {
    case bash, zsh, fish
  }

  let root: Command

  init(of root: Command) {
    self.root = root
  }

  func script(for shell: Shell) -> String {
    let lines =
      switch shell {
      case .bash: bashLines
      case .zsh: zshLines
      case .fish: fishLines
      }
    return lines.map { $0 + "\n" }.joined()
  }

  /// The name of the shell function, which allows fewer characters than a command name.
  var functionName: String {
    "_" + root.name.map { $0.isLetter || $0.isNumber ? String($0) : "_" }.joined()
  }
}

/// `understudy completions` prints a shell completion script.
enum CompletionsCommand {
  private static let shell = Parameter<Completions.Shell>.argument(
    "SHELL", .choice, "The shell that runs the script.")

  static func command(of root: @escaping @Sendable () -> Command) -> Command {
    Command(
      name: "understudy completions",
      summary: "Prints a completion script for a shell",
      parameters: [shell.declaration],
      examples: [
        "source <(understudy completions bash)": "Complete in this bash session.",
        "source <(understudy completions zsh)": "Complete in this zsh session.",
        "understudy completions fish | source": "Complete in this fish session.",
      ],
      run: { arguments, terminal throws(Failure) in
        let shell = try arguments.value(of: shell)
        terminal.output.write(Completions(of: root()).script(for: shell))
        return .pass
      })
  }
}

/// Writes the completion script of a command for a shell.
struct Completions {
  let root: Command

  init(of root: Command) {
    self.root = root
  }

  func script(for shell: CompletionsCommand.Shell) -> String {
    let lines =
      switch shell {
      case .bash: bashLines
      case .zsh: zshLines
      case .fish: fishLines
      }
    return lines.map { $0 + "\n" }.joined()
  }

  /// The name of the shell function, which may not have every letter a command may.
  var functionName: String {
    "_" + root.name.map { $0.isLetter || $0.isNumber ? String($0) : "_" }.joined()
  }
}

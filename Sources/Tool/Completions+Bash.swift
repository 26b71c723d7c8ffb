extension Completions {
  var bashLines: [String] {
    let verbs = root.subcommands.map(\.verb)
    return [
      "# bash completion for \(root.name)",
      "\(functionName)() {",
      "  local current=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD - 1]}",
      "  local verb='' word",
      "  # Bash makes three words of --option=value.",
      "  if [[ $current == '=' ]]; then",
      "    current=''",
      "  elif [[ $previous == '=' ]]; then",
      "    previous=${COMP_WORDS[COMP_CWORD - 2]}",
      "  fi",
      "  for word in \"${COMP_WORDS[@]:1:COMP_CWORD - 1}\"; do",
      "    case $word in",
      "      \(verbs.joined(separator: " | "))) verb=$word; break ;;",
      "    esac",
      "  done",
      "  COMPREPLY=()",
      "  case $verb:$previous in",
    ]
      + root.subcommands.flatMap(bashValueLines)
      + [
        "  esac",
        "  case $verb:$current in",
        "    :-*) \(bashReply(words: optionSpellings(of: root))) ;;",
        "    :*) \(bashReply(words: verbs)) ;;",
      ]
      + root.subcommands.flatMap(bashWordLines)
      + [
        "  esac",
        "}",
        "complete -F \(functionName) \(root.name)",
      ]
  }

  /// The completions after an option that takes a value.
  private func bashValueLines(_ command: Command) -> [String] {
    command.options.filter(\.takesWord).map { option in
      let patterns = option.spellings.map { "\(command.verb):\($0)" }.joined(separator: " | ")
      return "    \(patterns)) \(bashReply(option.shape)); return ;;"
    }
  }

  private func bashWordLines(_ command: Command) -> [String] {
    let options = "    \(command.verb):-*) \(bashReply(words: optionSpellings(of: command))) ;;"
    guard let argument = command.arguments.first else { return [options] }
    return [options, "    \(command.verb):*) \(bashReply(argument.shape)) ;;"]
  }

  private func bashReply(_ shape: ValueShape) -> String {
    switch shape {
    case .oneOf(let choices), .oneOfMany(let choices, _): bashReply(words: choices)
    case .path:
      "compopt -o filenames 2>/dev/null; mapfile -t COMPREPLY < <(compgen -f -- \"$current\")"
    case .other: ":"
    }
  }

  private func bashReply(words: [String]) -> String {
    let list = words.joined(separator: " ")
    return "mapfile -t COMPREPLY < <(compgen -W '\(list)' -- \"$current\")"
  }

  private func optionSpellings(of command: Command) -> [String] {
    command.options.flatMap(\.spellings)
  }
}

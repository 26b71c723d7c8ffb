extension Completions {
  var zshLines: [String] {
    [
      "#compdef \(root.name)",
      "\(functionName)() {",
      "  local context state line",
      "  local -A opt_args",
      "  local -a commands=(",
    ]
      + root.subcommands.map { "    \(zshQuoted("\($0.verb):\($0.summary)"))" }
      + ["  )", "  _arguments -C \\"]
      + root.options.map { "    \(zshSpecification(of: $0)) \\" }
      + [
        "    '1:command:->command' '*::argument:->argument'",
        "  case $state in",
        "    command) _describe command commands ;;",
        "    argument)",
        "      case $line[1] in",
      ]
      + root.subcommands.flatMap(zshCaseLines)
      + [
        "      esac ;;",
        "  esac",
        "}",
        "# Works as a file on $fpath, where zsh calls it by name, or sourced, even before",
        "# zsh's own completions are initialized.",
        "if [[ $funcstack[1] == \(functionName) ]]; then",
        "  \(functionName) \"$@\"",
        "else",
        "  (( $+functions[compdef] )) || { autoload -Uz compinit && compinit }",
        "  compdef \(functionName) \(root.name)",
        "fi",
      ]
  }

  private func zshCaseLines(_ command: Command) -> [String] {
    let arguments = command.arguments.filter { !$0.isAfterDashes }.map { argument in
      let place = argument.isRepeatable ? "*" : ""
      return zshQuoted("\(place):\(argument.name):\(zshAction(for: argument.shape))")
    }
    let specifications = command.options.map(zshSpecification) + arguments
    return ["        \(command.verb))", "          _arguments \\"]
      + specifications.dropLast().map { "            \($0) \\" }
      + specifications.suffix(1).map { "            \($0) ;;" }
  }

  /// One option as `_arguments` wants it: `'(-h --help)'{--help,-h}'[Show this help.]'`.
  private func zshSpecification(of option: ParameterDeclaration) -> String {
    let escaped = option.help.flatMap { "[]:\\".contains($0) ? "\\\($0)" : "\($0)" }
    let value =
      option.kind == .option ? ":\(option.valueName):\(zshAction(for: option.shape))" : ""
    let ending = option.takesWord ? "=" : "=-"
    let spellings = option.spellings.map {
      option.kind == .option && $0.count > 2 ? "\($0)\(ending)" : $0
    }
    let rest = zshQuoted("[\(String(escaped))]\(option.bareValue == nil ? "" : ":")\(value)")
    let excluded = option.isRepeatable ? "*" : "(\(option.spellings.joined(separator: " ")))"
    return spellings.count == 1
      ? "\(zshQuoted(excluded))\(spellings.joined())\(rest)"
      : "\(zshQuoted(excluded)){\(spellings.joined(separator: ","))}\(rest)"
  }

  private func zshAction(for shape: ValueShape) -> String {
    switch shape {
    case .oneOf(let choices), .oneOfMany(let choices, _): "(\(choices.joined(separator: " ")))"
    case .path: "_files"
    case .other: " "
    }
  }

  private func zshQuoted(_ text: String) -> String {
    "'\(text.replacing("'", with: "'\\''"))'"
  }
}

extension Completions {
  var fishLines: [String] {
    let start = "complete -c \(root.name)"
    let verbs = root.subcommands.map(\.verb).joined(separator: " ")
    let noVerb = fishQuoted("not __fish_seen_subcommand_from \(verbs)")
    return ["# fish completion for \(root.name)", "\(start) -f"]
      + root.options.map { "\(start) -n \(noVerb) \(fishOption($0))" }
      + root.subcommands.flatMap { command in
        let seen = fishQuoted("__fish_seen_subcommand_from \(command.verb)")
        return ["\(start) -n \(noVerb) -a \(command.verb) -d \(fishQuoted(command.summary))"]
          + command.options.map { "\(start) -n \(seen) \(fishOption($0))" }
          + command.arguments.prefix(1).compactMap { argument in
            fishValues(of: argument.shape).map { "\(start) -n \(seen) \($0)" }
          }
      }
  }

  private func fishOption(_ option: ParameterDeclaration) -> String {
    let short = option.short.map { " -s \($0)" } ?? ""
    let required = option.shape == .path ? " -r" : " -x"
    let values = fishValues(of: option.shape).map { " \($0)" } ?? ""
    let value = option.takesWord ? required + values : ""
    return "-l \(option.name)\(short)\(value) -d \(fishQuoted(option.help))"
  }

  private func fishValues(of shape: ValueShape) -> String? {
    switch shape {
    case .oneOf(let choices), .oneOfMany(let choices, _):
      "-a \(fishQuoted(choices.joined(separator: " ")))"
    case .path: "-F"
    case .other: nil
    }
  }

  private func fishQuoted(_ text: String) -> String {
    "'\(text.replacing("\\", with: "\\\\").replacing("'", with: "\\'"))'"
  }
}

/// What `--help` prints for a command.
struct HelpPage {
  private static let width = 80

  private let command: Command
  private var lines: [String] = []

  init(_ command: Command) {
    self.command = command
    lines = TextLayout.wrapped("\(command.summary).", width: Self.width)
    lines += ["", "Usage: \(command.usage)"]
    addDiscussion()
    add("Commands", rows: command.subcommands.map { [$0.verb, "\($0.summary)."] })
    add("Arguments", rows: command.arguments.map { [$0.name, Self.explanation(of: $0)] })
    add("Options", rows: optionRows)
    add("Environment", rows: command.secrets.map { [$0.name, $0.help] })
    addExamples()
    add("Exit codes", rows: exitCodeRows)
    if !command.subcommands.isEmpty {
      lines += ["", "\"\(command.name) COMMAND --help\" explains a command."]
    }
  }

  var text: String {
    lines.map { $0 + "\n" }.joined()
  }

  private mutating func addDiscussion() {
    for paragraph in command.discussion {
      lines.append("")
      for line in paragraph.split(separator: "\n", omittingEmptySubsequences: false) {
        let isKept = line.hasPrefix(" ")
        lines += isKept ? [String(line)] : TextLayout.wrapped(String(line), width: Self.width)
      }
    }
  }

  private mutating func add(_ title: String, rows: [[String]]) {
    guard !rows.isEmpty else { return }
    lines += ["", "\(title):"] + TextLayout.aligned(rows, indent: 2, width: Self.width)
  }

  private mutating func addExamples() {
    guard !command.examples.isEmpty else { return }
    lines += ["", "Examples:"]
    for example in command.examples {
      lines += ["  \(example.line)", "      \(example.meaning)"]
    }
  }

  /// Aligns long names, whether or not an option has a short one.
  private var optionRows: [[String]] {
    let hasShort = command.options.contains { $0.short != nil }
    return command.options.map { option in
      let short = option.short.map { "-\($0), " } ?? (hasShort ? "    " : "")
      let value = option.kind == .option ? " \(option.valueName)" : ""
      return ["\(short)--\(option.name)\(value)", Self.explanation(of: option)]
    }
  }

  private var exitCodeRows: [[String]] {
    ExitCode.allCases.compactMap { code in
      let meaning = command.exitCodes[code] ?? (command.subcommands.isEmpty ? nil : code.meaning)
      return meaning.map { ["\(code.rawValue)", $0] }
    }
  }

  private static func explanation(of parameter: ParameterDeclaration) -> String {
    var sentences = [parameter.help]
    if !parameter.shape.choices.isEmpty { sentences.append("One of \(parameter.shape.expected).") }
    if parameter.isRepeatable { sentences.append("Repeatable.") }
    if let fallback = parameter.fallback { sentences.append("Default: \(fallback).") }
    if let name = parameter.environmentVariable { sentences.append("Also read from \(name).") }
    return sentences.joined(separator: " ")
  }
}

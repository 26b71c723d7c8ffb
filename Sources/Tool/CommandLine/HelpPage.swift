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
    add("Arguments", rows: command.arguments.map { [$0.name, $0.explanation] })
    add("Options", rows: optionRows)
    add("Environment", rows: command.secrets.map { [$0.name, $0.help] })
    addExamples()
    add("Exit codes", rows: command.exitMeanings.map { ["\($0.code.rawValue)", $0.meaning] })
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
      [(hasShort && option.short == nil ? "    " : "") + option.usage, option.explanation]
    }
  }
}

extension ParameterDeclaration {
  /// `-v, --version` or `--format FORMAT`.
  var usage: String {
    (short.map { "-\($0), " } ?? "") + "--\(name)" + (kind == .option ? " \(valueName)" : "")
  }

  /// The help, and what it follows from the declaration.
  var explanation: String {
    var sentences = [help]
    if !shape.choices.isEmpty { sentences.append("One of \(shape.expected).") }
    if isRepeatable { sentences.append("Repeatable.") }
    if let fallback { sentences.append("Default: \(fallback).") }
    if let environmentVariable { sentences.append("Also read from \(environmentVariable).") }
    return sentences.joined(separator: " ")
  }
}

extension Command {
  /// Those that a run may end with.
  var exitMeanings: [(code: ExitCode, meaning: String)] {
    ExitCode.allCases.compactMap { code in
      let meaning = exitCodes[code] ?? (subcommands.isEmpty ? nil : code.meaning)
      return meaning.map { (code, $0) }
    }
  }
}

import UnderstudyCore

/// What `--help` prints for a command, or in brief `-h`.
struct HelpPage {
  private static let width = 80

  private let command: Command
  private var lines: [String] = []

  /// - Parameter isBrief: whether it is to fit on a screen.
  init(_ command: Command, isBrief: Bool = false) {
    self.command = command
    lines = TextLayout.wrapped("\(command.summary).", width: Self.width)
    lines += ["", "Usage: \(command.usage)"]
    if isBrief, command.subcommands.isEmpty {
      addBrief()
    } else {
      addAll()
    }
  }

  private mutating func addAll() {
    addDiscussion()
    addCommands()
    add("Arguments", rows: command.arguments.map { [$0.name, $0.explanation] })
    addOptions()
    addExamples(command.examples.list[...])
    add("Exit codes", rows: command.exitMeanings.map { ["\($0.code.rawValue)", $0.meaning] })
    if !command.jsonOutput.isEmpty {
      lines += ["", "\"\(command.toolName) help json\" says what --format json prints."]
    }
    if !command.subcommands.isEmpty {
      lines += ["", "\"\(command.name) COMMAND --help\" explains a command."]
    }
  }

  private static let briefOptionCount = 10

  private mutating func addBrief() {
    add("Arguments", rows: command.arguments.map { [$0.name, $0.help.firstSentence] })
    let options = command.options.prefix(Self.briefOptionCount)
    add("Options", rows: options.map { [usage(of: $0), $0.help.firstSentence] })
    addExamples(command.examples.list.prefix(2))
    let rest = command.options.count - Self.briefOptionCount
    let more = rest > 0 ? "\(rest.of("more option")), output" : "output"
    let ending = "\"\(command.name) --help\" explains it whole: \(more) and exit codes."
    lines += [""] + TextLayout.wrapped(ending, width: Self.width)
  }

  /// By purpose, with their texts in one column.
  private mutating func addCommands() {
    let commands = command.subcommands
    let width = commands.map(\.verb.count).max() ?? 0
    var purpose: String?
    for command in commands {
      if command.purpose != purpose { lines += ["", "\(command.purpose):"] }
      purpose = command.purpose
      let verb = command.verb + TextLayout.spaces(width - command.verb.count)
      lines += TextLayout.aligned([[verb, "\(command.summary)."]], indent: 2, width: Self.width)
    }
  }

  var text: String {
    lines.map { $0 + "\n" }.joined()
  }

  private mutating func addDiscussion() {
    for paragraph in command.paragraphs {
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

  private mutating func addExamples(_ examples: ArraySlice<(String, String)>) {
    guard !examples.isEmpty else { return }
    lines += ["", "Examples:"]
    for (line, meaning) in examples { lines += ["  \(line)", "      \(meaning)"] }
  }

  /// By group, with their texts in one column.
  private mutating func addOptions() {
    let rows = command.options.map { [usage(of: $0), $0.explanation] }
    let width = rows.compactMap(\.first?.count).max() ?? 0
    for group in command.groupedOptions {
      add(
        group.title,
        rows: group.options.map { option in
          let name = usage(of: option)
          return [name + TextLayout.spaces(width - name.count), option.explanation]
        })
    }
  }

  /// Aligns long names, whether or not an option has a short one.
  private func usage(of option: ParameterDeclaration) -> String {
    let hasShort = command.options.contains { $0.short != nil }
    return (hasShort && option.short == nil ? "    " : "") + option.usage
  }
}

extension ParameterDeclaration {
  /// `-v, --version` or `--format FORMAT`.
  var usage: String {
    let value = kind == .flag ? "" : takesWord ? " \(valueName)" : "[=\(valueName)]"
    return (short.map { "-\($0), " } ?? "") + "--\(name)\(value)"
  }

  /// The help, and what it follows from the declaration.
  var explanation: String {
    var sentences = [help]
    if !shape.choices.isEmpty { sentences.append("One of \(shape.expected).") }
    if isRepeatable { sentences.append("Repeatable.") }
    if let fallback {
      sentences.append("Default: \(fallback == "." ? "the current folder" : fallback).")
    }
    if let environmentVariable { sentences.append("Also read from \(environmentVariable).") }
    return sentences.joined(separator: " ")
  }
}

extension Command {
  /// `showcase` in its texts.
  var toolName: String { name.split(separator: " ").first.map(String.init) ?? name }

  /// The exit codes that a run may end with.
  var exitMeanings: [(code: ExitCode, meaning: String)] {
    ExitCode.allCases.compactMap { code in
      let meaning = exitCodes[code] ?? (subcommands.isEmpty ? nil : code.meaning)
      return meaning.map { (code, $0) }
    }
  }
}

extension String {
  fileprivate var firstSentence: String {
    let words = split(separator: " ")
    let end = words.firstIndex { $0.hasSuffix(".") } ?? words.endIndex - 1
    return words[...end].joined(separator: " ")
  }
}

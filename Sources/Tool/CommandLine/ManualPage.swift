import UnderstudyCore

/// The help of a command in the language of `man`.
struct ManualPage {
  private let command: Command
  private var lines: [String] = []

  /// - Parameter seeAlso: other commands, or the root.
  init(_ command: Command, seeAlso others: [Command]) {
    self.command = command
    lines = [
      ".TH \(Self.page(of: command).uppercased()) 1 \"\" \"understudy \(UnderstudyVersion.text)\"",
      // Names and options stay whole.
      ".nh", ".ad l",
      ".SH NAME",
      "\(Self.page(of: command)) \\- \(Self.escaped(command.summary))",
    ]
    let parameters = command.usage.dropFirst(command.name.count)
    add("SYNOPSIS", [Self.bold(command.name) + Self.escaped(String(parameters))])
    addDiscussion()
    add("COMMANDS", rows: command.subcommands.map { ($0.verb, "\($0.summary).") })
    add("ARGUMENTS", rows: command.arguments.map { ($0.name, $0.explanation) })
    for group in command.groupedOptions {
      add(group.title.uppercased(), rows: group.options.map { ($0.usage, $0.explanation) })
    }
    add("EXIT STATUS", rows: command.exitMeanings.map { ("\($0.code.rawValue)", $0.meaning) })
    if !command.jsonOutput.isEmpty { add("JSON OUTPUT", [Self.escaped(command.jsonOutput)]) }
    add("EXAMPLES", rows: command.examples.list.map { ($0, $1) })
    add("SEE ALSO", [others.map { ".BR \(Self.page(of: $0)) (1)" }.joined(separator: ",\n")])
  }

  var text: String { lines.map { $0 + "\n" }.joined() }

  /// `understudy-lint`, as git and others name the pages of their commands.
  private static func page(of command: Command) -> String {
    escaped(command.name.replacing(" ", with: "-"))
  }

  private mutating func add(_ title: String, _ text: [String]) {
    lines.append(".SH \(title)")
    lines += text
  }

  private mutating func add(_ title: String, rows: [(term: String, text: String)]) {
    guard !rows.isEmpty else { return }
    add(title, rows.flatMap { [".TP", Self.bold($0.term), Self.escaped($0.text)] })
  }

  private mutating func addDiscussion() {
    for (index, paragraph) in command.paragraphs.enumerated() {
      lines.append(index == 0 ? ".SH DESCRIPTION" : ".PP")
      let texts = paragraph.split(separator: "\n", omittingEmptySubsequences: false)
      // Indented lines are kept as they are.
      var isKept = false
      for text in texts {
        if text.hasPrefix(" ") != isKept {
          isKept.toggle()
          lines.append(isKept ? ".nf" : ".fi")
        }
        lines.append(Self.escaped(String(text)))
      }
      if isKept { lines.append(".fi") }
    }
  }

  private static func bold(_ text: String) -> String { "\\fB\(escaped(text))\\fR" }

  /// Dashes and quotes stay those that shells know; no text becomes a request.
  private static func escaped(_ text: String) -> String {
    var escaped = text.hasPrefix(".") || text.hasPrefix("'") ? "\\&" : ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\\": escaped += "\\e"
      case "-": escaped += "\\-"
      case "'": escaped += "\\(aq"
      case "`": escaped += "\\(ga"
      case "^": escaped += "\\(ha"
      case "~": escaped += "\\(ti"
      // Every terminal can show them.
      case "…": escaped += "..."
      case _ where !scalar.isASCII:
        let digits = String(scalar.value, radix: 16, uppercase: true)
        escaped += "\\[u\(String(repeating: "0", count: max(0, 4 - digits.count)))\(digits)]"
      default: escaped.unicodeScalars.append(scalar)
      }
    }
    return escaped
  }
}

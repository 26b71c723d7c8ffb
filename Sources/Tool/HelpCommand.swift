import UnderstudyCore
import UnderstudyFindings

/// `understudy help lint` prints the same as `understudy lint --help`. The topics `json` and
/// `findings`, and the name of each finding, have pages that no command has.
enum HelpCommand {
  private static let jsonTopic = "json"
  private static let findingsTopic = "findings"

  private static let isManual = Parameter.flag("man", "Print the page in the language of man.")

  /// - Parameter verbs: of all commands.
  static func command(verbs: [String], of root: @escaping @Sendable () -> Command) -> Command {
    let topic = topic(among: verbs)
    return Command(
      name: "understudy help",
      summary: "Explains a command, a finding or what --format json prints",
      parameters: [topic.declaration, isManual.declaration],
      examples: [
        "understudy help lint": "Explain what lint does.",
        "understudy help schema-mismatch":
          "Explain a finding: what it means, an example, and how to fix it.",
        "understudy help lint --man > understudy-lint.1": "Write a manual page.",
      ],
      run: { arguments, terminal throws(Failure) in
        let root = root()
        let word = try arguments.value(of: topic)
        let isManual = try arguments.value(of: isManual)
        if let word, root[word] == nil {
          guard !isManual else { throw .noManualPage(of: word, isJSON: word == jsonTopic) }
          writePage(on: word, of: root, to: &terminal)
          return .pass
        }
        let chosen = try word.map { word throws(Failure) in try root.subcommand(word) }
        let page =
          isManual
          ? ManualPage(chosen ?? root, seeAlso: chosen == nil ? root.subcommands : [root]).text
          : HelpPage(chosen ?? root).text
        terminal.output.write(page)
        return .pass
      })
  }

  private static func topic(among verbs: [String]) -> Parameter<String?> {
    let topics =
      verbs + [jsonTopic, findingsTopic] + FindingType.allCases.map { type in type.rawValue }
    return .optionalArgument(
      "TOPIC",
      ValueFormat(
        .oneOfMany(topics, "a command, a finding, findings or json"),
        fix: { word in
          Spelling.suggestion(for: word, among: topics)
            ?? "\"understudy help\" lists the commands, \"understudy help findings\" the findings"
        },
        parse: { topics.contains($0) ? $0 : nil }),
      "A command; the name of a finding or lint rule, such as schema-mismatch; findings, which lists"
        + " those; or json, which says what --format json prints. Default: all commands.")
  }

  private static func writePage(on topic: String, of root: Command, to terminal: inout Terminal) {
    switch topic {
    case jsonTopic: terminal.output.write(jsonPage(of: root))
    case findingsTopic: FindingPage.writeList(by: terminal.tool, to: &terminal.output)
    default: FindingPage(of: topic, by: terminal.tool).write(to: &terminal.output)
    }
  }

  private static func jsonPage(of root: Command) -> String {
    let beginning = "What --format json prints, by command. Values that are missing are null."
    let commands = root.subcommands.filter { !$0.jsonOutput.isEmpty }
    let texts = commands.map { command in
      ([command.name] + TextLayout.wrapped(command.jsonOutput, width: 76).map { "    \($0)" })
        .joined(separator: "\n")
    }
    return ([beginning] + texts).map { $0 + "\n" }.joined(separator: "\n")
  }
}

extension Failure {
  fileprivate static func noManualPage(of topic: String, isJSON: Bool) -> Self {
    Self(
      message: "--man cannot be used with \(topic): "
        + (isJSON ? "manual pages have JSON OUTPUT" : "only commands have manual pages"),
      fix: "leave out --man, or name a command")
  }
}

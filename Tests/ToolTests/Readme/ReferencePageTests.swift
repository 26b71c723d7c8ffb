import Foundation
import Testing
import UnderstudyContractModel
import UnderstudyCore
import UnderstudyFindings
import UnderstudyTestSupport

@testable import UnderstudyTool

/// The pages of the manual that the declarations of commands make. To write them anew, run this
/// with `UNDERSTUDY_TRANSCRIPTS=write`; `ci/generate` makes those of data files.
@Suite struct ReferencePageTests {
  private static let pages: [String: @Sendable () -> String] = [
    "commands": ReferencePage.commands, "exit-codes": ReferencePage.exitCodes,
    "json": ReferencePage.json,
  ]

  @Test("pages on commands are what their declarations make", arguments: pages.keys.sorted())
  func generated(name: String) throws {
    let file = Checkout.root.appendingPathComponent("Sources/Manual/reference/\(name).md")
    let make = try #require(Self.pages[name])
    let text = make()
    if ProcessInfo.processInfo.environment["UNDERSTUDY_TRANSCRIPTS"] == "write" {
      try Data(text.utf8).write(to: file)
    }
    let shown = (try? String(contentsOf: file, encoding: .utf8)) ?? ""
    #expect(TextDiff.unified(shown, text) == "")
  }

  private static let environmentPage = Page("Sources/Manual/reference/environment.md")

  @Test("the page on variables has those that options read, and those of shards")
  func variables() {
    let commands = Understudy.command.subcommands
    let read = Set(
      commands.flatMap { $0.options.compactMap(\.environmentVariable) + $0.variables })
    for name in read.sorted() {
      #expect(Self.environmentPage.text.contains("`\(name)`"), "\(name)")
    }
  }

  @Test("what the page on variables names is read")
  func named() throws {
    let sources = try ["Sources", "FakeServer"].flatMap { folder in
      try Self.texts(below: Checkout.root.appendingPathComponent(folder))
    }
    let names = Set(Self.environmentPage.text.matches(of: /`(UNDERSTUDY_[A-Z_]*[A-Z])`/).map(\.1))
    #expect(!names.isEmpty)
    for name in names.sorted() {
      #expect(sources.contains { $0.contains(name) }, "\(name)")
    }
  }

  private static func texts(below folder: URL) throws -> [String] {
    let files = FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil)
    return (files?.allObjects as? [URL] ?? [])
      .filter { ["swift", "py", "mjs"].contains($0.pathExtension) }
      .compactMap { try? String(contentsOf: $0, encoding: .utf8) }
  }
}

/// Markdown of what commands declare.
private enum ReferencePage {
  private static let root = Understudy.command

  @Sendable static func commands() -> String {
    let beginning = """
      # Every command and option

      `understudy COMMAND --help` prints the same, `-h` its beginning. Options may stand before or after
      arguments, as `--format json` or `--format=json`. Contracts are looked for in `./Contracts`.

      """
    return beginning + root.subcommands.map(section).joined()
  }

  private static func section(of command: Command) -> String {
    var text =
      "\n## \(command.name)\n\n\(escaped(command.summary)).\n\n```\n\(command.usage)\n```\n"
    for paragraph in command.paragraphs { text += "\n" + markdown(paragraph) }
    text += table("argument", command.arguments.map { ($0.name, $0.explanation) })
    for group in command.groupedOptions {
      text += "\n\(group.title):\n"
      text += table("option", group.options.map { ($0.usage, $0.explanation) })
    }
    if !command.examples.list.isEmpty { text += "\nExamples:\n\n```\n" }
    for (index, (line, meaning)) in command.examples.list.enumerated() {
      text += (index == 0 ? "" : "\n") + "# \(meaning)\n\(line)\n"
    }
    return text + (command.examples.list.isEmpty ? "" : "```\n")
  }

  /// What help keeps as it is stands in a fence.
  private static func markdown(_ paragraph: String) -> String {
    let lines = paragraph.split(separator: "\n", omittingEmptySubsequences: false)
    var (text, isKept) = ("", false)
    for line in lines {
      if line.hasPrefix(" ") != isKept {
        isKept.toggle()
        text += isKept ? (text.isEmpty ? "```\n" : "\n```\n") : "```\n\n"
      }
      let prose = TextLayout.wrapped(escaped(String(line)), width: 110).joined(separator: "\n")
      text += (isKept ? String(line) : prose) + "\n"
    }
    return text + (isKept ? "```\n" : "")
  }

  private static func table(_ title: String, _ rows: [(String, String)]) -> String {
    guard !rows.isEmpty else { return "" }
    return "\n| \(title) | meaning |\n|---|---|\n"
      + rows.map { "| `\($0.replacing("|", with: "\\|"))` | \(escaped($1)) |\n" }.joined()
  }

  private static func escaped(_ text: String) -> String {
    text.replacing(/[*_<>|`\[\]\\]/) { "\\\($0.0)" }
  }

  @Sendable static func exitCodes() -> String {
    var text = """
      # Exit codes

      Scripts can rely on these numbers: they never change their meaning.

      | code | meaning |
      |---|---|

      """
    for code in ExitCode.allCases { text += "| \(code.rawValue) | \(escaped(code.meaning)) |\n" }
    text += "\nSome commands say more:\n"
    for command in root.subcommands where !command.exitCodes.isEmpty {
      let rows = command.exitMeanings.map { ("\($0.code.rawValue)", $0.meaning) }
      text += "\n## \(command.name)\n" + table("code", rows)
    }
    return text
  }

  @Sendable static func json() -> String {
    var text = """
      # JSON output

      With `--format json` a command prints JSON instead of text. Values that are missing are null.
      `understudy help json` prints this page.

      """
    for command in root.subcommands where !command.jsonOutput.isEmpty {
      text += "\n## \(command.name)\n\n" + markdown(command.jsonOutput)
    }
    return text
  }
}

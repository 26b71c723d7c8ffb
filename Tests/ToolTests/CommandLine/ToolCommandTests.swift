import Testing
import UnderstudyCore

@testable import UnderstudyTool

/// Commands of a user's own beside those of the tool.
@Suite struct ToolCommandTests {
  private static func joke(_ name: String = "joke") -> ToolCommand {
    ToolCommand(
      name, summary: "Tells a joke", discussion: ["As \"understudy serve\" serves it."],
      argument: ("ID", "Which."),
      options: [
        .option("base-url", "URL", default: "http://a.example", "Where the jokes are."),
        .option("token", "TEXT", "Who asks."), .flag("loud", "Laugh."),
      ],
      examples: [("jokes joke 7", "Tell the seventh.")]
    ) { input in
      guard input["token"] != "bad" else {
        throw ToolCommand.UsageError("found \"bad\" for --token, expected another", fix: "ask")
      }
      guard input["token"] != "worse" else { throw Unknown() }
      return input.arguments == ["7", "8"] && input["base-url"] == "http://a.example"
        && input["loud"] == "" && input["token"] == nil ? .pass : .findings
    }
  }

  private struct Unknown: Error {}

  private static let root = Understudy.command([], [joke()], named: "jokes")

  @Test("has help like those of the tool, under the name of the executable")
  func help() {
    let page = """
      Tells a joke.

      Usage: jokes joke [OPTIONS] [ID...]

      As "jokes serve" serves it.

      Arguments:
        ID  Which. Repeatable.

      Options:
            --base-url URL  Where the jokes are. Default: http://a.example.
            --token TEXT    Who asks.
            --loud          Laugh.
            --color WHEN    When to print in colour. One of auto, always or never.
                            Default: auto.
        -h, --help          Show this help, or with -h its beginning.

      Examples:
        jokes joke 7
            Tell the seventh.

      """
    #expect(
      TextDiff.unified(page, CommandLineRun("joke --help", of: Self.root).output) == "")
    #expect(CommandLineRun("help joke", of: Self.root).output == page)
    let root = CommandLineRun("--help", of: Self.root).output
    #expect(root.contains("\n  joke         Tells a joke.\n"))
    #expect(root.contains("Usage: jokes COMMAND [OPTIONS]\n"))
    #expect(root.contains("\n  jokes lint\n"))
    #expect(!root.contains("understudy "))
    #expect(CommandLineRun("completions bash", of: Self.root).output.contains("_jokes"))
  }

  @Test(
    "gets its words and options",
    arguments: [
      ("joke 7 8 --loud", ExitCode.pass, ""), ("joke 7", .findings, ""),
      (
        "joke --token bad", .couldNotRun,
        "understudy: error: found \"bad\" for --token, expected another\n  fix: ask\n"
      ),
      ("joke --token worse", .couldNotRun, "understudy: error: Unknown()\n"),
      (
        "joke --tokn x", .couldNotRun,
        "understudy: error: unknown option \"--tokn\"\n  fix: did you mean \"--token\"?\n"
      ),
      (
        "joke --token", .couldNotRun,
        "understudy: error: missing value of \"--token\", expected a value\n"
      ),
    ])
  func input(line: String, code: ExitCode, errors: String) async throws {
    let run = try await offPool { CommandLineRun(line, of: Self.root) }
    #expect(run.code == code)
    #expect(run.errors == errors)
  }

  @Test("messages of the tool's commands have the name of the executable")
  func fix() {
    let run = CommandLineRun("use --url http://127.0.0.1:1 a/b=c", of: Self.root)
    #expect(
      run.errors.hasSuffix(
        "  fix: start \"jokes serve\", or give the address it printed with --url\n"))
  }

  @Test(
    "cannot take the name of another",
    arguments: [
      (
        ["test"],
        "Understudy already has a command \"test\"\n  fix: give it another name"
      ),
      (
        ["worker"],
        "Understudy already has a command \"worker\"\n  fix: give it another name"
      ),
      (["a", "b", "a"], "two commands are named \"a\"\n  fix: give one of them another name"),
      ([""], "found \"\" as the name of a command, expected a word such as \"joke\""),
      (["--x"], "found \"--x\" as the name of a command, expected a word such as \"joke\""),
    ])
  func names(names: [String], message: String) {
    let error = #expect(throws: Failure.self) {
      try ToolCommand.check(names.map(Self.joke), beside: Understudy.command)
    }
    #expect(error?.description == message)
  }
}

import Testing
import UnderstudyCore
import UnderstudyTestSupport

@testable import UnderstudyTool

@Suite struct HelpPageTests {
  private static func lines(_ words: String) -> [String] {
    let run = CommandLineRun(words)
    #expect(run.errors == "")
    #expect(run.code == .pass)
    return run.output.split(separator: "\n", omittingEmptySubsequences: false).dropLast()
      .map(String.init)
  }

  @Test("every page is as the transcript has it, and has one")
  func pages() throws {
    let transcript = try Transcript("help", Self.lines)
    #expect(TextDiff.unified(transcript.expected, transcript.found) == "")
    let pages = transcript.expected.split(separator: "\n").filter { !$0.hasPrefix(" ") }
    for command in Understudy.command.subcommands {
      #expect(pages.contains { $0 == "\(command.verb) --help" }, "\(command.verb)")
    }
  }

  @Test("every page fits 80 columns, and -h a screen")
  func sizes() {
    for command in Understudy.command.subcommands {
      for line in ["\(command.verb) --help", "\(command.verb) -h"] {
        #expect(Self.lines(line).filter { $0.count > 80 } == [])
      }
      #expect(Self.lines("\(command.verb) -h").count < 40, "\(command.verb)")
    }
  }

  @Test("help of a command is the same in both words, and that of --format json is in one place")
  func same() {
    for command in Understudy.command.subcommands {
      #expect(Self.lines("help \(command.verb)") == Self.lines("\(command.verb) --help"))
      let formats = command.options.contains { $0.name == OutputFormat.option.declaration.name }
      #expect(formats == !command.jsonOutput.isEmpty, "\(command.verb)")
    }
    #expect(
      CommandLineRun("help json --man").errors == """
        understudy: error: --man cannot be used with json: manual pages have JSON OUTPUT
          fix: leave out --man, or name a command

        """)
  }
}

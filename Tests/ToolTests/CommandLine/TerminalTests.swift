import Testing

@testable import UnderstudyTool

@Suite struct TerminalTests {
  @Test("uses colour only where it can be seen")
  func colour() {
    #expect(
      CommandLineRun(words: ["lnt"], isColoured: true).errors == """
        understudy: \u{1B}[1;31merror:\u{1B}[0m unknown command "lnt"
        \u{1B}[2m  fix:\u{1B}[0m did you mean "lint"?

        """)
    #expect(!CommandLineRun(words: ["lnt"]).errors.contains("\u{1B}"))
  }

  @Test("writes a patch unchanged to a pipe, and escaped to a terminal")
  func patch() {
    var pipe = Terminal()
    pipe.write(patch: "-a\r\n+\u{202E}\r\n")
    #expect(pipe.output.text == "-a\r\n+\u{202E}\r\n")
    var screen = Terminal()
    screen.isOutputShown = true
    screen.write(patch: "-a\r\n+\u{202E}\n")
    #expect(screen.output.text == "-a\\u{D}\n+\\u{202E}\n")
  }

  @Test("breaks up a CI system's command in a patch, and says so")
  func commandInPatch() {
    var terminal = Terminal()
    terminal.write(patch: "-##vso[a.b]\u{202E}\r\n+a\n")
    #expect(terminal.output.text == "-##vso\\u{5B}a.b]\u{202E}\r\n+a\n")
    #expect(terminal.errors.text.hasPrefix("the patch cannot be applied"))
  }

  @Test("text from outside stays on its line")
  func lines() {
    #expect(
      CommandLineRun(words: ["lint", "no\nsuch"]).errors == #"""
        understudy: error: nothing matches "no\u{A}such"
          fix: see "understudy list"

        """#)
  }
}

@Suite struct TextLayoutTests {
  @Test(
    "wraps at spaces",
    arguments: [
      ("", []), ("one", ["one"]), ("one two", ["one two"]),
      ("one two three", ["one two", "three"]),
      ("a-long-word b", ["a-long-word", "b"]),
    ])
  func wraps(text: String, lines: [String]) {
    #expect(TextLayout.wrapped(text, width: 7) == lines)
  }

  @Test("aligns columns, wraps the last and leaves no trailing spaces")
  func aligns() {
    let rows = [["a", "1", "the last cell is wrapped"], ["long", "22", ""], ["x"]]
    #expect(
      TextLayout.aligned(rows, indent: 2, width: 26) == [
        "  a     1   the last cell",
        "            is wrapped",
        "  long  22",
        "  x",
      ])
  }
}

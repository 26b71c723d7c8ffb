import Testing

@testable import CommandLineTool

@Suite struct TerminalTests {
  @Test("colours only where colour can be seen")
  func colour() {
    #expect(
      CommandLineRun(words: ["lnt"], isColoured: true).errors == """
        understudy: \u{1B}[1;31merror:\u{1B}[0m unknown command "lnt"
        \u{1B}[2m  fix:\u{1B}[0m did you mean "lint"?

        """)
    #expect(!CommandLineRun(words: ["lnt"]).errors.contains("\u{1B}"))
  }

  @Test(
    "shows control characters instead of sending them",
    arguments: [
      ("\u{1B}[31m", #"\u{1B}[31m"#), ("a\u{7}b", #"a\u{7}b"#), ("\r", #"\u{D}"#),
      ("\u{9B}2J", #"\u{9B}2J"#), ("\u{202E}evil", #"\u{202E}evil"#), ("\u{7F}", #"\u{7F}"#),
      ("tab\tand\nline", "tab\tand\nline"), ("ä → 🐕", "ä → 🐕"),
    ])
  func controls(text: String, shown: String) {
    var stream = TextStream(isColoured: true)
    stream.write(text)
    #expect(String(decoding: stream.bytes, as: UTF8.self) == shown)
  }

  @Test("keeps text from outside on its line")
  func lines() {
    var stream = TextStream(isColoured: false)
    stream.write(line: "a\nb\tc")
    #expect(String(decoding: stream.bytes, as: UTF8.self) == #"a\u{A}b\u{9}c"# + "\n")
    #expect(
      CommandLineRun(words: ["lint", "no\nsuch"]).errors == #"""
        understudy: error: no such file or folder: no\u{A}such
          fix: name a folder of contracts, one of its upstreams, or a contract file

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

  @Test("aligns columns, wraps the last and leaves no blanks at the ends of lines")
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

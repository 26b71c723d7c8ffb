import Testing
import UnderstudyCore

@Suite struct TextStreamTests {
  @Test("uses colour only where it can be seen", arguments: [true, false])
  func colour(isColoured: Bool) {
    var stream = TextStream(isColoured: isColoured)
    stream.write("wrong", .red)
    stream.write(line: " here")
    #expect(
      stream.text == (isColoured ? "\u{1B}[1;31mwrong\u{1B}[0m here\n" : "wrong here\n"))
  }

  @Test(
    "shows control characters instead of sending them",
    arguments: [
      ("\u{1B}[31m", #"\u{1B}[31m"#), ("a\u{7}b", #"a\u{7}b"#), ("\r", #"\u{D}"#),
      ("\u{9B}2J", #"\u{9B}2J"#), ("\u{202E}evil", #"\u{202E}evil"#), ("\u{7F}", #"\u{7F}"#),
      ("\u{2028}", #"\u{2028}"#), ("\u{FFFF}", #"\u{FFFF}"#),
      ("tab\tand\nline", "tab\tand\nline"), ("ä → 🐕", "ä → 🐕"),
    ])
  func controls(text: String, shown: String) {
    var stream = TextStream(isColoured: true)
    stream.write(text)
    #expect(stream.text == shown)
  }

  @Test(
    "shows the commands of CI systems instead of giving them",
    arguments: [
      (["::error::x"], #"\u{3A}:error::x"#), (["a\n \u{200B}::x"], "a\n \u{200B}\\u{3A}:x"),
      (["a ::x", "::y"], "a ::x::y"), ([":", ":x"], #"\u{3A}:x"#), ([": :"], ": :"),
      (["a ##[error]x"], #"a #\u{23}[error]x"#), (["##", "[x"], #"#\u{23}[x"#),
      (["# [a] #[b]"], "# [a] #[b]"),
    ])
  func commands(texts: [String], shown: String) {
    var stream = TextStream(isColoured: false)
    for text in texts { stream.write(text) }
    #expect(stream.text == shown)
  }

  @Test("JSON stays JSON without the commands of CI systems")
  func json() {
    var stream = TextStream(isColoured: false)
    stream.write(json: Array(##"{"a":"x###[x]##[","b":["#["]}"##.utf8))
    #expect(stream.text == ##"{"a":"x##\u0023[x]#\u0023[","b":["#["]}"##)
  }

  @Test("text from outside stays on its line")
  func lines() {
    var stream = TextStream(isColoured: false)
    stream.write(line: "a\nb\tc")
    #expect(stream.text == #"a\u{A}b\u{9}c"# + "\n")
    #expect("a\r\nb".visible == #"a\u{D}\u{A}b"#)
  }
}

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

  @Test("a text leads to an address only where a terminal opens it", arguments: [true, false])
  func link(showsLinks: Bool) {
    var stream = TextStream(isColoured: true)
    stream.showsLinks = showsLinks
    stream.write("[value]", .dim, leadingTo: "https://a.example/#value")
    let text = "\u{1B}[2m[value]\u{1B}[0m"
    #expect(
      stream.text
        == (showsLinks
          ? "\u{1B}]8;;https://a.example/#value\u{1B}\\\(text)\u{1B}]8;;\u{1B}\\" : text))
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
      (["::error::x"], #":\u{3A}error::x"#), (["a\n \u{200B}::x"], "a\n \u{200B}:\\u{3A}x"),
      (["a ::x", "::y"], "a ::x::y"), ([":", ":x"], #":\u{3A}x"#), ([": :"], ": :"),
      ([":\u{AD}:x"], ":\u{AD}\\u{3A}x"), (["x:", ":"], "x::"),
      (["a ##[error]x"], #"a ##\u{5B}error]x"#), (["##", "[x"], #"##\u{5B}x"#),
      (["# [a] #[b] ## [c] ##a-b[d]"], "# [a] #[b] ## [c] ##a-b[d]"),
      (["a ##vso", "[a.b]c"], #"a ##vso\u{5B}a.b]c"#), (["#\u{200B}#v["], "#\u{200B}#v\\u{5B}"),
      (["##a##teamcity[x"], #"##a##teamcity\u{5B}x"#), (["##vso#[a]"], "##vso#[a]"),
      (["section_start:1:a"], #"section_start\u{3A}1:a"#),
      (["a section_section_end:1"], #"a section_section_end\u{3A}1"#),
      (["ection_start: xection_end: section_end :"], "ection_start: xection_end: section_end :"),
    ])
  func commands(texts: [String], shown: String) {
    var stream = TextStream(isColoured: false)
    for text in texts { stream.write(text) }
    #expect(stream.text == shown)
  }

  @Test("JSON stays JSON without the commands of CI systems")
  func json() {
    var stream = TextStream(isColoured: false)
    stream.write(json: Array(##"{"a":"x###[x]##vso[","b":["#[","section_end:1"],"c":1}"##.utf8))
    #expect(
      stream.text
        == ##"{"a":"x###\u005bx]##vso\u005b","b":["#[","section_end\u003a1"],"c":1}"##)
    stream.removeAll()
    stream.write(json: Array("{\n\t\"é\": \"\u{9B}\u{202E}\u{7F}\u{FFFE}🐕\"\r\n}".utf8))
    #expect(
      stream.text == "{\n\t\"é\": \"\\u009b\\u202e\\u007f\\ufffe🐕\"\r\n}")
  }

  @Test(
    "a scalar that is cut off at the end is known",
    arguments: [
      ([], 0), ([0x61], 0), ([0xC3], 1), ([0xC3, 0xA9], 0), ([0x61, 0xE2, 0x82], 2),
      ([0xF0, 0x9F, 0x90], 3), ([0xF0, 0x9F, 0x90, 0x95], 0), ([0x80, 0x80, 0x80, 0x80], 0),
      ([0xE2, 0x61], 0), ([0xFF], 0),
    ] as [([UInt8], Int)])
  func cut(bytes: [UInt8], count: Int) { #expect(bytes.cutScalarByteCount == count) }

  @Test("text from outside stays on its line")
  func lines() {
    var stream = TextStream(isColoured: false)
    stream.write(line: "a\nb\tc")
    #expect(stream.text == #"a\u{A}b\u{9}c"# + "\n")
    #expect("a\r\nb".visible == #"a\u{D}\u{A}b"#)
  }
}

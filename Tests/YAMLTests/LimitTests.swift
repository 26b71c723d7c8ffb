import Testing
import UnderstudyJSON
import UnderstudyYAML

@Suite struct LimitTests {
  private static let megabyte = 1 << 20

  @Test("refuses a text that is too long")
  func bytes() {
    var limits = YAMLLimits()
    limits.bytesMax = 4
    #expect(translated("abcd", limits: limits) == #""abcd""#)
    #expect(
      translated("abcde", limits: limits) == "1:1: found 5 bytes, expected at most 4")
  }

  @Test(
    "refuses what is nested too deeply, where it does",
    arguments: [
      ("[[[", "1:3"), ("{a: {b: {", "1:9"), ("- - -", "1:5"), ("a:\n b:\n  c:", "3:3"),
      ("- [a: b]", "1:4"), ("? a\n: - b: c", "2:5"),
      ("- &a []\n- [*a]", "2:4"),
    ])
  func depth(yaml: String, place: String) throws {
    var limits = YAMLLimits()
    limits.depthMax = 2
    let error = try #require(readingError(yaml, limits: limits))
    #expect(error.kind == .tooDeep)
    #expect(error.position.description == place)
    // Aliases are only followed when the document becomes JSON.
    let noun = yaml.contains("*") ? "arrays and objects" : "collections"
    #expect(error.message == "found \(noun) nested deeper than 2 levels, expected at most 2")
  }

  @Test("stops aliases of aliases before they take all memory, with their place")
  func laughs() throws {
    var yaml = "a0: &a0 [lol, lol, lol, lol, lol, lol, lol, lol, lol]\n"
    for level in 1...12 {
      let alias = "*a\(level - 1)"
      let aliases = [String](repeating: alias, count: 9).joined(separator: ", ")
      yaml += "a\(level): &a\(level) [\(aliases)]\n"
    }
    let error = try #require(readingError(yaml))
    #expect(
      error.description == """
        8:15: found aliases that stand for more than 67108864 bytes of JSON, expected fewer
          fix: write out what is needed, without aliases of aliases
        """)
  }

  @Test(
    "refuses other encodings and characters that cannot be seen",
    arguments: [
      (
        [0xFF, 0xFE, 0x61, 0],
        "1:1: found text in UTF-16 or UTF-32, expected UTF-8\n  fix: save the file as UTF-8"
      ),
      (
        [0x61, 0, 0x62, 0],
        "1:1: found text in UTF-16 or UTF-32, expected UTF-8\n  fix: save the file as UTF-8"
      ),
      (
        [0, 0, 0xFE, 0xFF],
        "1:1: found text in UTF-16 or UTF-32, expected UTF-8\n  fix: save the file as UTF-8"
      ),
      (
        [0x61, 0x0A, 0x23, 0xC3],
        "2:2: found byte 0xC3, which is not UTF-8 here, expected text in UTF-8\n  fix: save the text as UTF-8"
      ),
      (
        [0x61, 0x1B],
        "1:2: found the control character U+001B, expected text that can be seen\n  fix: remove it, or write it in double quotes as \\u001B"
      ),
      (
        [0x61, 0x62, 0],
        "1:3: found the control character U+0000, expected text that can be seen\n  fix: remove it, or write it in double quotes as \\u0000"
      ),
    ] as [([UInt8], String)])
  func encoding(bytes: [UInt8], message: String) {
    #expect(translated(bytes) == message)
  }

  @Test(
    "expects one document where one is read",
    arguments: [
      ("", "1:1: found an empty text, expected a document"),
      ("# nothing\n", "1:1: found no value, expected a document"),
      (
        "a\n---\nb",
        "2:1: found a second document, expected one\n  fix: put each document into its own file"
      ),
    ])
  func documents(yaml: String, message: String) { #expect(translated(yaml) == message) }

  @Test(
    "reads a document up to the marker of its end",
    arguments: ["a\n...\n", "a\n...", "---\na\n...\n# end\n"])
  func ends(yaml: String) { #expect(translated(yaml) == #""a""#) }

  struct Flood: CustomTestStringConvertible {
    let testDescription: String
    let text: String
    let isRead: Bool

    init(_ name: String, _ part: String, in frame: (String, String) = ("", ""), isRead: Bool = true)
    {
      testDescription = name
      text =
        frame.0 + String(repeating: part, count: LimitTests.megabyte / part.utf8.count) + frame.1
      self.isRead = isRead
    }
  }

  /// What takes more than linear time would take minutes.
  @Test("reads a megabyte of anything in linear time", arguments: floods)
  func flood(_ flood: Flood) {
    let error = readingError(flood.text)
    #expect((error == nil) == flood.isRead, "\(error.map(\.description) ?? "read")")
  }

  static let floods = [
    Flood("a plain scalar of many lines", "a\n"), Flood("blank lines", "\n"),
    Flood("blank lines in a scalar", "\n", in: ("a", "b")),
    Flood("blank lines after scalars", "- a\n\n\n\n\n\n\n\n"),
    Flood("comments", "#\n"), Flood("comments in a flow", "#\n", in: ("[\n", "]")),
    Flood("openings", "[", isRead: false), Flood("openings of mappings", "{a: ", isRead: false),
    Flood("dashes", "- ", isRead: false), Flood("questions", "? ", isRead: false),
    Flood("colons", ": ", isRead: false), Flood("colons in a word", "::"),
    Flood("almost keys", "a :b "), Flood("a long key", "a b", in: ("", ": c")),
    Flood("quotes after quotes", "\"a\" ", in: ("\"", ""), isRead: false),
    Flood("indentation", " ", in: ("a:\n", "b")), Flood("tabs", "\t", in: ("a: ", "b")),
    Flood("anchors", "- &a b\n"), Flood("aliases", "- *a\n", in: ("- &a b\n", "")),
    Flood("quotes", "''", in: ("'", "'")), Flood("escapes", "\\n", in: ("\"", "\"")),
    Flood("blanks in quotes", " \n", in: ("\"", "\"")), Flood("pairs", "a: b,", in: ("[", "]")),
    Flood("a literal", " x\n", in: ("|\n", "")), Flood("a folded text", "  x\n\n", in: (">\n", "")),
    Flood("blank lines in a literal", "\n", in: ("|\n", "")),
    Flood("markers", "---\n"), Flood("ends", "...\n"), Flood("digits", "1", in: ("", "")),
    Flood("hexadecimal digits", "f", in: ("0x", ""), isRead: false),
    Flood("hexadecimal numbers", "0x" + String(repeating: "f", count: 256) + ",", in: ("[", "]")),
    Flood("tags", "- !!str a\n"), Flood("a tag", "!", isRead: false),
  ]

  @Test("finds a duplicate among many keys")
  func keys() throws {
    let keys = (0..<50_000).map { "key\($0): \($0)\n" }.joined()
    #expect(readingError(keys) == nil)
    let error = try #require(readingError(keys + "key7: 1"))
    #expect(
      error.description
        == "50001:1: found the key \"key7\" again, expected it once: it is also at 8:1\n  fix: remove one of them, or rename it"
    )
  }

  @Test("reads every prefix of a text, or says what is wrong with it")
  func prefixes() {
    let text = Array(
      "%YAML 1.2\n--- # c\na: &x [1, 'b', {c: \"\\u00e9\"}]\n? d\n: |2-\n   e\nf: !!str *x\n...\n"
        .utf8)
    for count in 0...text.count { _ = readingError(Array(text.prefix(count))) }
    #expect(readingError(text)?.kind == .invalidAnchor)
  }
}

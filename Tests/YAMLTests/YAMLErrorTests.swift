import Testing
import UnderstudyYAML

/// What each mistake is served with, word for word.
@Suite struct YAMLErrorTests {
  struct Mistake: CustomTestStringConvertible {
    let yaml: String
    let message: String
    let fix: String?
    var testDescription: String { yaml.debugDescription }

    init(_ yaml: String, _ message: String, fix: String? = nil) {
      self.yaml = yaml
      self.message = message
      self.fix = fix
    }
  }

  @Test("says where, what was found, what was expected, and the fix", arguments: mistakes)
  func mistake(_ mistake: Mistake) throws {
    let error = try #require(readingError(mistake.yaml))
    #expect("\(error.position): \(error.message)" == mistake.message)
    #expect(error.fix == mistake.fix)
  }

  @Test("says the same with comments and Windows' line ends before it", arguments: mistakes)
  func farMistake(_ mistake: Mistake) throws {
    let wanted = try #require(readingError(mistake.yaml))
    let error = try #require(readingError("# comment\r\n\r\n" + mistake.yaml))
    #expect(error.kind == wanted.kind)
    #expect(error.offset == wanted.offset + 13)
    #expect(error.position.line == wanted.position.line + 2)
  }

  @Test("every kind of mistake is shown somewhere")
  func complete() {
    let shown = Set(Self.mistakes.compactMap { readingError($0.yaml)?.kind })
    let elsewhere: Set<YAMLError.Kind> = [
      .empty, .severalDocuments, .tooDeep, .tooLarge, .tooManyAliases, .invalidUTF8,
      .controlCharacter,
    ]
    #expect(shown.union(elsewhere) == Set(YAMLError.Kind.allCases))
    #expect(shown.isDisjoint(with: elsewhere))
  }

  static let mistakes = lines + keys + scalars + flows + properties + documents

  private static let lines: [Mistake] = [
    Mistake(
      "a:\n\tb: c",
      "2:1: found a tab, expected spaces for indentation",
      fix: "replace the tab by spaces"),
    Mistake(
      "a:\n  - b\n\t- c",
      "3:1: found a tab, expected spaces for indentation",
      fix: "replace the tab by spaces"),
    Mistake(
      "-\t- a",
      "1:3: found a tab before \"- a\", expected spaces, since they are its indentation",
      fix: "replace the tab by spaces"),
    Mistake(
      "a:\n  b: 1\n c: 2",
      "3:2: found \"c: 2\" indented by 1 space, expected 0 or 2, like the lines before it; the "
        + "mapping around it begins at 1:1",
      fix: "indent it like its neighbours"),
    Mistake(
      "a: 1\n  b: 2",
      "2:3: found the key \"b\" within the value that begins at 1:4, expected it indented like "
        + "the keys before it",
      fix: "indent it like its neighbours, or put the value in quotes"),
    Mistake(
      "a:\n- b\n c: d",
      "3:2: found the key \"c\" within the value that begins at 2:3, expected it indented like "
        + "the keys before it",
      fix: "indent it like its neighbours, or put the value in quotes"),
    Mistake(
      "- a\nb: c",
      "2:1: found \"b: c\" in the sequence that begins at 1:1, expected \"- \"",
      fix: "begin it with \"- \", or indent it less"),
    Mistake(
      "a: 1\n- b",
      "2:1: found \"-\" in the mapping that begins at 1:1, expected a key",
      fix: "indent it less or more, as the sequence that it belongs to"),
    Mistake(
      "a: b\n   \n  c: d",
      "3:3: found the key \"c\" within the value that begins at 1:4, expected it indented like "
        + "the keys before it",
      fix: "indent it like its neighbours, or put the value in quotes"),
    Mistake(
      "a: [1,\n2]",
      "2:1: found \"2]\" with too little indentation for the sequence opened at 1:4, expected "
        + "at least 1 space",
      fix: "indent the line more, or close it with \"]\" before"),
    Mistake(
      "a: 'one\ntwo'",
      "2:1: found \"two'\" within the text in quotes that begins at 1:4, expected \"'\" to "
        + "close it, or more indentation",
      fix: "add the closing quote, or indent the line more"),
  ]

  private static let keys: [Mistake] = [
    Mistake(
      "key: a: b",
      "1:7: found \":\" in the value \"a: b\", expected one key on a line",
      fix: "put the value in quotes, or begin a new line with more indentation for its keys"),
    Mistake(
      "a: - b",
      "1:4: found \"-\" on the line of a key, expected a value",
      fix: "begin the sequence on its own line, or put the value in quotes"),
    Mistake(
      "a: b: c: d",
      "1:5: found \":\" in the value \"b: c: d\", expected one key on a line",
      fix: "put the value in quotes, or begin a new line with more indentation for its keys"),
    Mistake(
      "--- a: b",
      "1:5: found the key \"a\" on the line of \"---\", expected it on its own line",
      fix: "begin a new line after \"---\""),
    Mistake(
      "a: 1\nb:2",
      "2:2: found \"b:2\", expected a space after \":\"",
      fix: "add a space after \":\""),
    Mistake(
      "a: 1\nb\nc: 2",
      "2:1: found \"b\" in the mapping that begins at 1:1, expected a key and \":\"",
      fix: "add \":\" after the key, or indent it if it belongs to the value before it"),
    Mistake(
      "a: 1\n'b'\nc: 2",
      "2:4: found the end of the line after text in quotes, expected \":\" and a value",
      fix: "add \":\" after the key"),
    Mistake(
      "\"a\":b",
      "1:4: found \":\" without a space behind it, expected a space after a key",
      fix: "write \": \""),
    Mistake(
      "a: 1\n[b]\n",
      "2:1: found \"[b]\" in the mapping that begins at 1:1, expected a key",
      fix: "write a key before it, or indent it if it belongs to the value before it"),
    Mistake(
      "'a\n b': c",
      "1:1: found a key of several lines, expected it on one line",
      fix: "write the key on one line, or \"? \" before it"),
    Mistake(
      "a\nb: c",
      "2:1: found the key \"b\" within the value that begins at 1:1, expected it indented like "
        + "the keys before it",
      fix: "indent it like its neighbours, or put the value in quotes"),
    Mistake(
      "[a]: b",
      "1:1: found a collection as a key, expected text, as JSON has it",
      fix: "write the key in quotes"),
    Mistake(
      "? [a]\n: b",
      "1:3: found a collection as a key, expected text, as JSON has it",
      fix: "write the key in quotes"),
    Mistake(
      "{[a]: b}",
      "1:2: found a collection as a key, expected text, as JSON has it",
      fix: "write the key in quotes"),
    Mistake(
      "{{a: b}: c}",
      "1:2: found a collection as a key, expected text, as JSON has it",
      fix: "write the key in quotes"),
    Mistake(
      "*x : a",
      "1:1: found the alias \"*x\", expected the name of an anchor before it",
      fix: "put the text in quotes, or write \"&x\" before what it stands for"),
    Mistake(
      "a: 1\nb: 2\na: 3",
      "3:1: found the key \"a\" again, expected it once: it is also at 1:1",
      fix: "remove one of them, or rename it"),
    Mistake(
      "{a: 1, \"a\": 2}",
      "1:8: found the key \"a\" again, expected it once: it is also at 1:2",
      fix: "remove one of them, or rename it"),
    Mistake(
      "<<: {a: b}",
      "1:1: found a merge key \"<<\", expected the members themselves",
      fix: "write them out, or put \"<<\" in quotes if it is a name"),
    Mistake(
      "a: {<<: *x}",
      "1:5: found a merge key \"<<\", expected the members themselves",
      fix: "write them out, or put \"<<\" in quotes if it is a name"),
  ]
}

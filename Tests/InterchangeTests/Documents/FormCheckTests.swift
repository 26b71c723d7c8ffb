import Testing
import UnderstudyCore
import UnderstudyJSON

@testable import UnderstudyInterchange

/// What of a document nobody reads, at the limits of how much is said of it.
@Suite struct FormCheckTests {
  private static func problems(_ text: String, _ form: DocumentForm) throws -> [FormProblem] {
    FormCheck.problems(in: try JSONDocument(parsing: Array(text.utf8)).root, form)
  }

  private static let form = DocumentForm.object(
    .init(["wanted": .object(.init(["a": .text], others: .grave))], others: .lost))

  @Test(
    "a hundred problems are said, and behind them the first that is grave",
    arguments: [(0, 1), (99, 100), (100, 101), (101, 101), (500, 101)])
  func limit(harmlessCount: Int, count: Int) throws {
    let harmless = (0..<harmlessCount).map { #""k\#($0)": 1, "# }.joined()
    let problems = try Self.problems(
      #"{\#(harmless)"wanted": {"b": 1, "c": 2}}"#, Self.form)
    let graveCount = harmlessCount < 99 ? 2 : 1
    #expect(problems.count == max(count, min(harmlessCount, 100) + graveCount))
    #expect(problems.count(where: \.isGrave) == graveCount)
    let first = problems.first { $0.isGrave }
    #expect(first?.pointer == "/wanted/b" && first?.reason == "\"b\" is not a key here; \"a\" is")
  }

  @Test(
    "keys twice are said one by one, up to a hundred",
    arguments: [(1, 1, true), (100, 100, true), (101, 100, false)])
  func repeated(memberCount: Int, count: Int, areNamed: Bool) throws {
    let members = (0..<memberCount).map { #""k\#($0)": 1, "k\#($0)": 2"# }
    let document = try ForeignDocument(
      reading: Array("{\(members.joined(separator: ", "))}".utf8), file: "a.json")
    let expected = (0..<count).map { number in
      areNamed
        ? "\"k\(number)\" is given twice, and the last one counts"
        : "\(memberCount) keys are given twice, and the last of each counts"
    }
    #expect(document.repeated.map(\.reason) == expected)
    #expect(document.repeated.map(\.pointer) == (0..<count).map { "/k\($0)" })
    #expect(document.repeated.map(\.isGrave) == Array(repeating: false, count: count))
  }

  @Test(
    "a value of another kind is said with what it should be, where something is lost by it",
    arguments: [
      (DocumentForm.flag, "1", #"it is number 1, not true or false"#, true),
      (.flag, "false", nil, false), (.text, "1", "it is number 1, not a string", true),
      (.text, #""""#, nil, false),
      (.scalar, "[]", "it is array with 0 elements, not a string", true),
      (.scalar, "null", "it is null, not a string", true), (.scalar, "true", nil, false),
      (.number, #""1""#, #"it is string "1", not a number"#, true), (.number, "1.5", nil, false),
      (.whole(0 ... .max), "0", nil, false), (.whole(0 ... .max), #""7""#, nil, false),
      (.whole(0 ... .max), "-1", "it is number -1, not a whole number from 0", true),
      (.whole(0 ... .max), "1.5", "it is number 1.5, not a whole number from 0", true),
      (.whole(.min ... .max), "1.5", "it is number 1.5, not a whole number", true),
      (.whole(.min ... .max), "-1", nil, false),
      (.list(.unread), "{}", "it is object with 0 members, not an array", false),
      (.list(.unread), #"{"a": 1}"#, "it is object with 1 member, not an array", true),
      (.list(.unread), "1", "it is number 1, not an array", true),
      (.list(.text), "[1]", "an element is number 1, not a string", true),
      (.named(.text), "[]", "it is array with 0 elements, not an object", false),
      (.named(.text), "[1]", "it is array with 1 element, not an object", true),
      (.named(.text), #"{"b": 1}"#, #""b" is number 1, not a string"#, true),
      (.named(.text), #"{"b": null}"#, #""b" is null, not a string"#, true),
    ] as [(DocumentForm, String, String?, Bool)])
  func kinds(form: DocumentForm, text: String, reason: String?, isGrave: Bool) throws {
    let problems = try Self.problems(text, form)
    #expect(problems.map(\.reason) == [reason].compactMap(\.self))
    #expect(problems.map(\.isGrave) == (reason == nil ? [] : [isGrave]))
  }

  @Test("of keys that exclude each other one counts, and what is missing is said")
  func rivals() throws {
    let form = DocumentForm.object(
      .init(
        ["a": .unread, "b": .unread, "c": .unread, "x": .text, "y": .text, "n": .text],
        others: .misspelt, prefix: "x-", required: ["n"], rivals: [["a", "b"]], equals: ["x", "y"]))
    func reasons(_ text: String) throws -> [String] {
      try Self.problems(text, form).map { "\($0.pointer) \($0.position): \($0.reason)" }
    }
    #expect(
      try reasons(#"{"n": "", "b": 1, "a": 1}"#) == [#"/b 1:11: "b" is beside "a", which counts"#])
    #expect(try reasons(#"{"n": "", "b": 1, "a": null}"#) == [])
    #expect(
      try reasons(#"{"n": "", "y": "", "x": 1}"#) == [#"/x 1:20: "x" is beside "y", which counts"#])
    #expect(try reasons(#"{"n": null, "x-a": 1, "other": 1}"#) == [#" 1:1: it has no "n""#])
    #expect(try reasons(#"{"n": "", "aa": 1}"#) == [#"/aa 1:11: "aa" is not a key here; "a" is"#])
  }
}

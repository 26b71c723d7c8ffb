import Testing
import UnderstudyJSON
import UnderstudyTestSupport

@Suite struct JSONEditingTests {
  enum Edit {
    case set(String, String)
    case remove(String)
    case insert(String, String)

    func callAsFunction(_ document: JSONDocument) throws -> JSONDocument {
      switch self {
      case .set(let pointer, let json):
        try document.setting(#require(JSONPointer(parsing: pointer)), to: json)
      case .remove(let pointer):
        try document.removing(#require(JSONPointer(parsing: pointer)))
      case .insert(let pointer, let json):
        try document.inserting(json, at: #require(JSONPointer(parsing: pointer)))
      }
    }
  }

  private func apply(_ edit: Edit, to text: String) throws -> String {
    String(decoding: try edit(JSONDocument(parsing: text)).bytes, as: UTF8.self)
  }

  @Test(
    "edits on one line keep its spacing",
    arguments: [
      (#"{"a": 1, "b": 2}"#, .set("/a", "[3]"), #"{"a": [3], "b": 2}"#),
      (#"{"a": 1, "b": 2}"#, .set("/c", "3"), #"{"a": 1, "b": 2, "c": 3}"#),
      (#"{"a":1}"#, .set("/c", "3"), #"{"a":1,"c":3}"#),
      (#"{ "a" : 1 }"#, .set("/c", "3"), #"{ "a" : 1, "c" : 3 }"#),
      ("{}", .set("/c", "3"), #"{"c": 3}"#), ("[]", .insert("/0", "1"), "[1]"),
      (#"{"a":1,"o":{}}"#, .set("/o/x", "2"), #"{"a":1,"o":{"x":2}}"#),
      (#"{"a": 1, "b": 2, "c": 3}"#, .remove("/a"), #"{"b": 2, "c": 3}"#),
      (#"{"a": 1, "b": 2, "c": 3}"#, .remove("/b"), #"{"a": 1, "c": 3}"#),
      (#"{"a": 1, "b": 2, "c": 3}"#, .remove("/c"), #"{"a": 1, "b": 2}"#),
      (#"{ "a": 1 }"#, .remove("/a"), "{}"), ("[1, 2, 3]", .remove("/1"), "[1, 3]"),
      ("[1, 3]", .insert("/1", "2"), "[1, 2, 3]"), ("[2]", .insert("/0", "1"), "[1, 2]"),
      (#"{"a":[2]}"#, .insert("/a/0", "1"), #"{"a":[1,2]}"#),
      ("[1,2]", .insert("/-", "3"), "[1,2,3]"), ("[1, 2]", .insert("/2", "3"), "[1, 2, 3]"),
      (" 1 \n", .set("", "{\"a\": 2}"), " {\"a\": 2} \n"),
      (#"{"a": 1, "b": 2, "a": 3}"#, .set("/a", "4"), #"{"a": 1, "b": 2, "a": 4}"#),
      (#"{"a": 1, "b": 2, "a": 3}"#, .remove("/a"), #"{"b": 2}"#),
      (
        #"{ "a": 1, "a": 2, "b": 3,  "\u0061": 4, "c": 5, "a": 6, "a": 7 }"#, .remove("/a"),
        #"{ "b": 3,  "c": 5 }"#
      ), (#"{ "a": 1, "a": 2 }"#, .remove("/a"), "{}"),
      (#"{"é\n": 1}"#, .set("/q\"", "2"), #"{"é\n": 1, "q\"": 2}"#),
    ] as [(String, Edit, String)])
  func oneLine(text: String, edit: Edit, result: String) throws {
    #expect(try apply(edit, to: text) == result)
  }

  private static let lines = """
    {
      "name": "x",
      "tags": [
        "a",
        "b"
      ],
      "empty": {},
      "list": [1, 2]
    }

    """

  @Test(
    "edits in lines keep their indentation",
    arguments: [
      (.set("/name", "null"), "\"x\"", "null"),
      (
        .set("/name", "{\n  \"deep\": [\n    1\n  ]\n}"), "\"x\"",
        "{\n    \"deep\": [\n      1\n    ]\n  }"
      ),
      (.set("/new", "1"), "[1, 2]\n", "[1, 2],\n  \"new\": 1\n"),
      (.set("/empty/x", "1"), "{}", "{\n    \"x\": 1\n  }"),
      (.insert("/tags/0", "0"), "\"a\",", "0,\n    \"a\","),
      (.insert("/tags/1", "0"), "\"b\"", "0,\n    \"b\""),
      (.insert("/tags/-", "[\n1]"), "\"b\"", "\"b\",\n    [\n    1]"),
      (.insert("/list/1", "0"), "2]", "0, 2]"), (.remove("/tags/0"), "\"a\",\n    ", ""),
      (.remove("/tags/1"), ",\n    \"b\"", ""), (.remove("/name"), "\"name\": \"x\",\n  ", ""),
      (.remove("/list"), ",\n  \"list\": [1, 2]", ""),
    ] as [(Edit, String, String)])
  func inLines(edit: Edit, old: String, new: String) throws {
    #expect(try apply(edit, to: Self.lines) == Self.lines.replacing(old, with: new))
  }

  @Test("tabs and carriage returns are kept")
  func otherHabits() throws {
    let text = "{\r\n\t\"a\": {\r\n\t\t\"b\": 1\r\n\t}\r\n}"
    #expect(
      try apply(.set("/a/c", "[\n\t2\n]"), to: text)
        == "{\r\n\t\"a\": {\r\n\t\t\"b\": 1,\r\n\t\t\"c\": [\r\n\t\t\t2\r\n\t\t]\r\n\t}\r\n}")
    #expect(
      try apply(.set("/d", "{}"), to: text)
        == "{\r\n\t\"a\": {\r\n\t\t\"b\": 1\r\n\t},\r\n\t\"d\": {}\r\n}")
  }

  @Test(
    "says why an edit cannot be made",
    arguments: [
      (.set("/x/y", "1"), "cannot edit /x/y: there is no /x to hold it"),
      (.set("/a/2", "1"), "cannot edit /a/2: array with 1 element has no such place"),
      (.set("/a/0/b", "1"), "cannot edit /a/0/b: number 1 has no such place"),
      (
        .set("/a", "[1,]"),
        "cannot edit /a: the new text at 1:3: found a comma before \"]\", "
          + "expected no comma there"
      ),
      (.remove(""), "cannot edit the root: a document must have a value"),
      (.remove("/b"), "cannot edit /b: there is no such value"),
      (.insert("", "1"), "cannot edit the root: the root is not in an array"),
      (
        .insert("/b", "1"),
        "cannot edit /b: found object with 1 member, expected an array to "
          + "insert into"
      ),
      (
        .insert("/a/2", "1"),
        "cannot edit /a/2: array with 1 element has no such "
          + "place"
      ),
      (
        .insert("/a/x", "1"),
        "cannot edit /a/x: array with 1 element has no such "
          + "place"
      ),
    ] as [(Edit, String)])
  func refused(edit: Edit, message: String) throws {
    let error = try #require(throws: JSONEditError.self) { try apply(edit, to: #"{"a": [1]}"#) }
    #expect(error.description == message)
  }

  @Test("an edit that breaks the document's limits is refused")
  func limits() throws {
    var limits = JSONLimits()
    limits.depthMax = 2
    let document = try JSONDocument(parsing: "[[]]", limits: limits)
    let error = try #require(throws: JSONEditError.self) {
      try document.inserting("[]", at: ["0", "0"])
    }
    #expect(error.kind == .notJSON)
  }

  @Test("random edits change one place, and mean what they say", arguments: 0..<40)
  func random(seed: Int) throws {
    var text = RandomText(random: Dice(seed: UInt64(seed)))
    for _ in 0..<25 {
      let document = try JSONDocument(parsing: text.space() + text.value() + text.space())
      let target = randomValue(in: document.root, &text.random)
      let new = text.value(depth: 2)
      let pointer = target.pointer
      switch text.random.below(3) {
      case 0:
        let edited = try document.setting(pointer, to: new)
        #expect(edited.root.value(at: pointer)?.isEqual(to: try json(new)) == true)
        check(document, edited, changing: target.byteRange)
      case 1 where !pointer.tokens.isEmpty:
        let edited = try document.removing(pointer)
        let parent = try #require(pointer.parent.flatMap(document.root.value(at:)))
        let rest = try #require(pointer.parent.flatMap(edited.root.value(at:)))
        #expect(rest.isEqual(to: try json(self.without(target, in: parent))))
        check(document, edited, changing: parent.byteRange)
      default:
        guard target.kind == .array || target.kind == .object else { continue }
        let place = text.random.below(target.count + 1)
        let isArray = target.kind == .array
        let new = isArray ? new : text.random.pick(["1", "{}", "[\n1\n]"])
        let edited =
          isArray
          ? try document.inserting(new, at: pointer.appending(place))
          : try document.setting(pointer.appending("not there"), to: new)
        let container = try #require(edited.root.value(at: pointer))
        #expect(container.count == target.count + 1)
        let added = isArray ? container[place] : container["not there"]
        #expect(added?.isEqual(to: try json(new)) == true)
        let without = try edited.removing(
          isArray ? pointer.appending(place) : pointer.appending("not there"))
        #expect(without.root.isEqual(to: document.root))
        check(document, edited, changing: target.byteRange)
      }
    }
  }

  private func randomValue(in root: JSONValue, _ random: inout Dice) -> JSONValue {
    var value = root
    while value.count > 0, random.below(3) > 0 {
      let place = random.below(value.count)
      value = value[place] ?? Array(value.members)[place].value
    }
    return value
  }

  private func without(_ removed: JSONValue, in container: JSONValue) -> String {
    var writer = JSONWriter()
    if container.kind == .array {
      writer.array { writer in
        for element in container.elements where element.byteRange != removed.byteRange {
          writer.value(element)
        }
      }
    } else {
      writer.object { writer in
        for member in container.members where member.value.byteRange != removed.byteRange {
          writer.key(member.key)
          writer.value(member.value)
        }
      }
    }
    return String(decoding: writer.bytes, as: UTF8.self)
  }

  /// Everything outside the range must be there byte for byte.
  private func check(
    _ old: JSONDocument, _ new: JSONDocument, changing range: Range<Int>
  ) {
    #expect(new.bytes.starts(with: old.bytes[..<range.lowerBound]))
    let tail = old.bytes[range.upperBound...]
    #expect(new.bytes.suffix(tail.count).elementsEqual(tail))
  }
}

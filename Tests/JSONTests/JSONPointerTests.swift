import Testing
import UnderstudyJSON
import UnderstudyTestSupport

@Suite struct JSONPointerTests {
  /// The examples of RFC 6901, section 5.
  static let examples: [(pointer: String, value: String)] = [
    ("/foo", #"["bar","baz"]"#), ("/foo/0", #""bar""#), ("/", "0"), ("/a~1b", "1"), ("/c%d", "2"),
    ("/e^f", "3"), ("/g|h", "4"), ("/i\\j", "5"), ("/k\"l", "6"), ("/ ", "7"), ("/m~0n", "8"),
  ]
  static let document = #"""
    {"foo": ["bar", "baz"], "": 0, "a/b": 1, "c%d": 2, "e^f": 3, "g|h": 4, "i\\j": 5, "k\"l": 6,
     " ": 7, "m~n": 8}
    """#

  @Test("follows the examples of the RFC", arguments: examples)
  func example(pointer: String, value: String) throws {
    let pointer = try #require(JSONPointer(parsing: pointer))
    let found = try #require(try json(Self.document).value(at: pointer))
    #expect(String(decoding: found.compact, as: UTF8.self) == value)
    #expect(found.pointer == pointer)
  }

  @Test("writes what it has read", arguments: examples.map(\.pointer) + ["", "//", "/~01"])
  func description(text: String) {
    #expect(JSONPointer(parsing: text)?.description == text)
  }

  @Test("refuses an invalid pointer", arguments: ["a", "a/b", "/~", "/~2", "/a~", "#/a"])
  func refused(text: String) {
    #expect(JSONPointer(parsing: text) == nil)
  }

  @Test(
    "points to nothing when a step is missing",
    arguments: ["/foo/2", "/foo/-", "/foo/01", "/foo/x", "/bar", "/a~1b/0", "/foo/0/0", "/foo/-1"])
  func missing(text: String) throws {
    let pointer = try #require(JSONPointer(parsing: text))
    #expect(try json(Self.document).value(at: pointer) == nil)
  }

  @Test("the pointer of every value leads back to it", arguments: 0..<20)
  func roundTrip(seed: Int) throws {
    var text = RandomText(random: Dice(seed: UInt64(seed)))
    let root = try json(text.value(depth: 6))
    func check(_ value: JSONValue, _ pointer: JSONPointer) {
      #expect(value.pointer == pointer)
      #expect(root.value(at: pointer)?.byteRange == value.byteRange)
      for (i, element) in value.elements.enumerated() { check(element, pointer.appending(i)) }
      for member in value.members { check(member.value, pointer.appending(member.key)) }
    }
    check(root, [])
  }

  @Test("has a parent unless it is the root")
  func parent() {
    #expect(JSONPointer(["a", "b"]).parent == ["a"])
    #expect(JSONPointer(["a"]).parent == [])
    #expect(JSONPointer().parent == nil)
  }
}

import Testing
import UnderstudyCore

@testable import UnderstudyJSON

/// Documents without the members that do not count.
@Suite struct DuplicateKeyTests {
  @Test(
    "of duplicate keys only the last is left, and what follows keeps its place",
    arguments: [
      (#"{"a":1,"b":2}"#, #"{"a":1,"b":2}"#, []),
      (#"{"a":1,"a":2}"#, #"{"a":2}"#, ["a"]),
      (#"{"a":{"a":1,"a":2},"b":[{"c":1,"c":2}]}"#, #"{"a":{"a":2},"b":[{"c":2}]}"#, ["a", "c"]),
      (#"{"a":{"x":1,"x":2},"b":1,"a":3}"#, #"{"b":1,"a":3}"#, ["a"]),
      (#"{"a":",","\u0061":"}","a" : [1 , 2]}"#, #"{"a":[1,2]}"#, ["a", "a"]),
      (#"[{"a":1,"a":2,"a":3}]"#, #"[{"a":3}]"#, ["a", "a"]),
      ("5", "5", []),
    ])
  func last(text: String, left: String, dropped: [String]) throws {
    let document = try JSONDocument(parsing: text)
    let (read, gone) = document.withoutDuplicateKeys()
    #expect(String(decoding: read.root.compact, as: UTF8.self) == left)
    #expect(gone.map(\.key) == dropped)
    #expect(read.bytes.count == text.utf8.count)
  }

  @Test("lines stay, and of many keys each is looked at once")
  func places() throws {
    let many = (0..<500).map { #""k\#($0)": 0,"# }.joined(separator: "\n")
    let document = try JSONDocument(parsing: "{\(many)\n\(many)\n\"end\": 1}")
    let (read, gone) = document.withoutDuplicateKeys()
    #expect(gone.count == 500)
    #expect(read.root["end"]?.position == SourcePosition(line: 1001, column: 8))
  }
}

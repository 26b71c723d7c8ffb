import Testing
import UnderstudyJSON

/// Values that become other ones in one edit.
@Suite struct JSONChangingTests {
  private func changed(_ old: String, _ pointer: JSONPointer, to new: String) throws -> String {
    let value = try JSONDocument(parsing: new).root
    return String(
      decoding: try JSONDocument(parsing: old).changing(pointer, to: value).bytes, as: UTF8.self)
  }

  @Test(
    "what is equal keeps its bytes, and what is new follows the layout",
    arguments: [
      (#"{"a" :1.0, "b": [ 1,2 ]}"#, #"{"a":1,"b":[1,3]}"#, #"{"a" :1.0, "b": [ 1,3 ]}"#),
      (#"{ "a": 1, "b": 2, "c": 3 }"#, #"{"c":3,"a":4}"#, #"{ "a": 4, "c": 3 }"#),
      (#"{ "a": 1 }"#, #"{"a":1,"b":{"c":[]}}"#, #"{ "a": 1, "b": { "c": [] } }"#),
      (#"{"a":1}"#, #"{ "a": 1, "b": { "c": 2 } }"#, #"{"a":1,"b":{"c":2}}"#),
      (#"[1, 2, 3]"#, #"[1]"#, #"[1]"#),
      (#"[1]"#, #"[1,{"a":2}]"#, #"[1, { "a": 2 }]"#),
      (#"{ "a": 1 }"#, #"[1]"#, #"[1]"#),
      (#"{ "a": 1, "a": 2 }"#, #"{"a":3}"#, #"{ "a": 3 }"#),
      (#"{ "a": 1 }"#, #"{}"#, #"{}"#),
    ])
  func line(old: String, new: String, expected: String) throws {
    #expect(try changed(old, JSONPointer(), to: new) == expected)
  }

  @Test("a value that outgrows its line is split, with the file's indentation and line ends")
  func lines() throws {
    let text = String(repeating: "x", count: 60)
    let old = "{\r\n\t\"a\": { \"b\": 1 },\r\n\t\"c\": [\r\n\t\t1\r\n\t]\r\n}\r\n"
    let new = #"{"a":{"b":1,"d":"\#(text)","e":"\#(text)"},"c":[1,[2]],"f":{"g":1}}"#
    #expect(
      try changed(old, JSONPointer(), to: new)
        == "{\r\n\t\"a\": {\r\n\t\t\"b\": 1,\r\n\t\t\"d\": \"\(text)\",\r\n\t\t\"e\": \"\(text)\"\r\n\t},"
        + "\r\n\t\"c\": [\r\n\t\t1,\r\n\t\t[2]\r\n\t],\r\n\t\"f\": { \"g\": 1 }\r\n}\r\n")
  }

  @Test("a line that is long already stays one")
  func long() throws {
    let text = String(repeating: "x", count: 100)
    let old = #"[{ "b": "\#(text)", "c": 1 }]"#
    let new = #"[{"b":"\#(text)","c":{"d":2}},{"b":"\#(text)"}]"#
    let expected = #"[{ "b": "\#(text)", "c": { "d": 2 } }, { "b": "\#(text)" }]"#
    #expect(
      try changed("{\n  \"a\": \(old)\n}", ["a"], to: new) == "{\n  \"a\": \(expected)\n}")
  }

  @Test("a missing member is added last")
  func missing() throws {
    #expect(
      try changed(#"{ "a": { "b": 1 } }"#, JSONPointer(["a", "c"]), to: #"{"d":[]}"#)
        == #"{ "a": { "b": 1, "c": { "d": [] } } }"#)
  }
}

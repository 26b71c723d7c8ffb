import Testing
import UnderstudyCore
import UnderstudyJSON

@Suite struct JSONValueTests {
  @Test("knows the kind, the bytes and the summary of every value")
  func kinds() throws {
    let root = try json(#" [null, true, false, -1.50, "a\tb", [], [1], {}, {"a": 1, "b": 2}] "#)
    let expected: [(kind: JSONValue.Kind, source: String, summary: String)] = [
      (.null, "null", "null"), (.boolean, "true", "true"), (.boolean, "false", "false"),
      (.number, "-1.50", "number -1.50"), (.string, #""a\tb""#, #"string "a\tb""#),
      (.array, "[]", "array with 0 elements"), (.array, "[1]", "array with 1 element"),
      (.object, "{}", "object with 0 members"),
      (.object, #"{"a": 1, "b": 2}"#, "object with 2 members"),
    ]
    #expect(root.count == expected.count)
    for (value, expected) in zip(root.elements, expected) {
      #expect(value.kind == expected.kind)
      #expect(value.summary == expected.summary)
      let bytes = value.document.bytes[value.byteRange]
      #expect(String(decoding: bytes, as: UTF8.self) == expected.source)
    }
  }

  @Test(
    "responses nil when a value is of another kind", arguments: ["null", "1", "\"\"", "[]", "{}"])
  func otherKinds(text: String) throws {
    let value = try json(text)
    #expect(value.isNull == (text == "null"))
    #expect(value.bool == nil)
    #expect((value.number == nil) == (text != "1"))
    #expect((value.int == nil) == (text != "1"))
    #expect((value.string == nil) == (text != "\"\""))
    #expect(Array(value.elements).isEmpty && Array(value.members).isEmpty)
    #expect(value["a"] == nil && value[0] == nil && value.count == 0)
  }

  @Test("cuts long texts in a summary")
  func longSummary() throws {
    let long = String(repeating: "é", count: 100)
    let cut = String(repeating: "é", count: 60)
    #expect(try json("\"\(long)\"").summary == "string \"\(cut)\"…")
    let digits = String(repeating: "1", count: 100)
    let accents = "e" + String(repeating: "\u{301}", count: 100)
    let start = String(accents.unicodeScalars.prefix(60))
    #expect(try json("\"\(accents)\"").summary == "string \"\(start)\"…")
    #expect(try json(digits).summary == "number \(digits.prefix(60))…")
  }

  @Test(
    "resolves escapes",
    arguments: [
      (#""\"\\\/\b\f\n\r\t""#, "\"\\/\u{8}\u{C}\n\r\t"), (#""\u0041\u00e9\u20AC""#, "Aé€"),
      (#""\ud83d\uDE00""#, "😀"), (#""\u0000""#, "\0"), (#""a\u0301""#, "a\u{301}"),
      ("\"\u{7F}é語😀\"", "\u{7F}é語😀"), ("\"\"", ""),
    ])
  func escapes(source: String, text: String) throws {
    let string = try #require(try json(source).string)
    #expect(Array(string.unicodeScalars) == Array(text.unicodeScalars))
  }

  @Test("finds strings of every length, whatever follows them", arguments: 0..<70)
  func lengths(length: Int) throws {
    for special in ["", "\\n", "é", "語", "😀"] {
      for ending in ["", " ", ",1", ", \"\(String(repeating: "y", count: 40))\""] {
        let text = String(repeating: "x", count: length)
        let value = try json("[\"\(text)\(special)\"\(ending)]")
        #expect(value[0]?.string == text + (special == "\\n" ? "\n" : special))
      }
    }
  }

  @Test("members keep their order; of duplicate keys the last counts")
  func duplicates() throws {
    let root = try json(#"{"b": 1, "a": 2, "b": 3, "\u0062": 4}"#)
    #expect(root.members.map(\.key) == ["b", "a", "b", "b"])
    #expect(root.members.map(\.value.int) == [1, 2, 3, 4])
    #expect(root["b"]?.int == 4)
    #expect(root.duplicateKeys.map(\.value.int) == [3, 4])
    #expect(root.duplicateKeys.map(\.keyPosition.description) == ["1:18", "1:26"])
    #expect(root.members.map { $0.hasKey("b") } == [true, false, true, true])
  }

  @Test("keys are compared byte for byte, not by what they look like")
  func canonicalEquivalence() throws {
    let root = try json("{\"\u{e9}\": 1, \"e\u{301}\": 2}")
    #expect(root.duplicateKeys.isEmpty)
    #expect(root["\u{e9}"]?.int == 1)
    #expect(root["e\u{301}"]?.int == 2)
  }

  @Test("subscripts end at the last element")
  func bounds() throws {
    let root = try json("[[1, [2]], {\"a\": {}}, 3]")
    #expect(root[2]?.int == 3)
    #expect(root[3] == nil && root[-1] == nil)
    #expect(root[0]?[1]?[0]?.int == 2)
    #expect(root[1]?["a"]?.count == 0)
  }

  @Test("compact drops whitespace between tokens and nothing else")
  func compact() throws {
    let root = try json("{ \"a b\" :\t[ 1.50 ,\r\n \"\\\" \\\\\" , { } ] , \"c\": \" \" }")
    let compact = String(decoding: root.compact, as: UTF8.self)
    #expect(compact == #"{"a b":[1.50,"\" \\",{}],"c":" "}"#)
    let inner = try #require(root["a b"]?[1])
    #expect(String(decoding: inner.compact, as: UTF8.self) == #""\" \\""#)
  }

  @Test("positions count scalars and lines, near the beginning and far from it")
  func positions() throws {
    let line = "\"é語😀\",\n"
    let root = try json("[\n" + String(repeating: line, count: 2_000) + "  null]")
    #expect(root.position == SourcePosition(line: 1, column: 1))
    #expect(root[0]?.position == SourcePosition(line: 2, column: 1))
    #expect(root[1_999]?.position == SourcePosition(line: 2_001, column: 1))
    #expect(root[2_000]?.position == SourcePosition(line: 2_002, column: 3))
    let document = root.document
    let byteCount = document.bytes.count
    #expect(document.position(ofByte: byteCount) == SourcePosition(line: 2_002, column: 8))
    #expect(document.position(ofByte: byteCount + 9) == SourcePosition(line: 2_002, column: 8))
    #expect(document.position(ofByte: -1) == SourcePosition(line: 1, column: 1))
  }

  @Test("a long single line has columns to its end")
  func longLine() throws {
    let root = try json("[" + String(repeating: "1,", count: 10_000) + "2]")
    #expect(root[10_000]?.position == SourcePosition(line: 1, column: 20_002))
  }

  @Test(
    "two values are equal when they mean the same",
    arguments: [
      ("1", "1.0", true), ("[1e2, 0]", "[100, -0.0]", true), ("1", "\"1\"", false),
      (#""\u0041""#, #""A""#, true), (#"{"a": 1, "b": [2]}"#, #"{"b": [2.0], "a": 1}"#, true),
      (#"{"a": 1}"#, #"{"a": 1, "b": 2}"#, false), (#"{"a": 1}"#, #"{"b": 1}"#, false),
      (#"{"a": 1, "a": 2}"#, #"{"a": 2}"#, true), (#"{"a": 1, "a": 2}"#, #"{"a": 1}"#, false),
      ("[1, 2]", "[2, 1]", false), ("[1]", "[1, 1]", false), ("true", "false", false),
      ("null", "null", true), ("[]", "{}", false), (#"{"\u0061": 1}"#, #"{"a": 1}"#, true),
    ])
  func equality(left: String, right: String, isEqual: Bool) throws {
    #expect(try json(left).isEqual(to: json(right)) == isEqual)
    #expect(try json(right).isEqual(to: json(left)) == isEqual)
  }

  @Test("objects with very many members are compared and searched in linear time")
  func manyMembers() throws {
    let members = (0..<50_000).map { "\"key\($0)\": \($0)" }
    let forward = try json("{" + members.joined(separator: ",") + "}")
    let backward = try json("{" + members.reversed().joined(separator: ",") + "}")
    #expect(forward.isEqual(to: backward))
    #expect(forward.changes(to: backward).isEmpty)
    #expect(forward.duplicateKeys.isEmpty)
  }

  @Test("limits are errors, not crashes")
  func limits() throws {
    var limits = JSONLimits()
    limits.depthMax = 3
    limits.bytesMax = 20
    _ = try JSONDocument(parsing: "[[{\"a\": 1}]]", limits: limits)
    #expect(throws: JSONError.self) { try JSONDocument(parsing: "[[[[]]]]", limits: limits) }
    _ = try JSONDocument(parsing: String(repeating: " ", count: 19) + "1", limits: limits)
    do throws(JSONError) {
      _ = try JSONDocument(parsing: String(repeating: " ", count: 20) + "1", limits: limits)
    } catch {
      #expect(error.description == "1:21: found 21 bytes, expected at most 20")
    }
  }

  @Test("nesting has a ceiling no limit can lift")
  func ceiling() {
    var limits = JSONLimits()
    limits.depthMax = .max
    let text = String(repeating: "[", count: 100_000)
    #expect(throws: JSONError.self) { try JSONDocument(parsing: text, limits: limits) }
  }
}

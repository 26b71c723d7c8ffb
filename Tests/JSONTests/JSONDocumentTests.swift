import JSON
import Testing

@Suite struct JSONDocumentTests {
  @Test("smoke")
  func smoke() throws {
    let text = #"{"a": [1, 2.0, {"b\n": "x\u00e9\ud83d\ude00 ü"}], "c": null, "a": true}"#
    let document = try JSONDocument(parsing: text)
    let root = document.root
    #expect(root.count == 3)
    #expect(root["a"]?.bool == true)
    let first = root.members.first { _ in true }?.value
    #expect(first?.elements.map(\.summary) == ["number 1", "number 2.0", "object with 1 member"])
    #expect(first?[2]?["b\n"]?.string == "xé😀 ü")
    #expect(first?[2]?["b\n"]?.pointer.description == "/a/2/b\n")
    #expect(first?[1]?.int == 2)
    #expect(root.duplicateKeys.map(\.key) == ["a"])
    #expect(String(decoding: root.compact, as: UTF8.self) == text.replacing(": ", with: ":").replacing(", ", with: ","))
    let same = try JSONDocument(parsing: #"{"c": null, "a": true}"#)
    #expect(root.isEqual(to: same.root))
  }
  @Test("errors", arguments: ["", " ", "[1,]", "{\"a\":1,}", "[1 2]", "{'a':1}", "{a:1}", "[1, // x\n2]", "[NaN]", "[-Infinity]", "[012]", "[+1]", "[.5]", "[1.]", "[1e]", "[-]", "[0x1F]", "[True]", "[None]", "[\"abc", "[\"abc\n\"]", "{\"a\" 1}", "{\"a\": [1, 2}", "{\"a\": [1, 2", "{} x", "[1] [2]", "[\"\\x\"]", "[\"\\u12\"]", "[\"\\ud800\"]", "[\"\u{1}\"]", "[“a”]", "\u{FEFF}{}", "[1;2]", "[,]", "[1,,2]", "{\"a\":}", "[tru]", "[truex]", "nul", "{\"a\"", "{\"a\":", "{\"a\":1", "{", "[", "]", "[1,", "{\"a\":1,", "[1\u{a0}]", "{\"a\"=1}", "[\"a\":1]", "[\"\t\"]", "\"\\", "[1\0]", "[-01]", "[1.5.2]", "[1ea]"])
  func errors(text: String) {
    do { _ = try JSONDocument(parsing: text); print("ACCEPTED", text) } catch { print(text.debugDescription, "→", error) }
  }
}

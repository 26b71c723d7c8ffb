import Testing

@testable import UnderstudyJSON

/// JSON that a program makes: texts as literals, and members that can still be changed.
@Suite struct JSONObjectTests {
  private static func text(_ json: JSONText) -> String {
    String(decoding: json.bytes, as: UTF8.self)
  }

  @Test(
    "literals are JSON in their order, without members that are nil",
    arguments: [
      ("a \"b\"", #""a \"b\"""#), (7, "7"), (true, "true"), ([], "[]"), ([:], "{}"),
      (["z": "1", "a": [1, false, [:]], "no": nil], #"{"z":"1","a":[1,false,{}]}"#),
      (.oneOrMore(["x"]), #""x""#), (.oneOrMore([]), "[]"),
      (.oneOrMore(["x", "y"]), #"["x","y"]"#), ("\(1 + 1)s", #""2s""#),
    ] as [(JSONText, String)])
  func literals(json: JSONText, text: String) {
    #expect(Self.text(json) == text)
  }

  @Test("a member keeps its place when it is set again, and a new one comes last")
  func setting() {
    var members: JSONObject = ["b": 1, "a": 2, "no": nil]
    members["b"] = 3
    members["c"] = 4
    members["none"] = nil
    #expect(Self.text(members.text) == #"{"b":3,"a":2,"c":4}"#)
    members["b"] = nil
    members["b"] = 5
    #expect(members["b"] == 5 && members["none"] == nil)
    #expect(Self.text(members.text) == #"{"a":2,"c":4,"b":5}"#)
    #expect(Self.text((members + ["d": 6, "a": 7]).text) == #"{"a":7,"c":4,"b":5,"d":6}"#)
  }

  @Test("keys are compared byte for byte, however many there are", arguments: [2, 16, 17, 40])
  func keys(count: Int) {
    let others = (2..<max(3, count)).map { (key: "\($0)", value: JSONText.int($0) as JSONText?) }
    let object = JSONObject(
      [(key: "\u{E9}", value: 0), (key: "e\u{301}", value: 1)] + others
        + [(key: "\u{E9}", value: 9), (key: "2", value: nil)])
    #expect(object["\u{E9}"] == 9 && object["e\u{301}"] == 1 && object["2"] == 2)
    #expect(object.all.count == 2 + others.count)
  }

  @Test("members of a value keep their spelling, and a value that is no object has none")
  func reading() throws {
    let root = try JSONDocument(parsing: #"{ "n": 1.50, "t": "\u0041", "l": [ 1, {} ] }"#).root
    #expect(Self.text(JSONObject(of: root).text) == #"{"n":1.50,"t":"\u0041","l":[1,{}]}"#)
    #expect(JSONObject(of: root["l"]).isEmpty && JSONObject(of: nil).isEmpty)
  }

  @Test("a file is laid out and ends with a line break; what is not JSON stays as it is")
  func files() {
    let json: JSONText = ["a": ["b": 1]]
    #expect(String(decoding: json.fileBytes, as: UTF8.self) == "{\n  \"a\": { \"b\": 1 }\n}\n")
    #expect(JSONText(unchecked: "{ no").laidOut() == "{ no")
  }
}

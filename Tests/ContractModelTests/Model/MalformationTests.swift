import Testing

@testable import UnderstudyContractModel

@Suite struct MalformationTests {
  private func body(of malformation: String) throws -> [UInt8] {
    let cases = """
      "good": { "status": 200, "body": { "a": "x", "b" : [1, 2.0] },
                "schema": { "required": ["a", "b"], "properties": { "a": { "type": "string" } } } },
      "it": { "like": "good", "malform": \(malformation) }
      """
    let folder = try ContractFolder([
      "api/upstream.json": Sample.upstream, "api/thing.json": Sample.contract(cases: cases),
      "consumers.json": Sample.consumers, "other/upstream.json": "{}",
      "other/thing.json": Sample.thing,
    ])
    let library = try folder.load()
    #expect(folder.diagnosticText(of: library, ignoring: .missingCases.union([.noEmptyCase])) == "")
    return try #require(library.contracts[0].case(named: "it")).bodyBytes
  }

  @Test(
    "sends these bytes",
    arguments: [
      (#"{ "truncateAt": 0 }"#, ""), (#"{ "truncateAt": 17 }"#, #"{"a":"x","b":[1,2"#),
      (#"{ "insert": { "at": 0, "text": "]" } }"#, #"]{"a":"x","b":[1,2.0]}"#),
      (#"{ "insert": { "at": 5, "text": "é\u0000" } }"#, "{\"a\":é\0\"x\",\"b\":[1,2.0]}"),
      (#"{ "insert": { "at": 21, "text": "}" } }"#, #"{"a":"x","b":[1,2.0]}}"#),
      (#"{ "set": { "/a": 7 } }"#, #"{"a":7,"b":[1,2.0]}"#),
      (
        #"{ "set": { "/a": { "c" : null }, "/b/1": "\/", "/d": true } }"#,
        #"{"a":{"c":null},"b":[1,"\/"],"d":true}"#
      ),
      (#"{ "remove": ["/a"] }"#, #"{"b":[1,2.0]}"#),
      (#"{ "remove": ["/b/0", "/b"] }"#, #"{"a":"x"}"#),
      (#"{ "html": "<p>é" }"#, "<p>é"), (#"{ "empty": true }"#, ""),
      (#"{ "contentType": "text/plain" }"#, #"{"a":"x","b":[1,2.0]}"#),
      (#"{ "gzip": "corrupt" }"#, #"{"a":"x","b":[1,2.0]}"#),
      (#"{ "contentLength": -21 }"#, #"{"a":"x","b":[1,2.0]}"#),
    ])
  func bytes(malformation: String, text: String) throws {
    #expect(String(decoding: try body(of: malformation), as: UTF8.self) == text)
  }

  @Test("inserts a byte that is invalid in UTF-8", arguments: [0, 6, 21])
  func invalidUTF8(offset: Int) throws {
    var bytes = Array(#"{"a":"x","b":[1,2.0]}"#.utf8)
    bytes.insert(0xFF, at: offset)
    #expect(try body(of: #"{ "invalidUTF8At": \#(offset) }"#) == bytes)
  }
}

import Foundation
import Testing
import UnderstudyJSON

@Suite struct JSONDecodingErrorTests {
  struct Item: Decodable {
    enum Size: String, Decodable { case small, large }
    var name: String
    var count: Int8
    var price: Double?
    var tags: [String]?
    var size: Size?
    var pair: Pair?
    var created: Date?
    var flags: [String: Bool]?
  }

  struct Pair: Decodable {
    init(from decoder: any Decoder) throws {
      var container = try decoder.unkeyedContainer()
      _ = (try container.decode(Int.self), try container.decode(Int.self))
    }
  }

  struct Refusing: Decodable {
    struct Reason: Error, CustomStringConvertible { let description = "not today" }
    init(from decoder: any Decoder) throws { throw Reason() }
  }

  @Test(
    "says where, what was found and what was expected",
    arguments: [
      (#"{"name": 1}"#, .typeMismatch, "2:13: /items/0/name: found number 1, expected a string"),
      (#"{"name": null}"#, .null, "2:13: /items/0/name: found null, expected a string"),
      ("7", .typeMismatch, "2:4: /items/0: found number 7, expected an object"),
      ("null", .null, "2:4: /items/0: found null, expected an object"),
      (
        #"{"nmae": "x"}"#, .missingKey,
        "2:4: /items/0: found object with 1 member, expected a member \"name\"\n"
          + "  fix: did you mean \"nmae\"?"
      ),
      (
        #"{"title": "x"}"#, .missingKey,
        "2:4: /items/0: found object with 1 member, expected a member \"name\""
      ),
      (
        #"{"name": "", "count": 200}"#, .numberDoesNotFit,
        "2:26: /items/0/count: found number 200, expected an integer from -128 to 127"
      ),
      (
        #"{"name": "", "count": 1.5}"#, .numberDoesNotFit,
        "2:26: /items/0/count: found number 1.5, expected an integer"
      ),
      (
        #"{"name": "", "count": "1"}"#, .typeMismatch,
        "2:26: /items/0/count: found string \"1\", expected an integer"
      ),
      (
        #"{"name": "", "count": 1, "price": "1"}"#, .typeMismatch,
        "2:38: /items/0/price: found string \"1\", expected a number"
      ),
      (
        #"{"name": "", "count": 1, "price": 1e999}"#, .numberDoesNotFit,
        "2:38: /items/0/price: found number 1e999, expected a number a Double can hold"
      ),
      (
        #"{"name": "", "count": 1, "tags": ["a", 2]}"#, .typeMismatch,
        "2:43: /items/0/tags/1: found number 2, expected a string"
      ),
      (
        #"{"name": "", "count": 1, "tags": {}}"#, .typeMismatch,
        "2:37: /items/0/tags: found object with 0 members, expected an array"
      ),
      (
        #"{"name": "", "count": 1, "size": "huge"}"#, .refused,
        "2:37: /items/0/size: its type refuses string \"huge\": "
          + "Cannot initialize Size from invalid String value huge"
      ),
      (
        #"{"name": "", "count": 1, "pair": [1]}"#, .endOfArray,
        "2:37: /items/0/pair: found array with 1 element, expected at least 2"
      ),
      (
        #"{"name": "", "count": 1, "created": "today"}"#, .typeMismatch,
        "2:40: /items/0/created: found string \"today\", expected a number"
      ),
      (
        #"{"name": "", "count": 1, "flags": {"a/b": 0}}"#, .typeMismatch,
        "2:46: /items/0/flags/a~1b: found number 0, expected true or false"
      ),
    ] as [(String, JSONDecodingError.Kind, String)])
  func message(item: String, kind: JSONDecodingError.Kind, description: String) throws {
    let root = try json("{\"items\": [\n   \(item)]}")
    for recorder in [nil, ReadPaths()] {
      let error = try #require(throws: JSONDecodingError.self) {
        try JSONTreeDecoder(recorder: recorder).decode([String: [Item]].self, from: root)
      }
      #expect(error.description == description)
      #expect(error.kind == kind)
      #expect(root.value(at: error.pointer)?.position == error.position)
    }
  }

  @Test("passes on what a type throws itself")
  func foreign() throws {
    let error = try #require(throws: JSONDecodingError.self) {
      try JSONTreeDecoder().decode(Refusing.self, from: json(" {}"))
    }
    #expect(error.description == "1:2: its type refuses the value: not today")
    #expect(error.kind == .refused)
  }

  @Test("pointers begin at the value that is decoded")
  func subtree() throws {
    let value = try #require(try json(#"{"data": {"name": 1}}"#)["data"])
    let error = try #require(throws: JSONDecodingError.self) {
      try JSONTreeDecoder().decode(Item.self, from: value)
    }
    #expect(error.description == "1:19: /name: found number 1, expected a string")
  }

  @Test("bytes that are not JSON are refused with the place and the fix")
  func bytes() throws {
    #expect(try JSONTreeDecoder().decode([Int].self, from: Array("[1, 2]".utf8)) == [1, 2])
    let error = try #require(throws: JSONDecodingError.self) {
      try JSONTreeDecoder().decode([Int].self, from: Array("[1,\n 2,]".utf8))
    }
    #expect(error.kind == .invalidJSON)
    #expect(error.path == "")
    #expect(
      error.description == """
        2:3: found a comma before "]", expected no comma there
          fix: remove the comma
        """)
  }
}

import Foundation
import Testing
import UnderstudyJSON

@Suite struct JSONTreeDecoderTests {
  private func decode<T: Decodable>(_ type: T.Type, _ text: String) throws -> T {
    try JSONTreeDecoder().decode(type, from: json(text))
  }

  struct Everything: Codable, Equatable {
    enum Color: String, Codable { case red, green }
    enum Shape: Codable, Equatable {
      case circle(radius: Double)
      case square(Int)
      case none
    }
    struct Empty: Codable, Equatable {}

    var bool = true
    var string = "é\n"
    var int = -5
    var int8 = Int8.min
    var int16 = Int16.max
    var int32 = Int32.min
    var int64 = Int64.max
    var uint = UInt.max
    var uint8 = UInt8.max
    var uint16 = UInt16.max
    var uint32 = UInt32.max
    var uint64 = UInt64.max
    var float: Float = 0.1
    var double = 1.0e-7
    var missing: Int?
    var present: Int? = 3
    var presentTag: String? = "x"
    var flag: Bool? = false
    var ratio: Double? = 0.5
    var color = Color.green
    var shapes = [Shape.circle(radius: 1.5), .square(2), .none]
    var empty = Empty()
    var matrix = [[1, 2], [], [3]]
    var strings = ["a", "b"]
    var doubles = [0.5, 1]
    var booleans = [true, false]
    var optionals: [Int?] = [1, nil]
    var names = ["a": 1, "b": 2]
    var byNumber = [1: "x", 20: "y"]
    var nested: [String: [Empty?]] = ["k": [Empty(), nil]]
    var date = Date(timeIntervalSinceReferenceDate: 12.5)
    var data = Data([1, 2, 255])
    var identifier = UUID(uuidString: "E621E1F8-C36C-495A-93FC-0C247A3E6E5F")
    var set: Set<String> = ["z"]
    var range = 1..<5
  }

  @Test("decodes whatever the types of the standard library and Foundation encode")
  func everything() throws {
    let encoder = JSONEncoder()
    encoder.dateEncodingStrategy = .deferredToDate
    encoder.dataEncodingStrategy = .deferredToData
    let data = try encoder.encode(Everything())
    let document = try JSONDocument(parsing: [UInt8](data))
    let decoded = try JSONTreeDecoder().decode(Everything.self, from: document.root)
    #expect(decoded == Everything())
    // Recording takes other ways.
    let paths = ReadPaths()
    let recorded = try JSONTreeDecoder(recorder: paths).decode(
      Everything.self, from: document.root)
    #expect(recorded == Everything())
  }

  @Test("decodes a root of any kind")
  func roots() throws {
    #expect(try decode(Int.self, "1.0") == 1)
    #expect(try decode(String.self, "\"a\"") == "a")
    #expect(try decode([Int].self, "[1, 2]") == [1, 2])
    #expect(try decode(Int?.self, "null") == nil)
    #expect(try decode([String: Bool].self, "{\"a\": true}") == ["a": true])
  }

  @Test("keys in any order, duplicates and escapes are found, in objects small and large")
  func keys() throws {
    struct Pair: Decodable, Equatable {
      var a: Int
      var b: Int
    }
    #expect(try decode(Pair.self, #"{"b": 2, "x": 0, "a": 1}"#) == Pair(a: 1, b: 2))
    #expect(try decode(Pair.self, #"{"a": 0, "b": 2, "a": 1}"#) == Pair(a: 1, b: 2))
    #expect(try decode(Pair.self, #"{"\u0061": 1, "b": 0, "\u0062": 2}"#) == Pair(a: 1, b: 2))
    let many = (0..<100).map { "\"k\($0)\": \($0)" }.joined(separator: ",")
    #expect(try decode(Pair.self, "{\"b\": 2, \(many), \"a\": 1}") == Pair(a: 1, b: 2))
    #expect(try decode(Pair.self, "{\"b\": 0, \(many), \"a\": 1, \"b\": 2}") == Pair(a: 1, b: 2))
  }

  @Test("a dictionary of very many members is decoded in linear time")
  func manyMembers() throws {
    let members = (0..<50_000).map { "\"key\($0)\": \($0)" }.joined(separator: ",")
    let dictionary = try decode([String: Int].self, "{\(members)}")
    #expect(dictionary.count == 50_000 && dictionary["key49999"] == 49_999)
  }

  private class Base: Decodable {
    enum CodingKeys: String, CodingKey { case id }
    let id: Int
    required init(from decoder: any Decoder) throws {
      id = try decoder.container(keyedBy: CodingKeys.self).decode(Int.self, forKey: .id)
    }
  }

  private final class Derived: Base {
    enum CodingKeys: String, CodingKey { case name, base }
    let name: String
    required init(from decoder: any Decoder) throws {
      let container = try decoder.container(keyedBy: CodingKeys.self)
      name = try container.decode(String.self, forKey: .name)
      let superDecoder =
        container.contains(.base)
        ? try container.superDecoder(forKey: .base) : try container.superDecoder()
      try super.init(from: superDecoder)
    }
  }

  @Test("super decoders read `super` or the given key")
  func superDecoders() throws {
    let implicit = try decode(Derived.self, #"{"name": "n", "super": {"id": 1}}"#)
    #expect(implicit.id == 1 && implicit.name == "n")
    #expect(try decode(Derived.self, #"{"name": "n", "base": {"id": 2}}"#).id == 2)
    let error = try #require(throws: JSONDecodingError.self) {
      try decode(Derived.self, #"{"name": "n"}"#)
    }
    #expect(error.description == "1:1: /super: found nothing, expected an object")
  }

  /// Reads with nested containers what `{"list": [{"x": 1}, [2, null]], "rest": …}` holds.
  private struct Nested: Decodable {
    enum CodingKeys: String, CodingKey { case list, x, inner, y }
    var numbers: [Int] = []
    var paths: [String] = []
    var count: Int?

    init(from decoder: any Decoder) throws {
      let root = try decoder.container(keyedBy: CodingKeys.self)
      var list = try root.nestedUnkeyedContainer(forKey: .list)
      count = list.count
      let object = try list.nestedContainer(keyedBy: CodingKeys.self)
      paths.append(Self.text(object.codingPath))
      numbers.append(try object.decode(Int.self, forKey: .x))
      var array = try list.nestedUnkeyedContainer()
      paths.append(Self.text(array.codingPath))
      numbers.append(try array.decode(Int.self))
      if try array.decodeNil() { numbers.append(-1) }
      #expect(array.isAtEnd && array.currentIndex == 2)
      let element = try list.superDecoder()
      paths.append(Self.text(element.codingPath))
      numbers.append(try element.singleValueContainer().decode(Int.self))
      let inner = try root.nestedContainer(keyedBy: CodingKeys.self, forKey: .inner)
      paths.append(Self.text(inner.codingPath))
      #expect(try inner.decodeNil(forKey: .y) && inner.allKeys.map(\.stringValue) == ["y"])
    }

    static func text(_ path: [any CodingKey]) -> String {
      path.map { $0.intValue.map { "[\($0)]" } ?? $0.stringValue }.joined(separator: ".")
    }
  }

  @Test("nested containers know their coding path")
  func nested() throws {
    let text = #"{"list": [{"x": 1}, [2, null], 3], "inner": {"y": null, "other": 1}}"#
    let nested = try decode(Nested.self, text)
    #expect(nested.numbers == [1, 2, -1, 3])
    #expect(nested.paths == ["list.[0]", "list.[1]", "list.[2]", "inner"])
    #expect(nested.count == 3)
  }

  /// Tries one way, then another.
  private enum IntOrText: Decodable, Equatable {
    case int(Int)
    case text(String)

    init(from decoder: any Decoder) throws {
      let container = try decoder.singleValueContainer()
      do {
        self = .int(try container.decode(Int.self))
      } catch DecodingError.typeMismatch {
        self = .text(try container.decode(String.self))
      }
    }
  }

  @Test("a caught error leaves the decoder usable")
  func retries() throws {
    #expect(try decode([IntOrText].self, #"[1, "a", 2]"#) == [.int(1), .text("a"), .int(2)])
  }

  /// Keeps its decoder beyond `init(from:)`.
  private struct Keeper: Decodable {
    let decoder: any Decoder
    init(from decoder: any Decoder) throws { self.decoder = decoder }
  }

  @Test("a decoder that somebody has kept still decodes its own value")
  func kept() throws {
    let keepers = try decode([Keeper].self, "[1, 2, 3]")
    let numbers = try keepers.map { try $0.decoder.singleValueContainer().decode(Int.self) }
    #expect(numbers == [1, 2, 3])
    #expect(keepers.map { Nested.text($0.decoder.codingPath) } == ["[0]", "[1]", "[2]"])
  }
}

import Testing
import UnderstudyJSON

@Suite struct NameTableTests {
  /// Of every length that is compared in another way, alike at both ends, and of other scripts.
  private static let names =
    ["", "a", "b", "ab", "abc", "abd", "abcd", "abcdefgh", "abcdefgh1abcdefgh", "é", "日本"]
    + ["abcdefgh2abcdefgh"] + (0..<1000).map { "name-\($0)-of-many" }

  private let table: NameTable

  init() {
    var table = NameTable()
    for name in Self.names { table.insert(name) }
    self.table = table
  }

  private func numbers(ofKeysIn text: String) throws -> [Int?] {
    var next = 0
    return try JSONDocument(parsing: text).root.walk { object in
      object.members.map { table.number(of: $0.key, next: &next) }
    }
  }

  @Test("numbers names in the order in which they came, each once")
  func inserting() {
    var table = table
    #expect(table.texts == Self.names)
    #expect(Self.names.map { table.insert($0) } == Array(Self.names.indices))
    #expect(table.count == Self.names.count)
  }

  @Test("finds names by keys in any order", arguments: [false, true])
  func finding(isReversed: Bool) throws {
    let numbers = isReversed ? Self.names.indices.reversed() : Array(Self.names.indices)
    let members = numbers.map { "\"\(Self.names[$0])\": \($0)" }
    #expect(try self.numbers(ofKeysIn: "{\(members.joined(separator: ", "))}") == numbers)
  }

  @Test("finds names by keys with escapes, and only by the same bytes")
  func spelling() throws {
    let found = try numbers(
      ofKeysIn: #"{"\u0061b": 1, "abd": 2, "\u00e9": 3, "e\u0301": 4, "name-7-of-mane": 5, "A": 6}"#
    )
    #expect(found == [3, 5, 9, nil, nil, nil])
  }

  @Test("finds nothing where there are no names")
  func empty() throws {
    let found = try JSONDocument(parsing: #"{"": 1, "a": 2}"#).root.walk { object in
      var next = 0
      return object.members.map { NameTable().number(of: $0.key, next: &next) }
    }
    #expect(found == [nil, nil])
  }
}

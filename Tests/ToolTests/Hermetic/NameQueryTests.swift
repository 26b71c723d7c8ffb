import Testing

@testable import UnderstudyTool

/// The questions and responses of DNS, as bytes.
@Suite struct NameQueryTests {
  private static let header: [UInt8] = [0xAB, 0xCD, 1, 0, 0, 1, 0, 0, 0, 0, 0, 0]
  private static let name: [UInt8] = [4] + "Shop".utf8 + [7] + "example".utf8 + [0]
  private static let table = NameTable(declared: ["shop.example"], own: "laptop")

  private func query(_ name: [UInt8] = name, type: UInt8 = 1) -> [UInt8] {
    Self.header + name + [0, type, 0, 1]
  }

  @Test("an address follows the question in its response")
  func address() throws {
    let query = try #require(NameQuery(query() + [1, 2, 3]))
    #expect(query.name == "shop.example")
    #expect(
      query.message(of: .address([127, 0, 0, 1]))
        == [0xAB, 0xCD, 0x85, 0x80, 0, 1, 0, 1, 0, 0, 0, 0] + Self.name + [0, 1, 0, 1]
        + [0xC0, 12, 0, 1, 0, 1, 0, 0, 0, 0, 0, 4, 127, 0, 0, 1])
    let missing = query.message(of: .noSuchName)
    #expect(
      missing == [0xAB, 0xCD, 0x85, 0x83, 0, 1, 0, 0, 0, 0, 0, 0] + query.message.dropFirst(12))
  }

  @Test("a question that is cut short is none", arguments: 0..<30)
  func cut(byteCount: Int) {
    let whole = query()
    #expect((NameQuery(Array(whole.prefix(byteCount))) != nil) == (byteCount >= whole.count))
  }

  @Test(
    "what is not a plain question is not read",
    arguments: [
      [0xAB, 0xCD, 0x81, 0, 0, 1, 0, 0, 0, 0, 0, 0] + name + [0, 1, 0, 1],
      [0xAB, 0xCD, 1, 0, 0, 2, 0, 0, 0, 0, 0, 0] + name + [0, 1, 0, 1],
      header + [0xC0, 12, 0, 1, 0, 1],
    ] as [[UInt8]])
  func malformed(bytes: [UInt8]) { #expect(NameQuery(bytes) == nil) }

  @Test(
    "names of upstreams and of the machine exist, all others do not",
    arguments: [
      ("shop.example", 1, .address([127, 0, 0, 1]), false),
      ("shop.example", 28, .nothing, false),
      ("localhost", 28, .address(Array(repeating: 0, count: 15) + [1]), false),
      ("a.localhost", 1, .address([127, 0, 0, 1]), false),
      ("laptop", 1, .address([127, 0, 0, 1]), false),
      ("1.2.0.192.in-addr.arpa", 12, .noSuchName, false),
      ("", 2, .noSuchName, false),
      ("example.com", 1, .noSuchName, true),
      ("sub.shop.example", 65, .noSuchName, true),
    ] as [(String, UInt8, NameQuery.Response, Bool)])
  func table(name: String, type: UInt8, response: NameQuery.Response, isForeign: Bool) throws {
    let labels = name.split(separator: ".").flatMap { [UInt8($0.utf8.count)] + $0.utf8 }
    let query = try #require(NameQuery(query(labels + [0], type: type)))
    let found = Self.table.response(to: query)
    #expect(found.0 == response)
    #expect(found.isForeign == isForeign)
  }
}

import Testing
import UnderstudyJSON

@Suite struct JSONErrorTests {
  struct Mistake: CustomTestStringConvertible {
    let text: String
    let kind: JSONError.Kind
    let description: String
    var testDescription: String { text }

    init(_ text: String, _ kind: JSONError.Kind, _ description: String) {
      self.text = text
      self.kind = kind
      self.description = description
    }
  }

  @Test("says where, what was found, what was expected, and the fix", arguments: mistakes)
  func mistake(_ mistake: Mistake) throws {
    let error = try #require(parsingError(mistake.text))
    #expect(error.description == mistake.description)
    #expect(error.kind == mistake.kind)
  }

  @Test("says the same wherever in a longer text the mistake stands", arguments: mistakes)
  func farMistake(_ mistake: Mistake) throws {
    let wanted = try #require(parsingError(mistake.text))
    // A byte order mark and another encoding are found at the beginning only.
    guard ![.byteOrderMark, .empty].contains(wanted.kind) else { return }
    let error = try #require(parsingError("\n\n" + mistake.text))
    #expect(error.kind == wanted.kind)
    #expect(error.offset == wanted.offset + 2)
    #expect(error.position.line == wanted.position.line + 2)
  }

  @Test("every kind of mistake is shown above")
  func complete() {
    let shown = Set(Self.mistakes.map(\.kind)).union([.invalidUTF8, .tooDeep, .tooLarge])
    #expect(shown == Set(JSONError.Kind.allCases))
  }

  @Test(
    "says which bytes are not UTF-8",
    arguments: [
      ([0x22, 0xFF, 0x22], "1:2: found byte 0xFF, which is not UTF-8 here"),
      ([0x5B, 0x31, 0x80, 0x5D], "1:3: found byte 0x80, which is not UTF-8 here"),
      ([0x22, 0xC3, 0x22], "1:2: found byte 0xC3, which is not UTF-8 here"),
    ] as [([UInt8], String)])
  func encoding(bytes: [UInt8], message: String) throws {
    let error = try #require(parsingError(bytes))
    #expect(error.kind == .invalidUTF8)
    #expect(
      error.description == "\(message), expected text in UTF-8\n  fix: save the text as UTF-8")
  }

  @Test(
    "recognises other encodings of Unicode",
    arguments: [
      [0xFF, 0xFE, 0x5B, 0x00], [0xFE, 0xFF, 0x00, 0x5B], [0x5B, 0x00, 0x5D, 0x00],
      [0x00, 0x5B, 0x00, 0x5D],
    ] as [[UInt8]])
  func otherEncodings(bytes: [UInt8]) throws {
    let error = try #require(parsingError(bytes))
    #expect(
      error.description
        == "1:1: found text in UTF-16 or UTF-32, expected UTF-8\n  fix: save the file as UTF-8")
  }

  @Test("names the nesting limit")
  func depth() throws {
    let error = try #require(parsingError(String(repeating: "[", count: 600)))
    #expect(error.kind == .tooDeep)
    #expect(
      error.description
        == "1:513: found arrays and objects nested deeper than 512 levels, expected at most 512")
  }
}

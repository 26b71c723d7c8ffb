import Testing
import UnderstudyTestSupport

@testable import UnderstudyContractModel
@testable import UnderstudyJSON

/// Nothing anybody can write into a file brings the reader down, and every load ends.
@Suite struct FuzzTests {
  /// The values of a document, each with the bytes it takes.
  private func ranges(in value: JSONValue) -> [Range<Int>] {
    var ranges: [Range<Int>] = []
    var pending = [value]
    while let next = pending.popLast() {
      ranges.append(next.byteRange)
      pending += next.elements
      pending += next.members.map(\.value)
    }
    return ranges
  }

  private static let replacements = [
    "null", "true", "0", "-1", "1e400", "\"\"", "\"ok\"", "\"\\u0000\"", "[]", "{}", "[[]]",
    "{\"\":{}}", "{\"like\":\"ok\"}", "\"{path.\"", "9223372036854775808", "\"/~\"",
  ]

  /// A file with some values replaced, put twice into their place or exchanged for others.
  private func mutated(_ text: String, _ dice: inout Dice) throws -> String {
    var bytes = Array(text.utf8)
    for _ in 0..<Int.random(in: 1...3, using: &dice) {
      guard let document = try? JSONDocument(parsing: bytes) else { break }
      let ranges = ranges(in: document.root)
      guard let range = ranges.randomElement(using: &dice) else { break }
      let new: [UInt8] =
        switch dice.next() % 3 {
        case 0: Array(dice.pick(Self.replacements).utf8)
        case 1: Array(bytes[dice.pick(ranges)])
        default: Array("[".utf8) + bytes[range] + Array(",".utf8) + bytes[range] + Array("]".utf8)
        }
      bytes.replaceSubrange(range, with: new)
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  @Test("mutants of the shipped contracts are read to their end", arguments: 0..<12)
  func mutants(seed: Int) throws {
    var dice = Dice(seed: UInt64(seed))
    var files: [String: String] = [:]
    for (path, text) in Shipped.files.sorted(by: { $0.key < $1.key }) {
      files[path] = try mutated(text, &dice)
    }
    let folder = try ContractFolder(files)
    let library = try folder.load()
    #expect(!library.findings.isEmpty)
    let index = RequestIndex(library.upstreams)
    for upstream in library.upstreams {
      for contract in upstream.contracts {
        guard let request = try? contract.exampleRequest(for: contract.cases[0]) else {
          continue
        }
        _ = index.contract(for: request, in: upstream)
        _ = index.nearMisses(to: request, in: upstream)
      }
    }
  }

  @Test("a contract that is cut anywhere is complained about")
  func prefixes() throws {
    let text = Array(
      Sample.contract(cases: #""it": { "like": "ok", "malform": { "set": { "/a": "é" } } }"#).utf8)
    let folder = try ContractFolder(Sample.files)
    for count in 0..<text.count {
      try folder.write(Array(text[..<count]), to: "api/thing.json")
      let findings = try folder.load().findings.filter { $0.type.rawValue == "invalid-json" }
      #expect(findings.count == 1, "\(count) bytes")
    }
  }
}

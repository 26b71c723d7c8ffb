import Foundation
import Testing
import UnderstudyJSON
import UnderstudyTestSupport

@Suite struct JSONRobustnessTests {
  private static let documents = [
    #"{"a": [1, -2.5e+10, true, false, null], "é\u00e9": "x\n\ud83d\ude00語", "o": {"": []}}"#,
    "[\n  {\"id\": 1, \"text\": \"\(String(repeating: "long ", count: 20))\"},\n  [[[]]]\n]\n",
    #""just a string with \"escapes\" and ü""#, "-12.5E-7", "[\"\u{10FFFF}\u{800}\u{80}\"]",
  ]

  @Test("no proper prefix of a container or string parses, and none crashes", arguments: documents)
  func prefixes(text: String) {
    let bytes = Array(text.utf8)
    let end = (bytes.lastIndex { !" \n".utf8.contains($0) } ?? 0) + 1
    for count in 0..<end {
      let error = parsingError(Array(bytes[..<count]))
      // A number ends wherever its last digit does.
      #expect(error != nil || text.hasPrefix("-12"))
    }
    #expect(parsingError(bytes) == nil)
  }

  @Test("random changes of bytes crash nothing and get an error message", arguments: 0..<20)
  func mutations(seed: Int) {
    var random = Dice(seed: UInt64(seed))
    let interesting =
      Array("\"\\{}[]:,0-+.eEutfn/ \n\0\u{1}'".utf8) + [0x80, 0xC3, 0xE0, 0xF4, 0xFF]
    for _ in 0..<400 {
      var bytes = Array(random.pick(Self.documents).utf8)
      for _ in 0...random.below(3) {
        let place = random.below(bytes.count)
        switch random.below(3) {
        case 0: bytes[place] = random.pick(interesting)
        case 1: bytes.insert(random.pick(interesting), at: place)
        default: bytes.remove(at: place)
        }
      }
      checkAgainstFoundation(bytes)
    }
  }

  @Test("random bytes crash nothing", arguments: 0..<10)
  func noise(seed: Int) {
    var random = Dice(seed: UInt64(seed))
    for _ in 0..<300 {
      let bytes = (0..<random.below(80)).map { _ in UInt8(truncatingIfNeeded: random.next()) }
      checkAgainstFoundation([0x5B, 0x22] + bytes + [0x22, 0x5D])
    }
  }

  @Test("random documents parse, with the same meaning as for Foundation", arguments: 0..<20)
  func randomDocuments(seed: Int) throws {
    var text = RandomText(random: Dice(seed: UInt64(seed)))
    for _ in 0..<100 {
      let bytes = Array((text.space() + text.value() + text.space()).utf8)
      let root = try JSONDocument(parsing: bytes).root
      let object = try JSONSerialization.jsonObject(with: Data(bytes), options: .fragmentsAllowed)
      #expect(isSame(root, object))
      #expect(try JSONDocument(parsing: root.compact).root.isEqual(to: root))
    }
  }

  /// Foundation accepts some texts we refuse, never the other way round. An error must have a
  /// place within the text.
  private func checkAgainstFoundation(_ bytes: [UInt8]) {
    if let error = parsingError(bytes) {
      #expect(0...bytes.count ~= error.offset && error.message.hasPrefix("found "))
    } else {
      let object = try? JSONSerialization.jsonObject(
        with: Data(bytes), options: .fragmentsAllowed)
      // It has no number for 1e999.
      let text = String(decoding: bytes, as: UTF8.self)
      #expect(object != nil || text.contains("e") || text.contains("E"), "\(text)")
    }
  }

  private func isSame(_ value: JSONValue, _ object: Any) -> Bool {
    switch value.kind {
    case .null: object is NSNull
    case .boolean: (object as? Bool) == value.bool
    case .number:
      // It reads integers beyond 2^53 inexactly.
      (object as? NSNumber).map { number in
        let (ours, theirs) = (value.number?.double ?? .nan, number.doubleValue)
        return abs(ours - theirs) <= abs(ours) * 1e-15
      } ?? false
    case .string: (object as? String) == value.string
    case .array:
      (object as? [Any]).map { elements in
        elements.count == value.count && zip(value.elements, elements).allSatisfy(isSame)
      } ?? false
    case .object:
      (object as? [String: Any]).map { members in
        value.members.allSatisfy { member in
          members[member.key].map { isSame(member.value, $0) } ?? false
        }
      } ?? false
    }
  }

  @Test("accepts exactly the UTF-8 that Unicode allows", arguments: 0x80...0xFF)
  func encoding(lead: Int) {
    let edges: [UInt8] = [0x22, 0x7F, 0x80, 0x8F, 0x90, 0x9F, 0xA0, 0xBF, 0xC0]
    for second in edges {
      for third in edges {
        for fourth in edges {
          let bytes = [UInt8(lead), second, third, fourth].filter { $0 != 0x22 }
          let isValid = String(validating: bytes, as: UTF8.self) != nil
          // In the middle of a text, and where hardly anything follows.
          #expect((parsingError([0x22] + bytes + [0x22]) == nil) == isValid)
          let padding = [UInt8](repeating: 0x61, count: 20)
          #expect((parsingError([0x5B, 0x22] + padding + bytes + [0x22, 0x5D]) == nil) == isValid)
        }
      }
    }
  }
}

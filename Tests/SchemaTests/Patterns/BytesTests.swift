import Testing
import UnderstudySchema
import UnderstudyTestSupport

@Suite struct BytesTests {
  @Test(
    "reads invalid UTF-8 as String does",
    arguments: [
      [0xFF], [0x80], [0xC3], [0xC0, 0x80], [0xE2, 0x82], [0xE2, 0x82, 0x41], [0xF0, 0x9F, 0x90],
      [0xED, 0xA0, 0x80], [0xE0, 0x80, 0x80], [0xF4, 0x90, 0x80, 0x80], [0xF0, 0x80, 0x80, 0x80],
      [0xF5, 0x80], [0xC3, 0xC3, 0xA9], [0xF0, 0x9F, 0x90, 0xB2], [0xE1, 0x80, 0xE1, 0x80, 0x80],
    ] as [[UInt8]])
  func invalid(bytes: [UInt8]) throws {
    let scalars = String(decoding: bytes, as: UTF8.self).unicodeScalars
    let escapes = scalars.map { "\\u{\(String($0.value, radix: 16))}" }.joined()
    #expect(try Pattern("^\(escapes)$").matches(utf8: bytes.span))
    #expect(try Pattern("^[^]{\(scalars.count)}$").matches(utf8: bytes.span))
  }

  @Test("never reads beyond random bytes, and reads them as String does", arguments: 0..<20)
  func random(seed: UInt64) throws {
    var generator = Dice(seed: seed)
    let interesting: [UInt8] = [
      0x00, 0x41, 0x7F, 0x80, 0x8F, 0x90, 0x9F, 0xA0, 0xBF, 0xC0, 0xC2, 0xDF, 0xE0, 0xE1, 0xED,
      0xEF, 0xF0, 0xF1, 0xF4, 0xF5, 0xFF,
    ]
    for _ in 0..<50 {
      let bytes = (0..<Int.random(in: 0..<9, using: &generator)).compactMap { _ in
        interesting.randomElement(using: &generator)
      }
      let scalars = String(decoding: bytes, as: UTF8.self).unicodeScalars
      let escapes = scalars.map { "\\u{\(String($0.value, radix: 16))}" }.joined()
      #expect(try BothEngines("^\(escapes)$").matches(bytes, "\(bytes)"), "\(bytes)")
    }
  }
}

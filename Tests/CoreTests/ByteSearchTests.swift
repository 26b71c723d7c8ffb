import Testing
import UnderstudyCore
import UnderstudyTestSupport

@Suite struct ByteSearchTests {
  private let bytes = Array("abababc, ü and 👩‍👩‍👧".utf8)

  @Test(
    "finds the first place of some bytes",
    arguments: [
      ("", 0..<0), ("a", 0..<1), ("babc", 3..<7), ("ababc", 2..<7), ("ü", 9..<11), ("x", nil),
      ("abababc, ü and 👩‍👩‍👧!", nil),
    ] as [(String, Range<Int>?)])
  func finding(part: String, place: Range<Int>?) {
    #expect(bytes.firstRange(ofBytes: part.utf8) == place)
    #expect(bytes.contains(bytes: part.utf8) == (place != nil))
    // Whatever holds the bytes.
    #expect(AnyCollection(bytes).contains(bytes: AnyCollection(Array(part.utf8))) == (place != nil))
    let text = String(decoding: bytes, as: UTF8.self)
    #expect(text.utf8.contains(bytes: part.utf8) == (place != nil))
  }

  @Test("counts from the start of a slice")
  func slices() {
    #expect(bytes[3...].firstRange(ofBytes: "ab".utf8) == 4..<6)
    #expect(bytes[7...].firstRange(ofBytes: "ab".utf8) == nil)
    #expect(bytes[7..<7].firstRange(ofBytes: "ab".utf8) == nil)
    let text: Substring = "one://two://three".dropFirst(4)
    #expect(text.utf8.firstRange(ofBytes: "://".utf8).map { text[$0.upperBound...] } == "three")
  }

  @Test("finds what the standard library finds")
  func standard() {
    var random = Dice(seed: 7)
    for _ in 0..<500 {
      let whole = (0..<Int.random(in: 0...40, using: &random)).map { _ in
        UInt8.random(in: 0...2, using: &random)
      }
      let part = (0..<Int.random(in: 1...5, using: &random)).map { _ in
        UInt8.random(in: 0...2, using: &random)
      }
      #expect(whole.firstRange(ofBytes: part) == whole.firstRange(of: part), "\(part) in \(whole)")
      #expect(whole.replacing(bytes: part, with: [9]) == whole.replacing(part, with: [9]))
    }
  }
}

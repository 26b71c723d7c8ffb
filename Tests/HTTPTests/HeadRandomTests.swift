import Testing
import UnderstudyHTTP
import UnderstudyTestSupport

/// Random bytes and mutated heads, always right before memory that must not be read.
@Suite struct HeadRandomTests {
  private static let scraps = [
    "\r\n", "\r", "\n", "\0", " ", "\t", ":", ": ", ",", "\u{7F}", "\u{80}", "é", "?", "#", "%",
    "/",
    "[", "]", "@", "\"", "HTTP/1.1", "HTTP/1.0", "HTTP/2.0", "http://a", "*", "OPTIONS ",
    "\r\nHost: a", "\r\nHost: a:80", "\r\nContent-Length: 5", "\r\nContent-Length:5",
    "\r\nTransfer-Encoding: chunked", "chunked", "close", "keep-alive", "\r\nConnection: close",
    "\r\nConnection: keep-alive", "\r\nExpect: 100-continue", "100-continue", "\r\n\r\n",
    "\r\n X: y",
    "\r\nX-0_1: y", "\r\nX:", "0", "9", "a", "Z", "-",
  ].map { Array($0.utf8) }

  private static func mutated(_ bytes: [UInt8], _ random: inout Dice) -> [UInt8] {
    var bytes = bytes
    for _ in 0..<Int.random(in: 1...3, using: &random) {
      let place = Int.random(in: 0...bytes.count, using: &random)
      let end = min(place + Int.random(in: 0...4, using: &random), bytes.count)
      switch Int.random(in: 0..<5, using: &random) {
      case 0: bytes.removeSubrange(place..<end)
      case 1: bytes.insert(UInt8.random(in: 0...255, using: &random), at: place)
      case 2: bytes.replaceSubrange(place..<end, with: bytes[place..<end].reversed())
      default:
        let scrap = scraps[Int.random(in: 0..<scraps.count, using: &random)]
        bytes.replaceSubrange((Bool.random(using: &random) ? place : end)..<end, with: scrap)
      }
    }
    return bytes
  }

  @Test("takes exactly what a plain parser takes, and finds the same in it", arguments: 0..<8)
  func differential(seed: UInt64) {
    var random = Dice(seed: seed)
    var reader = HeadReader()
    var takenCount = 0
    for _ in 0..<1_500 {
      let valid = ValidHead.all[Int.random(in: 0..<ValidHead.all.count, using: &random)]
      let bytes = Self.mutated(Array(valid.text.utf8), &random)
      let parsed = reader.read(bytes, piecesEndingAt: [bytes.count])
      let reference = ReferenceHead.parse(bytes)
      let text = String(decoding: bytes, as: UTF8.self).debugDescription
      switch (parsed, reference) {
      case (.complete(let head), let reference?):
        #expect(head == reference, "\(text)")
        takenCount += 1
      case (.complete, nil): Issue.record("taken: \(text)")
      case (_, _?): Issue.record("not taken: \(text): \(parsed)")
      case (.incomplete, nil), (.malformed, nil): break
      }
      let cut = Int.random(in: 0...bytes.count, using: &random)
      let inPieces = reader.read(bytes, piecesEndingAt: [cut, bytes.count])
      if parsed.isComplete { #expect(inPieces == parsed, "cut after \(cut) bytes: \(text)") }
      #expect(inPieces.isComplete == parsed.isComplete, "cut after \(cut) bytes: \(text)")
    }
    // Mutations that leave nothing valid would prove nothing.
    #expect(takenCount > 100)
  }

  @Test("survives random bytes", arguments: 0..<10)
  func garbage(seed: UInt64) {
    var random = Dice(seed: seed)
    let memory = GuardedBytes()
    var head = RequestHead()
    for _ in 0..<10_000 {
      var bytes = (0..<Int.random(in: 0..<48, using: &random)).map { _ in
        UInt8(truncatingIfNeeded: random.next())
      }
      // Half of them get as far as the fields.
      if Bool.random(using: &random) { bytes = Array("GET / HTTP/1.1\r\n".utf8) + bytes }
      memory.with(bytes) { bytes in
        var scanned = 0
        if case .complete(let byteCount) = head.parse(bytes, scanned: &scanned) {
          #expect(byteCount <= bytes.count)
        }
      }
    }
  }
}

import Testing
import UnderstudyHTTP
import UnderstudyTestSupport

/// What a body turned out to be, from however many pieces.
private struct ReadBody: Equatable, CustomStringConvertible {
  var body: [UInt8] = []
  var consumed = 0
  var end: BodyReader.Step = .needsMore

  var description: String {
    switch end {
    case .complete: "\(String(decoding: body, as: UTF8.self).debugDescription) in \(consumed) bytes"
    case .malformed(let refusal): "\(refusal.status) \(refusal.message)"
    case .needsMore, .data: "\(String(decoding: body, as: UTF8.self).debugDescription), and waits"
    }
  }

  /// Gives the reader the pieces that end at `ends`, each right before memory not to be read.
  static func read(
    _ bytes: [UInt8], _ framing: BodyFraming = .chunked, piecesEndingAt ends: [Int],
    limits: MessageLimits = MessageLimits(), memory: GuardedBytes = GuardedBytes()
  ) -> ReadBody {
    var result = ReadBody()
    var reader = BodyReader(framing, limits: limits)
    for end in ends {
      let piece = bytes[result.consumed..<max(end, result.consumed)]
      memory.with(piece) { piece in
        var offset = 0
        while true {
          result.end = reader.next(piece, from: &offset)
          guard case .data(let range) = result.end else { break }
          result.body += piece[range]
        }
        result.consumed += offset
      }
      if result.end != .needsMore { break }
    }
    return result
  }
}

private func read(
  _ text: String, _ framing: BodyFraming = .chunked, limits: MessageLimits = MessageLimits()
) -> String {
  let bytes = Array(text.utf8)
  return ReadBody.read(bytes, framing, piecesEndingAt: [bytes.count], limits: limits).description
}

@Suite struct BodyReaderTests {
  static let size = "400 expected the size of a chunk: 1 to 16 hexadecimal digits, then CRLF"
  static let chunkEnd = "400 the data of a chunk is not followed by CRLF"
  static let trailer = "400 a malformed field in the trailers of the body"
  static let extensions =
    "400 expected chunk extensions like \";name\", \";name=token\" or \";name=\"text\"\", then CRLF"

  static let chunked = [
    ("0\r\n\r\n", "\"\" in 5 bytes"),
    ("5\r\nhello\r\n0\r\n\r\n", "\"hello\" in 15 bytes"),
    ("5\r\nhello\r\n0\r\n\r\nGET /", "\"hello\" in 15 bytes"),
    ("1\r\na\r\n00A\r\n0123456789\r\n000\r\n\r\n", "\"a0123456789\" in 30 bytes"),
    ("a\r\n0123\r\n6789\r\n0\r\n\r\n", "\"0123\\r\\n6789\" in 20 bytes"),
    ("1;a\r\nx\r\n1 \t;b=\"c\" ; d\r\ny\r\n0;e\r\n\r\n", "\"xy\" in 33 bytes"),
    ("0\r\nX: y\r\nContent-Length:\t5 \r\n\r\n", "\"\" in 31 bytes"),
    ("0000000000000001\r\na\r\n0\r\n\r\n", "\"a\" in 26 bytes"),
    ("", "\"\", and waits"),
    ("5\r\nhel", "\"hel\", and waits"),
    ("", "\"\", and waits"),
    ("00000000000000005\r\n", size),
    ("FFFFFFFFFFFFFFFFF\r\n", size),
    ("FFFFFFFFFFFFFFFF\r\n", "413 the body of the request is too large"),
    ("-1\r\n", size), ("+1\r\n", size), ("0x1\r\n", size), ("1h\r\n", size), (" 1\r\n", size),
    ("\t1\r\n", size), ("1 \r\n", size), ("1 a\r\n", size), ("\r\n", size), ("\n", size),
    ("1\n", size), ("1\rx", size), (";a\r\n", size), ("g\r\n", size), ("1,1\r\n", size),
    ("1;a\nx\r\n0\r\n\r\n", extensions), ("1;a\0\r\n", extensions), ("1;\u{7F}\r\n", extensions),
    ("1;a\rx", size),
    ("1; a = b;c=\"\\\"\t;\"\r\nx\r\n0\r\n\r\n", "\"x\" in 27 bytes"),
    ("2;\r\n", extensions), ("2; \r\n", extensions), ("2;a \r\n", extensions),
    ("2;a=\r\n", extensions), ("2;=b\r\n", extensions), ("2;a=b c\r\n", extensions),
    ("2;a b\r\n", extensions), ("2;;a\r\n", extensions), ("2;a=b=c\r\n", extensions),
    ("2;a=\"b\r\n", extensions), ("5;a=\"abc;b=1\r\n", extensions),
    ("2;a=\"b\\\r\n", extensions), ("2;a=\"b\"c\r\n", extensions), ("2;a,b\r\n", extensions),
    ("2;a=\"b\" \r\n", extensions), ("2;a=b\"\r\n", extensions), ("2;é\r\n", extensions),
    ("1\r\nab\r\n", chunkEnd), ("1\r\na\n", chunkEnd), ("1\r\na\rb", chunkEnd),
    ("1\r\na0\r\n\r\n", chunkEnd),
    ("0\r\n X: y\r\n\r\n", trailer), ("0\r\nX : y\r\n\r\n", trailer), ("0\r\nX\r\n\r\n", trailer),
    ("0\r\n: y\r\n\r\n", trailer), ("0\r\nX: y\n\r\n", trailer), ("0\r\nX: \0\r\n\r\n", trailer),
    ("0\r\nX: y\rz\r\n\r\n", trailer), ("0\r\n\n", trailer), ("0\r\n\rx", trailer),
    ("0\r\nX: y\r\n z\r\n\r\n", trailer),
  ]

  @Test("reads chunks, and refuses invalid ones", arguments: chunked)
  func chunks(text: String, expected: String) {
    #expect(read(text) == expected)
  }

  @Test("reads the same however the bytes are cut", arguments: chunked)
  func pieces(text: String, expected: String) {
    let bytes = Array(text.utf8)
    let memory = GuardedBytes()
    let whole = ReadBody.read(bytes, piecesEndingAt: [bytes.count], memory: memory)
    for end in bytes.indices {
      let parts = ReadBody.read(bytes, piecesEndingAt: [end, bytes.count], memory: memory)
      #expect(parts == whole, "cut after \(end) bytes")
      let prefix = ReadBody.read(bytes, piecesEndingAt: [end], memory: memory)
      if case .complete = whole.end {
        #expect((prefix.end == .needsMore) == (end < whole.consumed), "\(end) bytes alone")
      }
    }
    #expect(ReadBody.read(bytes, piecesEndingAt: Array(0...bytes.count), memory: memory) == whole)
  }

  @Test("reads a body of a length, and leaves what follows")
  func length() {
    #expect(read("hello, world", .length(5)) == "\"hello\" in 5 bytes")
    #expect(read("hel", .length(5)) == "\"hel\", and waits")
    #expect(read("hello", .length(0)) == "\"\" in 0 bytes")
    #expect(read("hello", .none) == "\"\" in 0 bytes")
  }

  @Test("refuses bodies, extensions and trailers beyond the limits")
  func limits() {
    var limits = MessageLimits()
    limits.bodyBytesMax = 8
    limits.chunkExtensionBytesMax = 8
    limits.trailerBytesMax = 12
    let body = "413 the body of the request is too large"
    #expect(read("12345678", .length(8), limits: limits) == "\"12345678\" in 8 bytes")
    #expect(read("", .length(9), limits: limits) == body)
    #expect(
      read("4\r\n1234\r\n4\r\n5678\r\n0\r\n\r\n", limits: limits) == "\"12345678\" in 23 bytes")
    #expect(read("4\r\n1234\r\n5\r\n", limits: limits) == body)
    let extensions = "400 the chunk extensions of the body are too large"
    #expect(read("1;234\r\na\r\n0;23\r\n\r\n", limits: limits) == "\"a\" in 18 bytes")
    #expect(read("1;23456789\r\n", limits: limits) == extensions)
    #expect(read("1;234\r\na\r\n1;2345\r\n", limits: limits) == extensions)
    #expect(read("1         ;\r\n", limits: limits) == extensions)
    let trailers = "431 the trailers of the body are too large"
    #expect(read("0\r\nA: b\r\nC:\r\n\r\n", limits: limits) == "\"\" in 15 bytes")
    #expect(read("0\r\nA: b\r\nC: d\r\n\r\n", limits: limits) == trailers)
    #expect(read("0\r\nA: 0123456789", limits: limits) == trailers)
  }

  @Test("survives random bytes and always ends", arguments: 0..<4)
  func garbage(seed: UInt64) {
    var random = Dice(seed: seed)
    let alphabet = Array("0123aF;= \t\r\n\r\n\r\nX:\0".utf8)
    let memory = GuardedBytes()
    for _ in 0..<2_000 {
      let bytes = (0..<Int.random(in: 0..<40, using: &random)).compactMap { _ in
        alphabet.randomElement(using: &random)
      }
      let whole = ReadBody.read(bytes, piecesEndingAt: [bytes.count], memory: memory)
      let cut = Int.random(in: 0...bytes.count, using: &random)
      let parts = ReadBody.read(bytes, piecesEndingAt: [cut, bytes.count], memory: memory)
      #expect(parts == whole, "\(bytes) cut after \(cut)")
    }
  }
}

import Testing
import UnderstudyContractModel

@testable import UnderstudyFakeServer

@Suite struct ResponsePaceTests {
  struct Tempo: CustomStringConvertible {
    let response: String
    let steps: [String]

    init(_ response: String, _ steps: String...) {
      (self.response, self.steps) = (response, steps)
    }

    var description: String { response }
  }

  private static let date = "Date: \(Stage.httpDate)"
  private static let lengthHead = head("HTTP/1.1 200 OK", "Content-Length: 10", date)
  private static let chunkedHead = head("HTTP/1.1 200 OK", "Transfer-Encoding: chunked", date)
  private static let closeHead = head("HTTP/1.1 200 OK", date, "Connection: close")

  static let tempos: [Tempo] = [
    Tempo(
      #""pace": { "chunks": 3, "over": "3s" }"#, lengthHead,
      "pause 1.0 seconds", "012", "pause 1.0 seconds", "345", "pause 1.0 seconds", "6789",
      "keepOpen"),
    Tempo(
      #""framing": "chunked", "pace": { "chunks": 2, "over": "1s" }"#, chunkedHead,
      "pause 0.5 seconds", "5\r\n01234\r\n", "pause 0.5 seconds", "5\r\n56789\r\n0\r\n\r\n",
      "keepOpen"),
    Tempo(
      #""framing": "close", "pace": { "chunks": 2, "over": "1s" }"#, closeHead,
      "pause 0.5 seconds", "01234", "pause 0.5 seconds", "56789", "close"),
    Tempo(
      #""pace": { "chunks": 1, "over": "2s" }"#, lengthHead, "pause 2.0 seconds", "0123456789",
      "keepOpen"),
    Tempo(#""pace": { "chunks": 2, "over": "0ms" }"#, lengthHead, "01234", "56789", "keepOpen"),
    Tempo(
      #""pace": { "bytesPerSecond": 80 }"#, lengthHead, "pause 0.05 seconds", "0123",
      "pause 0.05 seconds", "4567", "pause 0.025 seconds", "89", "keepOpen"),
    Tempo(
      #""framing": "chunked", "pace": { "bytesPerSecond": 100 }"#, chunkedHead,
      "pause 0.05 seconds", "5\r\n01234\r\n", "pause 0.05 seconds", "5\r\n56789\r\n0\r\n\r\n",
      "keepOpen"),
    Tempo(
      #""pace": { "bytesPerSecond": 1000 }"#, lengthHead, "pause 0.01 seconds", "0123456789",
      "keepOpen"),
    Tempo(#""stall": "beforeHead""#, "stall", "keepOpen"),
    Tempo(#""stall": "afterHead""#, lengthHead, "stall", "keepOpen"),
    Tempo(#""stall": { "atByte": 0 }"#, lengthHead, "stall", "keepOpen"),
    Tempo(#""stall": { "atByte": 4 }"#, lengthHead, "0123", "stall", "keepOpen"),
    Tempo(
      #""framing": "chunked", "stall": { "atByte": 4 }"#, chunkedHead, "4\r\n0123\r\n", "stall",
      "keepOpen"),
    Tempo(#""framing": "chunked", "stall": "afterHead""#, chunkedHead, "stall", "keepOpen"),
    Tempo(
      #""pace": { "chunks": 2, "over": "1s" }, "stall": { "atByte": 7 }"#, lengthHead,
      "pause 0.5 seconds", "01234", "pause 0.5 seconds", "56", "stall", "keepOpen"),
    Tempo(
      #""pace": { "bytesPerSecond": 80 }, "stall": { "atByte": 6 }"#, lengthHead,
      "pause 0.05 seconds", "0123", "pause 0.025 seconds", "45", "stall", "keepOpen"),
    Tempo(
      #""pace": { "chunks": 2, "over": "1s" }, "fault": "CONNECTION_RESET_IN_BODY""#, lengthHead,
      "pause 0.5 seconds", "01234", "reset"),
  ]

  @Test("a slow body comes in the pieces and at the times declared", arguments: tempos)
  func steps(tempo: Tempo) throws {
    let stage = try Stage(#""status": 200, "text": "0123456789", "# + tempo.response)
    #expect(stage.transcript() == tempo.steps)
  }

  @Test("more pieces than bytes are as many as there are bytes, over the same time")
  func morePiecesThanBytes() throws {
    let stage = try Stage(
      #""status": 200, "text": "ab", "framing": "chunked", "pace": { "chunks": 9, "over": "1s" }"#)
    #expect(
      stage.transcript().dropFirst() == [
        "pause 0.5 seconds", "1\r\na\r\n", "pause 0.5 seconds", "1\r\nb\r\n0\r\n\r\n", "keepOpen",
      ])
  }

  @Test("an empty body has no pieces, only its end")
  func emptyBody() throws {
    let chunked = #""status": 200, "framing": "chunked""#
    for pace in ["", #", "pace": { "chunks": 3, "over": "1s" }"#] {
      #expect(
        try Stage(chunked + pace).wire() == Self.chunkedHead + "0\r\n\r\n")
    }
    let unchunked = try Stage(#""status": 200, "pace": { "bytesPerSecond": 5 }"#)
    #expect(
      unchunked.transcript() == [
        head("HTTP/1.1 200 OK", "Content-Length: 0", Self.date), "keepOpen",
      ])
  }

  @Test(
    "pieces make up the body, and their pauses the time, whatever the numbers",
    arguments: [1, 2, 7, 999, 1000, 1001], [1, 3, 7, 64, 1000, 100_000])
  func sums(length: Int, number: Int) {
    let bytes = ValueGenerator.bytes(length)
    #expect(
      Self.serve(bytes, .pieces(count: number, over: .seconds(2)))
        == ServedCase(bytes: bytes, time: .seconds(2)))
    #expect(
      Self.serve(bytes, .bytesPerSecond(number))
        == ServedCase(bytes: bytes, time: .seconds(1) * length / number))
  }

  private struct ServedCase: Equatable {
    var bytes: [UInt8] = []
    var time = Duration.zero
  }

  private static func serve(_ bytes: [UInt8], _ pace: PacedBody.Pace) -> ServedCase {
    var body = PacedBody(bytes[...], pace: pace)
    var served = ServedCase()
    while let step = body.next() {
      switch step {
      case .send(let bytes):
        if bytes.isEmpty { Issue.record("an empty piece") }
        served.bytes += bytes
      case .pause(let duration): served.time += duration
      case .piece, .stall: Issue.record("a body does not wait")
      }
    }
    return served
  }

  @Test(
    "a large body is sent in pieces of the bytes it was loaded with",
    arguments: ["", #", "delay": { "fixed": "1s" }"#])
  func largeBody(delay: String) throws {
    let count = 700_000
    let text = #""only": { "status": 200, "file": "big"\#(delay) }"#
    let contract = try #require(
      try Stage.library(cases: text, bigByteCount: count).contracts.first)
    let servable = try #require(ServableCase(contract.cases[0], of: contract))
    let context = ServingContext(now: Stage.now)
    #expect(servable.staticResponse(for: context) == nil)
    #expect(!servable.isImmediate(for: context))
    var generator = ValueGenerator(seed: 1)
    var script = servable.script(
      for: context, SampleRequest().facts(of: contract), using: &generator)
    var sizes: [Int] = []
    let start = contract.cases[0].bodyBytes.withUnsafeBufferPointer { $0.baseAddress }
    while case .send(let bytes)? = script.nextJoined() {
      // The first is the head.
      if !sizes.isEmpty {
        let place = bytes.withUnsafeBufferPointer { $0.baseAddress }
        #expect(place == start.map { $0 + sizes.dropFirst().reduce(0, +) })
      }
      sizes.append(bytes.count)
    }
    #expect(sizes.dropFirst() == [262_144, 262_144, 175_712])
  }

  @Test("a long body without pace goes out in chunks of 16 KiB")
  func longChunks() {
    var body = PacedBody([UInt8](repeating: 0x61, count: 40_000)[...], isChunked: true)
    var sizes: [Substring] = []
    while case .send(let bytes) = body.next() {
      sizes.append(String(decoding: bytes, as: UTF8.self).prefix { $0 != "\r\n" })
    }
    #expect(sizes == ["4000", "4000", "1c40"])
  }
}

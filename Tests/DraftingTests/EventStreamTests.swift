import Testing
import UnderstudyContractModel

@testable import UnderstudyDrafting

@Suite struct EventStreamTests {
  struct Stream: CustomTestStringConvertible {
    let text: String
    /// As a contract's fake sends them, one after another.
    let events: [String]

    init(_ text: String, _ events: String...) { (self.text, self.events) = (text, events) }

    var testDescription: String { text }
  }

  static let streams: [Stream] = [
    Stream("data: a\n\n", "data: a\n\n"),
    Stream("data:a\r\n\r\ndata\r\rid\n\n", "data: a\n\n", "data: \n\n", "id: \n\n"),
    Stream(
      "\u{FEFF}: hi\n\nevent: x\nid: 7\nretry: 3000\ndata: one\ndata:  two\n: more\n\n: bye\n\n",
      "event: x\nid: 7\nretry: 3000\ndata: one\ndata:  two\n\n"),
    Stream("data: { \"a\" :\ndata: 1 }\n\n", "data: {\"a\":1}\n\n"),
    Stream("data: 12\n\ndata: [1, 2]\n\n", "data: 12\n\n", "data: [1,2]\n\n"),
    Stream("other: x\ndata: a\n\n", "data: a\n\n"),
  ]

  @Test("reads events as the standard says", arguments: streams)
  func reads(stream: Stream) throws {
    let events = try #require(EventStreamText.events(in: stream.text))
    #expect(events.map { String(decoding: $0.bytes, as: UTF8.self) } == stream.events)
  }

  @Test(
    "leaves to a text what ends within an event, has none, or cannot be a contract's",
    arguments: [
      "", "\n\n", ": only\n\n", "data: a", "data: a\n", "data: a\n\ndata: b\n",
      "id: 1\n\nid: 1\n\n",
      "retry: soon\n\n", "retry: -1\n\n", "id: a\u{0}\n\n",
      String(repeating: "data: a\n\n", count: 1_001),
    ])
  func leaves(text: String) {
    #expect(EventStreamText.events(in: text) == nil)
  }
}

import Testing
import UnderstudyHTTP

/// A conversation with the bytes that came and were not taken yet, as a server keeps them.
private struct Connection: ~Copyable {
  var conversation: Conversation
  private var head: RequestHead
  private var bytes: [UInt8] = []
  private(set) var body = ""

  init(_ limits: MessageLimits = MessageLimits()) {
    conversation = Conversation(limits: limits)
    head = RequestHead(limits: limits)
  }

  mutating func receive(_ text: String = "") -> Conversation.Action {
    bytes += text.utf8
    var offset = 0
    let action = bytes.withUnsafeBytes { conversation.receive($0, from: &offset, into: &head) }
    if case .keep(let range) = action { body += String(decoding: bytes[range], as: UTF8.self) }
    bytes.removeFirst(offset)
    return action
  }

  var unreadCount: Int { bytes.count }
}

@Suite struct ConversationTests {
  private static let get = "GET / HTTP/1.1\r\nHost: a\r\n\r\n"
  private static let close = "GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n"
  private static let post = "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n"

  @Test("responds to requests sent ahead one after the other")
  func pipelining() {
    var connection = Connection()
    #expect(connection.receive(Self.get + Self.get + "GET") == .response)
    #expect(connection.receive() == .wait)
    #expect(connection.unreadCount == Self.get.utf8.count + 3)
    #expect(connection.conversation.keepsAlive)
    #expect(connection.conversation.responded(isLast: false) == .readHead)
    #expect(connection.receive() == .response)
    #expect(connection.conversation.responded(isLast: false) == .readHead)
    #expect(connection.receive() == .wait)
    #expect(connection.receive(String(Self.get.dropFirst(3))) == .response)
  }

  @Test("reads a body in pieces, then responds")
  func body() {
    var connection = Connection()
    #expect(connection.receive(Self.post + "\r\nhel") == .readBody(sendsContinue: false))
    #expect(connection.receive() == .keep(0..<3))
    #expect(connection.receive() == .wait)
    #expect(connection.receive("lo" + Self.get) == .keep(0..<2))
    #expect(connection.receive() == .response)
    #expect(connection.body == "hello")
    #expect(connection.unreadCount == Self.get.utf8.count)
  }

  @Test("sends 100 Continue only to a client that waits for it")
  func continues() {
    let waiting = Self.post + "Expect: 100-continue\r\n\r\n"
    var patient = Connection()
    #expect(patient.receive(waiting) == .readBody(sendsContinue: true))
    var hasty = Connection()
    #expect(hasty.receive(waiting + "h") == .readBody(sendsContinue: false))
    var empty = Connection()
    #expect(empty.receive("GET / HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\n\r\n") == .response)
    var limits = MessageLimits()
    limits.bodyBytesMax = 4
    var large = Connection(limits)
    #expect(large.receive(waiting) == .refuse(.bodyTooLarge))
  }

  @Test("drains after the last response, up to a bound")
  func drains() {
    var limits = MessageLimits()
    limits.drainBytesMax = 8
    var connection = Connection(limits)
    #expect(connection.receive(Self.close + "x") == .response)
    #expect(!connection.conversation.keepsAlive)
    #expect(connection.conversation.responded(isLast: false) == .drain)
    #expect(connection.receive() == .wait)
    #expect(connection.unreadCount == 0)
    #expect(connection.receive("123456") == .wait)
    #expect(connection.receive("7") == .close)
    #expect(connection.receive("8") == .close)
  }

  @Test("refuses what is malformed, and takes no more requests")
  func refuses() {
    var connection = Connection()
    #expect(connection.receive("GET /\r\n" + Self.get) == .refuse(.requestLineInvalid))
    #expect(!connection.conversation.keepsAlive)
    #expect(connection.receive() == .wait)
    #expect(connection.conversation.responded(isLast: false) == .drain)
    var chunked = Connection()
    let head = "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n"
    #expect(chunked.receive(head + "x") == .readBody(sendsContinue: false))
    #expect(chunked.receive() == .refuse(.chunkSizeInvalid))
    var slow = Connection()
    #expect(slow.receive("GET ") == .wait)
    #expect(slow.conversation.refuse(.tooSlow) == .refuse(.tooSlow))
    #expect(slow.conversation.responded(isLast: false) == .drain)
  }

  @Test("ends after the last response")
  func last() {
    var connection = Connection()
    #expect(connection.receive(Self.get) == .response)
    #expect(connection.conversation.responded(isLast: true) == .drain)
    #expect(connection.conversation.inputEnded() == .close)
  }

  @Test("responds to all requests sent before the client stopped sending")
  func halfClosed() {
    var connection = Connection()
    #expect(connection.receive(Self.get + Self.get) == .response)
    #expect(connection.conversation.inputEnded() == .wait)
    #expect(connection.conversation.responded(isLast: false) == .readHead)
    #expect(connection.receive() == .response)
    #expect(connection.conversation.responded(isLast: false) == .readHead)
    #expect(connection.receive() == .close)
  }

  @Test(
    "closes when the client leaves before its request is complete",
    arguments: ["", "GET", post, post + "\r\nhel"])
  func leaves(text: String) {
    var connection = Connection()
    var action = connection.receive(text)
    while action != .wait { action = connection.receive() }
    #expect(connection.conversation.inputEnded() == .close)
    #expect(connection.receive(Self.get) == .close)
  }

  @Test("closes without draining when the last request was cut short and the input has ended")
  func halfClosedInBody() {
    var connection = Connection()
    #expect(connection.receive(Self.get + Self.post + "\r\nhel") == .response)
    #expect(connection.conversation.inputEnded() == .wait)
    #expect(connection.conversation.responded(isLast: false) == .readHead)
    #expect(connection.receive() == .readBody(sendsContinue: false))
    #expect(connection.receive() == .keep(0..<3))
    #expect(connection.receive() == .close)
    var closing = Connection()
    #expect(closing.receive(Self.close) == .response)
    #expect(closing.conversation.inputEnded() == .wait)
    #expect(closing.conversation.responded(isLast: false) == .close)
  }
}

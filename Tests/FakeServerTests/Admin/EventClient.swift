import Testing
import UnderstudyHTTP
import UnderstudyJSON

@testable import UnderstudyFakeServer

/// A client that listens to a server's events.
final class EventClient {
  struct Event {
    let id: UInt64
    let name: String
    let data: JSONValue

    /// The name and the data, as one text.
    var text: String { "\(name) \(String(decoding: data.compact, as: UTF8.self))" }
  }

  let client: WireClient
  let head: String
  /// Undecoded chunks.
  private var rest: [UInt8] = []
  private var text = ""
  private var hasEnded = false
  /// The events and comments that came, for the failure when another is waited for in vain.
  private var blocks: [String] = []
  /// Longer than anything takes. Comments come all the time, so silence alone is no sign.
  private static let guardTime = Duration.seconds(20)

  /// Listens once this returns: whatever happens from now on is an event.
  init(
    _ server: FakeServer, session: String? = nil, after id: UInt64? = nil,
    _ client: WireClient? = nil
  ) throws {
    self.client = try client ?? server.client()
    let prefix = session.map { "/~\($0)" } ?? ""
    self.client.ask(
      "GET \(prefix)/__understudy/events", id.map { ["Last-Event-ID: \($0)"] } ?? [],
      host: "\(server.address)")
    var bytes: [UInt8] = []
    let blank = Array("\r\n\r\n".utf8)
    while bytes.firstRange(of: blank) == nil {
      let (piece, end) = self.client.receiveBytes()
      bytes += piece
      if end != nil { break }
    }
    let end = try #require(bytes.firstRange(of: blank)).upperBound
    head = String(decoding: bytes[..<end], as: UTF8.self)
    rest = Array(bytes[end...])
  }

  /// The next event or comment; `nil` at the end of the response.
  private func nextBlock(until limit: ContinuousClock.Instant) throws -> String? {
    while true {
      if let end = text.firstRange(of: "\n\n") {
        defer { text.removeSubrange(..<end.upperBound) }
        blocks.append(String(text[..<end.lowerBound]))
        return blocks.last
      }
      if try takeChunk() { continue }
      guard !hasEnded else { return nil }
      guard .now < limit else { throw vain("another event") }
      let (piece, end) = client.receiveBytes()
      rest += piece
      if let end { throw vain("another event on a connection that is \(end)") }
    }
  }

  private func vain(_ expected: String) -> WaitedInVain {
    WaitedInVain(for: expected, but: blocks.joined(separator: "\n"))
  }

  private func takeChunk() throws -> Bool {
    guard !hasEnded, let lineEnd = rest.firstRange(of: Array("\r\n".utf8)) else { return false }
    let count = try #require(
      Int(String(decoding: rest[..<lineEnd.lowerBound], as: UTF8.self), radix: 16))
    guard rest.count >= lineEnd.upperBound + count + 2 else { return false }
    text += String(decoding: rest[lineEnd.upperBound..<lineEnd.upperBound + count], as: UTF8.self)
    rest.removeFirst(lineEnd.upperBound + count + 2)
    hasEnded = count == 0
    return true
  }

  /// The next event, after any comments; `nil` at the end of the response.
  func next() throws -> Event? {
    let limit = ContinuousClock.now + Self.guardTime
    while let block = try nextBlock(until: limit) {
      guard block != ":" else { continue }
      var fields: [String: String] = [:]
      for line in block.split(separator: "\n") {
        let parts = line.split(separator: ": ", maxSplits: 1)
        try #require(parts.count == 2)
        fields[String(parts[0])] = String(parts[1])
      }
      return Event(
        id: try #require(fields["id"].flatMap { UInt64($0) }), name: try #require(fields["event"]),
        data: try JSONDocument(parsing: fields["data"] ?? "").root)
    }
    return nil
  }

  /// The next events, as many as these, as texts.
  func texts(_ count: Int) throws -> [String?] {
    try (0..<count).map { _ in try next()?.text }
  }

  /// Whether the next thing is a comment.
  func nextIsComment() throws -> Bool {
    try nextBlock(until: .now + Self.guardTime) == ":"
  }
}

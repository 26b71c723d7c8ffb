import Testing
import UnderstudySystem

@Suite("Pollers")
struct PollerTests {
  /// A connection, as its server has it, with its client.
  private struct Connection {
    let server: Int32
    let client: ClientSocket

    init(_ calls: SystemCalls) throws {
      let listener = try Socket.listen(on: SocketAddress(host: "127.0.0.1", port: 0))
      defer { Socket.close(listener.descriptor) }
      client = try ClientSocket(
        to: "127.0.0.1", port: Int(listener.port), until: .now + .seconds(60))
      _ = Readiness.wait(for: [listener.descriptor])
      guard case .client(let descriptor) = Socket.accept(listener.descriptor, calls) else {
        throw SystemError(.notFound, attempt: "accept")
      }
      server = descriptor
    }
  }

  /// A poller that tests can look at.
  private final class Watch {
    private let poller: Poller

    init(_ calls: SystemCalls) throws { poller = try Poller(calls) }

    func add(_ target: Int32, token: UInt64, _ interest: Poller.Interest = .reads) -> Bool {
      poller.add(target, token: token, interest)
    }

    func change(_ target: Int32, token: UInt64, _ interest: Poller.Interest) {
      poller.change(target, token: token, interest)
    }

    func remove(_ target: Int32) { poller.remove(target) }

    var hasEvent: Bool { poller.wait(nanoseconds: 0) > 0 }

    /// The tokens of the events that come next.
    var tokens: [UInt64] {
      (0..<poller.wait(nanoseconds: -1)).map { poller.event(at: $0).token }.sorted()
    }

    /// The first event that comes.
    var next: Poller.Event {
      while poller.wait(nanoseconds: -1) == 0 {}
      return poller.event(at: 0)
    }
  }

  @Test("a socket is readable, writable or neither, as asked", arguments: SystemCalls.all)
  func interests(calls: SystemCalls) throws {
    let connection = try Connection(calls)
    defer { Socket.close(connection.server) }
    let poller = try Watch(calls)
    #expect(poller.add(connection.server, token: 7))
    #expect(!poller.add(connection.server, token: 8))
    #expect(!poller.hasEvent)
    try connection.client.send([1])
    let event = poller.next
    #expect(event.token == 7)
    #expect(event.isReadable && !event.isWritable && !event.hasHungUp && !event.hasFailed)
    poller.change(connection.server, token: 9, .writes)
    let other = poller.next
    #expect(other.token == 9)
    #expect(other.isWritable && !other.isReadable)
    poller.change(connection.server, token: 9, [])
    #expect(!poller.hasEvent)
    poller.change(connection.server, token: 9, .writes)
    poller.remove(connection.server)
    #expect(!poller.hasEvent)
  }

  @Test("a client that leaves is noticed without reading", arguments: SystemCalls.all)
  func hangUp(calls: SystemCalls) throws {
    var connection: Connection? = try Connection(calls)
    let server = try #require(connection).server
    defer { Socket.close(server) }
    let poller = try Watch(calls)
    #expect(poller.add(server, token: 1, .hangUps))
    #expect(!poller.hasEvent)
    connection = nil
    let event = poller.next
    #expect(event.hasHungUp && !event.hasFailed)
  }

  @Test("a client that leaves is noticed behind unread data", arguments: SystemCalls.all)
  func endBehindData(calls: SystemCalls) throws {
    var connection: Connection? = try Connection(calls)
    let server = try #require(connection).server
    defer { Socket.close(server) }
    let poller = try Watch(calls)
    #expect(poller.add(server, token: 1, .hangUps))
    try #require(connection).client.send([1])
    connection = nil
    let event = poller.next
    #expect(event.hasHungUp && !event.hasFailed)
  }

  @Test("unread data is not reported to one who only waits for the end", arguments: SystemCalls.all)
  func unreadData(calls: SystemCalls) throws {
    let connection = try Connection(calls)
    defer { Socket.close(connection.server) }
    let poller = try Watch(calls)
    #expect(poller.add(connection.server, token: 1, .hangUps))
    try connection.client.send([1])
    _ = Readiness.wait(for: [connection.server])
    #expect(!poller.hasEvent)
    poller.change(connection.server, token: 1, .reads)
    #expect(poller.next.isReadable)
  }

  @Test("a reset is a failure, whatever was asked for", arguments: SystemCalls.all, [0, 1, 2])
  func reset(calls: SystemCalls, bits: UInt8) throws {
    var connection: Connection? = try Connection(calls)
    let server = try #require(connection).server
    defer { Socket.close(server) }
    let poller = try Watch(calls)
    #expect(poller.add(server, token: 1, Poller.Interest(rawValue: bits)))
    // What leaves without reading this resets the connection.
    #expect([UInt8](repeating: 1, count: 10).withUnsafeBytes { Socket.send(server, $0) } == 10)
    connection = nil
    #expect(poller.next.hasFailed)
  }

  @Test(
    "of many sockets, those that are removed are forgotten, and the others kept",
    arguments: SystemCalls.all)
  func many(calls: SystemCalls) throws {
    let wakeups = try (0..<40).map { _ in try Wakeup(calls) }
    let poller = try Watch(calls)
    for (index, wakeup) in wakeups.enumerated() {
      #expect(poller.add(wakeup.descriptor, token: UInt64(index)))
    }
    for wakeup in wakeups[..<30] { poller.remove(wakeup.descriptor) }
    for wakeup in wakeups { wakeup.wake() }
    #expect(poller.tokens == (30..<40).map { UInt64($0) })
  }
}

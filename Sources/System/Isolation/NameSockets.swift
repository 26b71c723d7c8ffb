/// Responds to what arrives on the two sockets of a name server: datagrams, and connections on which the
/// length of each message comes first (RFC 1035, section 4.2.2).
///
/// It has a thread of its own and closes the sockets; both end with `stop`.
package final class NameSockets: Sendable {
  private let thread: SystemThread
  private let wakeup: Wakeup

  private static let clientCountMax = 50
  /// How long new clients wait where the system has no descriptors left.
  private static let pauseMilliseconds: Int32 = 100
  private static let messageByteCountMax = 1 << 12

  private typealias Respond = @Sendable ([UInt8]) -> [UInt8]?

  /// - Parameter respond: is called on the thread; `nil` for what gets no response.
  package init(
    datagrams: Int32, connections: Int32, respond: @escaping @Sendable ([UInt8]) -> [UInt8]?
  ) throws(SystemError) {
    let wakeup = try Wakeup()
    self.wakeup = wakeup
    thread = try SystemThread {
      SystemThread.holdBackSignals()
      Self.serve(datagrams, connections, until: wakeup, respond)
    }
  }

  /// Responds to what has arrived, and ends.
  package func stop() {
    wakeup.wake()
    thread.join()
  }

  private static func serve(
    _ datagrams: Int32, _ connections: Int32, until wakeup: Wakeup, _ respond: Respond
  ) {
    var clients: [(descriptor: Int32, received: [UInt8])] = []
    var (isOver, isPaused) = (false, false)
    while !isOver {
      let ready = Readiness.wait(
        for: [wakeup.descriptor, datagrams] + clients.map(\.descriptor)
          + (isPaused ? [] : [connections]), milliseconds: isPaused ? pauseMilliseconds : -1)
      isOver = ready.contains(0)
      if ready.contains(1) {
        Socket.respondToDatagrams(datagrams, byteCountMax: messageByteCountMax, respond)
      }
      let hasNewClient = !isPaused && ready.contains(2 + clients.count)
      isPaused = false
      for place in clients.indices.reversed() where ready.contains(place + 2) {
        if serve(clients[place].descriptor, &clients[place].received, respond) { continue }
        Socket.close(clients.remove(at: place).descriptor)
      }
      guard hasNewClient else { continue }
      switch Socket.accept(connections) {
      case .client(let descriptor) where clients.count < clientCountMax:
        clients.append((descriptor, []))
      case .client(let descriptor): Socket.close(descriptor)
      case .exhausted: isPaused = true
      case .nobody, .gone: continue
      }
    }
    for descriptor in clients.map(\.descriptor) + [datagrams, connections] {
      Socket.close(descriptor)
    }
  }

  /// Whether a client may send more.
  private static func serve(
    _ client: Int32, _ received: inout [UInt8], _ respond: Respond
  ) -> Bool {
    var room = [UInt8](repeating: 0, count: messageByteCountMax)
    // SAFETY: both calls use as many bytes as the array has.
    switch room.withUnsafeMutableBytes({ Socket.receive(client, into: $0) }) {
    case .bytes(let count): received += room.prefix(count)
    case .nothingYet: return true
    case .end, .failure: return false
    }
    while received.count >= 2 {
      let byteCount = Int(received[0]) << 8 | Int(received[1])
      guard byteCount <= messageByteCountMax else { return false }
      guard received.count >= 2 + byteCount else { return true }
      guard let reply = respond(Array(received[2..<(2 + byteCount)])) else { return false }
      received.removeFirst(2 + byteCount)
      let bytes = [UInt8(reply.count >> 8), UInt8(reply.count & 0xFF)] + reply
      guard bytes.withUnsafeBytes({ Socket.send(client, $0) }) == bytes.count else { return false }
    }
    return true
  }
}

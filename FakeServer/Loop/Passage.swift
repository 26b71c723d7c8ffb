import Synchronization
import UnderstudySystem

/// Takes over the connection of a client, and copies bytes between it and another server until both
/// have said all, on a thread of its own. Both are closed with the last reference.
///
/// Each way has a buffer that is read into when it is empty, so that a side that does not read stops
/// the other. Whoever shuts its side is passed on, and so is a reset.
final class Passage: Sendable {
  /// How long nobody may say anything.
  private static let idleMax = Duration.seconds(600)
  /// The same once one side has said all.
  private static let halfIdleMax = Duration.seconds(60)
  /// How long a client may take to leave after a response.
  private static let drainMax = Duration.seconds(2)

  private let server: ClientSocket
  /// Whether the client speaks to the server; otherwise only the response is copied.
  private let isTunnel: Bool
  private let whenOver: @Sendable () -> Void
  private let client = Mutex<Int32?>(nil)

  init(
    to server: ClientSocket, isTunnel: Bool, whenOver: @escaping @Sendable () -> Void
  ) {
    (self.server, self.isTunnel, self.whenOver) = (server, isTunnel, whenOver)
  }

  deinit {
    client.withLock { if let descriptor = $0 { Socket.close(descriptor) } }
    whenOver()
  }

  /// - Parameters:
  ///   - descriptor: of the client, its own from now on.
  ///   - said: what the client has said already.
  func begin(with descriptor: Int32, _ said: [UInt8]) {
    client.withLock { $0 = descriptor }
    let thread = try? SystemThread {
      SystemThread.holdBackSignals()
      self.copy(descriptor, said)
    }
    thread?.detach()
  }

  /// Ends it soon. Any thread may call this.
  func stop() {
    client.withLock { if let descriptor = $0 { Socket.shut(descriptor) } }
    Socket.shut(server.descriptor)
  }

  private func copy(_ client: Int32, _ said: [UInt8]) {
    var up = Flow(from: client, to: isTunnel ? server.descriptor : nil)
    var down = Flow(from: server.descriptor, to: client)
    if isTunnel { up.waiting = said[...] }
    var end = ContinuousClock.now + Self.idleMax
    while !(up.isOver && down.isOver) {
      let left = (end - .now).nanoseconds
      guard left > 0 else { return }
      let ready = Readiness.wait(
        for: [up.reads, down.reads, up.writes, down.writes], writes: [2, 3],
        milliseconds: Int32(clamping: (left + 999_999) / 1_000_000))
      let wasOver = down.isOver
      guard up.goOn(ready.contains(0), ready.contains(2)),
        down.goOn(ready.contains(1), ready.contains(3))
      else {
        for descriptor in [client, server.descriptor] { Socket.resetOnClose(descriptor) }
        return
      }
      if !isTunnel, down.isOver {
        if !wasOver { end = .now + Self.drainMax }
      } else if !ready.isEmpty {
        end = .now + (up.hasEnded || down.hasEnded ? Self.halfIdleMax : Self.idleMax)
      }
    }
  }
}

extension Passage: Hashable {
  static func == (left: Passage, right: Passage) -> Bool { left === right }

  func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

/// One way of a passage.
private struct Flow {
  private static let byteCountMax = 64 << 10

  let source: Int32
  /// `nil` where all is discarded.
  let target: Int32?
  var waiting: ArraySlice<UInt8> = []
  private(set) var hasEnded = false
  private(set) var isOver = false
  private var buffer = [UInt8](repeating: 0, count: byteCountMax)

  init(from source: Int32, to target: Int32?) { (self.source, self.target) = (source, target) }

  /// The descriptor to wait for, negative for none.
  var reads: Int32 { hasEnded || !waiting.isEmpty ? -1 : source }
  var writes: Int32 { waiting.isEmpty ? -1 : target ?? -1 }

  /// Fails when one of the sides is gone.
  mutating func goOn(_ mayRead: Bool, _ mayWrite: Bool) -> Bool {
    if mayRead {
      // SAFETY: the kernel writes no more than there is room for, and says how much that is.
      switch buffer.withUnsafeMutableBytes({ Socket.receive(source, into: $0) }) {
      case .bytes(let count): if target != nil { waiting = buffer[..<count] }
      case .nothingYet: break
      case .end: hasEnded = true
      case .failure: return false
      }
    }
    if let target, !waiting.isEmpty, mayRead || mayWrite {
      // SAFETY: the kernel only reads these bytes.
      guard let count = waiting.withUnsafeBytes({ Socket.send(target, $0) }) else { return false }
      waiting = waiting.dropFirst(count)
      // The buffer is not copied when it is alone.
      if waiting.isEmpty { waiting = [] }
    }
    if hasEnded, waiting.isEmpty, !isOver {
      isOver = true
      if let target { Socket.shutWriting(target) }
    }
    return true
  }
}

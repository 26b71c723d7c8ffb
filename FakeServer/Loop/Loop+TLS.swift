import UnderstudyCore
import UnderstudyHTTP
import UnderstudySystem
import UnderstudyTLS

// Whoever uses a session passes on all that it has to send before the next one is used: all
// sessions of a loop share their buffers.
extension Loop {
  /// The first byte of a client that begins TLS: its handshake's type of record.
  private static let handshakeRecord: UInt8 = 22

  /// Begins TLS if the client does.
  mutating func mayBeginTLS(_ slot: Int, _ arrived: UnsafeRawBufferPointer) {
    let connection = connections[slot]
    connection.pointee.mayBeginTLS = false
    let listener = connection.pointee.listener
    guard arrived.first == Self.handshakeRecord, let context = listener.tls else { return }
    do throws(Failure) {
      let shared = if let tlsBuffers { tlsBuffers } else { try TLSBuffers(context) }
      tlsBuffers = shared
      connection.pointee.tls = try TLSSession(
        context, shared, connection.pointee.tunnel ?? listener.handler,
        descriptor: connection.pointee.descriptor,
        number: listener.handler.handshakeNumber(in: connection.pointee.tunnel))
      expectMore(slot)
    } catch {
      // Only for lack of memory: what arrived is then refused as HTTP.
      return
    }
  }

  /// Handles what arrived on an encrypted connection.
  mutating func decrypt(_ slot: Int, _ arrived: UnsafeRawBufferPointer) {
    let connection = connections[slot]
    guard let session = connection.pointee.tls else { return }
    let wasHandshaking = session.state == .handshaking
    let plain = session.receive(arrived)
    passOutput(slot)
    guard connections.find(slot) != nil else { return }
    if wasHandshaking, session.state == .open {
      connection.pointee.isRequestUnderWay = false
      connection.pointee.since = now
      setDeadline(slot, after: connection.pointee.listener.limits.idle)
    }
    // SAFETY: what is not handled at once is copied, before anything else is decrypted.
    if plain.count > 0 { take(slot, plain) }
    settle(slot)
    guard connections.find(slot)?.pointee.tls === session else { return }
    switch session.state {
    case .failed(let reason) where wasHandshaking: endHandshake(slot, because: reason)
    case .failed: clientLeft(slot)
    case .ended, .handshaking, .open: break
    }
  }

  /// Closes the idle encrypted connections of a listener whose clients have to begin anew. The
  /// next response is the last of others.
  mutating func closeIdleTLS(of number: Int) {
    for slot in connections.slots
    where connections[slot].pointee.listener === listeners[number] && mustBeginAnew(slot) {
      // A request that has arrived by now gets its response.
      if connections[slot].pointee.phase == .reading { readable(slot) }
      if connections.find(slot)?.pointee.isIdle ?? false { drop(slot) }
    }
  }

  /// Whether the client of a connection has to begin anew because its handshake would break now.
  func mustBeginAnew(_ slot: Int) -> Bool {
    let connection = connections[slot]
    guard let session = connection.pointee.tls, session.state != .handshaking else { return false }
    let (handler, tunnel) = (connection.pointee.listener.handler, connection.pointee.tunnel)
    let number = handler.handshakeNumber(in: tunnel)
    guard session.number != number else { return false }
    if handler.breaksHandshake(for: session.serverName, in: tunnel) { return true }
    session.number = number
    return false
  }

  /// Ends an encrypted connection on which nothing is left to do, if its client says nothing more
  /// or has to begin anew. Returns whether it did.
  mutating func hasEndedTLS(_ slot: Int) -> Bool {
    let connection = connections[slot]
    if connection.pointee.tls?.state == .ended {
      endInTurn(slot)
      return true
    }
    guard connection.pointee.isIdle, mustBeginAnew(slot) else { return false }
    drop(slot)
    return true
  }

  /// Ends a connection that did not become encrypted, once the client knows why.
  ///
  /// - Parameter reason: `nil` where the handler has broken the handshake itself.
  mutating func endHandshake(_ slot: Int, because reason: String?) {
    let connection = connections[slot]
    if let reason {
      connection.pointee.listener.handler.handshakeFailed(
        reason, serverName: connection.pointee.tls?.serverName)
    }
    endInTurn(slot)
  }

  /// Ends a connection as after its last response: the client may still send TLS's own messages.
  private mutating func endInTurn(_ slot: Int) {
    _ = connections[slot].pointee.conversation.responded(isLast: true)
    beginDraining(slot)
    settle(slot)
  }

  mutating func encrypt(_ slot: Int, _ bytes: UnsafeRawBufferPointer) {
    guard let session = connections[slot].pointee.tls else { return }
    var start = 0
    while start < bytes.count {
      let count = session.encrypt(UnsafeRawBufferPointer(rebasing: bytes[start...]))
      passOutput(slot)
      guard count > 0 else { return clientLeft(slot) }
      start += count
    }
  }

  /// Tells the client that nothing more is sent.
  mutating func announceEnd(_ slot: Int) {
    connections[slot].pointee.tls?.announceEnd()
    passOutput(slot)
  }

  private mutating func passOutput(_ slot: Int) {
    while let bytes = tlsBuffers?.takeOutput() { pass(slot, bytes) }
  }

  /// Announces the end of a connection that is dropped, unless a response is cut off by that.
  mutating func leaveTLS(_ slot: Int) {
    let connection = connections[slot]
    guard let session = connection.pointee.tls, connection.pointee.pending == nil,
      connection.pointee.output.isEmpty, connection.pointee.phase != .resetting
    else { return }
    session.announceEnd()
    // A client that has left does not mind.
    while let bytes = tlsBuffers?.takeOutput() {
      _ = Socket.send(connection.pointee.descriptor, bytes)
    }
  }
}

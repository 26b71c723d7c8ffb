import UnderstudyHTTP
import UnderstudySystem
import UnderstudyTLS

extension Loop {
  /// The limit for pipelined responses to a client that may not be reading.
  private static let repliesByteCountMax = 256 << 10

  /// Reads input and handles every complete request.
  mutating func readable(_ slot: Int) {
    let connection = connections[slot]
    switch connection.pointee.phase {
    case .responding, .resetting: break
    case .draining: drain(slot)
    case .reading where connection.pointee.isReady:
      // Pipelined input comes first: the end of input must not end it.
      break
    case .reading:
      let descriptor = connection.pointee.descriptor
      let count: Int
      switch Socket.receive(descriptor, into: arrivals) {
      case .bytes(let byteCount): count = byteCount
      case .nothingYet: return
      case .end: return inputEnded(slot)
      case .failure: return drop(slot)
      }
      // SAFETY: the kernel wrote `count` bytes; the rest is copied before the next read.
      let arrived = UnsafeRawBufferPointer(rebasing: arrivals[..<count])
      if connection.pointee.mayBeginTLS { mayBeginTLS(slot, arrived) }
      if connection.pointee.tls != nil { return decrypt(slot, arrived) }
      take(slot, arrived)
      settle(slot)
    }
  }

  /// Handles what a client said.
  mutating func take(_ slot: Int, _ arrived: UnsafeRawBufferPointer) {
    let connection = connections[slot]
    if connection.pointee.input.isEmpty {
      let taken = process(slot, arrived)
      keepRest(slot, UnsafeRawBufferPointer(rebasing: arrived[taken...]))
    } else {
      connection.pointee.input.append(arrived)
      processInput(slot)
    }
  }

  /// Continues with requests that were sent during a response.
  mutating func processInput(_ slot: Int) {
    guard let connection = connections.find(slot) else { return }
    let taken = process(slot, connection.pointee.input.bytes)
    connections.find(slot)?.pointee.input.consume(taken)
  }

  private mutating func keepRest(_ slot: Int, _ rest: UnsafeRawBufferPointer) {
    guard rest.count > 0, let connection = connections.find(slot),
      connection.pointee.phase != .draining
    else { return }
    connection.pointee.input.append(rest)
  }

  /// Responds to the complete requests in these bytes in order, until a response takes time or too
  /// many responses are queued. Returns how many bytes are consumed.
  private mutating func process(_ slot: Int, _ bytes: UnsafeRawBufferPointer) -> Int {
    var offset = 0
    guard let listener = connections.find(slot)?.pointee.listener else { return 0 }
    while let connection = connections.find(slot), connection.pointee.phase == .reading,
      replies.count < Self.repliesByteCountMax
    {
      let start = offset
      switch connection.pointee.conversation.receive(bytes, from: &offset, into: &listener.head) {
      case .wait:
        if offset < bytes.count || connection.pointee.request != nil { expectMore(slot) }
        takeRoom(slot)
        return offset
      case .readBody(let sendsContinue):
        connection.pointee.request = PartialRequest(
          head: UnsafeRawBufferPointer(rebasing: bytes[start..<offset]))
        if sendsContinue { replies.append("HTTP/1.1 100 Continue\r\n\r\n") }
      case .keep(let range):
        if connection.pointee.request?.keep(bytes[range]) == false { refuseForMemory(slot) }
      case .response:
        if let request = connection.pointee.request {
          connection.pointee.request = nil
          guard request.canBeServed else {
            refuseForMemory(slot)
            continue
          }
          respond(slot, of: listener, request)
        } else {
          let headBytes = UnsafeRawBufferPointer(rebasing: bytes[start..<offset])
          respond(slot, of: listener, headBytes, body: UnsafeRawBufferPointer(start: nil, count: 0))
          // A client may not speak before it knows that it is connected.
          if offset < bytes.count, connections.find(slot)?.pointee.mayBeginTLS == true {
            drop(slot)
          }
        }
      case .refuse(let refusal): refuse(slot, refusal)
      case .readHead: continue
      case .drain:
        beginDraining(slot)
        return bytes.count
      case .close:
        connection.pointee.closesOnceSent = true
        return bytes.count
      }
    }
    return offset
  }

  private mutating func respond(_ slot: Int, of listener: Listener, _ request: PartialRequest) {
    request.head.withUnsafeBytes { headBytes in
      request.body.withUnsafeBytes { body in
        // Another connection's head may have been parsed since; this one was complete and valid.
        var scanned = 0
        _ = listener.head.parse(headBytes, scanned: &scanned)
        respond(slot, of: listener, headBytes, body: body)
      }
    }
  }

  private mutating func refuseForMemory(_ slot: Int) {
    connections[slot].pointee.request = nil
    _ = connections[slot].pointee.conversation.refuse(.noMemoryForBody)
    refuse(slot, .noMemoryForBody)
  }

  /// Records when an incomplete request or handshake began, so that it times out.
  mutating func expectMore(_ slot: Int) {
    let connection = connections[slot]
    guard !connection.pointee.isRequestUnderWay else { return }
    connection.pointee.isRequestUnderWay = true
    connection.pointee.since = now
    setDeadline(slot, after: connection.pointee.listener.limits.request)
  }

  /// Counts received bytes of an incomplete body; reading pauses while there is no room.
  private mutating func takeRoom(_ slot: Int) {
    let connection = connections[slot]
    guard let byteCount = connection.pointee.request?.body.count else { return }
    let room = connection.pointee.listener.bodyRoom
    let share = connection.pointee.request?.share ?? BodyShare(of: room)
    let token = connections.token(of: slot)
    let mayGoOn = share.grow(to: byteCount) { [handle] in
      handle.post { $0.roomIsFree(token, in: room) }
    }
    connection.pointee.request?.share = share
    connection.pointee.request?.waitsForRoom = !mayGoOn
  }

  private mutating func roomIsFree(_ token: UInt64, in room: BodyRoom) {
    if let slot = connections.slot(of: token),
      connections[slot].pointee.request?.waitsForRoom == true
    {
      takeRoom(slot)
      watch(slot)
    }
    room.wakeNext()
  }

  private mutating func inputEnded(_ slot: Int) {
    // An incomplete request, or none: there is nothing to respond, and nobody to tell of the end.
    guard connections[slot].pointee.conversation.inputEnded() == .close else { return }
    connections[slot].pointee.tls?.endSilently()
    drop(slot)
  }

  /// During a response, only the client's end matters, not its input.
  mutating func noticeClient(_ slot: Int, hasFailed: Bool) {
    let connection = connections[slot]
    let pending = connection.pointee.pending
    let isWaiting = pending?.isStalled ?? false || pending?.isIdle ?? false
    // It may have shut only its own side and still listen, unless there is nothing to send.
    if hasFailed || connection.pointee.hasHungUp && isWaiting {
      clientLeft(slot)
    } else {
      watch(slot)
    }
  }

  /// After the last response: once it is sent, writing is shut.
  mutating func beginDraining(_ slot: Int) {
    let connection = connections[slot]
    connection.pointee.phase = .draining
    connection.pointee.input.removeAll()
    connection.pointee.request = nil
  }

  mutating func shutWriting(_ slot: Int) {
    let connection = connections[slot]
    if connection.pointee.tls != nil {
      announceEnd(slot)
      guard let connection = connections.find(slot) else { return }
      guard connection.pointee.output.isEmpty else { return waitForRoom(slot) }
    }
    Socket.shutWriting(connection.pointee.descriptor)
    connection.pointee.since = now
    setDeadline(slot, after: connection.pointee.listener.limits.drain)
    watch(slot)
    drain(slot)
  }

  private mutating func drain(_ slot: Int) {
    guard let connection = connections.find(slot) else { return }
    let listener = connection.pointee.listener
    let count: Int
    switch Socket.receive(connection.pointee.descriptor, into: arrivals) {
    case .bytes(let byteCount): count = byteCount
    case .nothingYet: return
    case .end, .failure: return drop(slot)
    }
    var offset = 0
    let bytes = UnsafeRawBufferPointer(rebasing: arrivals[..<count])
    let action = connection.pointee.conversation.receive(bytes, from: &offset, into: &listener.head)
    if action != .wait { drop(slot) }
  }
}

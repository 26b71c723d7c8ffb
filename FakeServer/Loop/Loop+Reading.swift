import UnderstudyHTTP
import UnderstudySystem

extension Loop {
  /// Answers to requests sent ahead are not piled up beyond this for a client that may not read.
  private static let repliesByteCountMax = 256 << 10

  /// Takes what has arrived and deals with every request that is complete.
  mutating func readable(_ slot: Int) {
    let connection = connections[slot]
    switch connection.pointee.phase {
    case .answering, .resetting: break
    case .draining: drain(slot)
    case .reading where connection.pointee.isReady:
      // What was sent ahead comes first: the end of it must not be taken for the end of all.
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
      // SAFETY: the kernel wrote `count` bytes; what is left of them is copied before the next read.
      let arrived = UnsafeRawBufferPointer(rebasing: arrivals[..<count])
      if connection.pointee.input.isEmpty {
        let taken = process(slot, arrived)
        keepRest(slot, UnsafeRawBufferPointer(rebasing: arrived[taken...]))
      } else {
        connection.pointee.input.append(arrived)
        processInput(slot)
      }
      settle(slot)
    }
  }

  /// Goes on with requests that were sent ahead of an answer.
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

  /// Answers the requests in these bytes, one after the other, as far as they are complete, no
  /// answer takes time and the answers are not too many. Returns how many bytes are done with.
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
        connection.pointee.request?.body += bytes[range]
      case .answer:
        if let request = connection.pointee.request {
          connection.pointee.request = nil
          answer(slot, of: listener, request)
        } else {
          let headBytes = UnsafeRawBufferPointer(rebasing: bytes[start..<offset])
          answer(slot, of: listener, headBytes, body: UnsafeRawBufferPointer(start: nil, count: 0))
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

  private mutating func answer(_ slot: Int, of listener: Listener, _ request: PartialRequest) {
    request.head.withUnsafeBytes { headBytes in
      request.body.withUnsafeBytes { body in
        // Another connection's head may have been parsed since; this one was complete and good.
        var scanned = 0
        _ = listener.head.parse(headBytes, scanned: &scanned)
        answer(slot, of: listener, headBytes, body: body)
      }
    }
  }

  /// Notes when a request began that is not complete, so that it cannot take for ever.
  private mutating func expectMore(_ slot: Int) {
    let connection = connections[slot]
    guard !connection.pointee.isRequestUnderWay else { return }
    connection.pointee.isRequestUnderWay = true
    connection.pointee.since = now
    setDeadline(slot, after: connection.pointee.listener.limits.request)
  }

  /// Counts what has come of a body that is not complete; nothing is read while there is no room.
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
    // A request that stops in the middle, or nothing at all: there is nobody to answer.
    if connections[slot].pointee.conversation.inputEnded() == .close { drop(slot) }
  }

  /// While an answer is under way only the client's end matters, not what it sends.
  mutating func noticeClient(_ slot: Int, hasFailed: Bool) {
    let connection = connections[slot]
    let isStalled = connection.pointee.pending?.isStalled ?? false
    // It may have shut only its own side and still listen, unless nothing will ever be said.
    if hasFailed || connection.pointee.hasHungUp && isStalled {
      clientLeft(slot)
    } else {
      watch(slot)
    }
  }

  /// The last answer is written; once it is sent, writing is shut.
  mutating func beginDraining(_ slot: Int) {
    let connection = connections[slot]
    connection.pointee.phase = .draining
    connection.pointee.input.removeAll()
    connection.pointee.request = nil
  }

  mutating func shutWriting(_ slot: Int) {
    let connection = connections[slot]
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

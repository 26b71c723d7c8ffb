import UnderstudyContractModel
import UnderstudyCore
import UnderstudyHTTP

/// The short path for most requests, which reads only what the contract asks about. Special cases
/// take the long path, which gives the same response.
///
/// It is worth its lines: a request costs 8.0 µs of CPU instead of 18.4, a pipelined one 1.1
/// instead of 6.8 (`ci/bench server`, one thread).
extension PortServer {
  /// Responds to an HTTP/1.1 request on a kept connection that leads to a contract and wishes for
  /// no case; `nil` for others.
  func responseAtOnce(
    _ arrival: Arrival, _ head: borrowing RequestHead, into output: inout ByteBuffer
  ) -> Reply? {
    guard isPlain, !arrival.isLast, head.minorVersion == 1, head.keepsAlive, !head.path.isEmpty,
      head.value(of: "prefer", in: arrival.head) == nil
    else { return nil }
    // SAFETY: the parts of a path begin and end within it.
    let path = arrival.bytes(head.path)
    guard let start = Self.sessionEnd(path) else { return nil }
    // `/__understudy` belongs to the server, even if a contract has the path.
    guard
      path.count < start + 3 || path[start + 1] != UInt8(ascii: "_")
        || path[start + 2] != UInt8(ascii: "_")
    else { return nil }
    var named: Session?
    if start > 0 {
      let session = core.session(named: String(decoding: path[2..<start], as: UTF8.self))
      guard session.stubs.isEmpty, session.modes.isEmpty, core.recordings.isEmpty else {
        return nil
      }
      named = session
    }
    let top = currentLayer
    guard !top.isSteered else { return nil }
    // A name in one layer precedes a host in another.
    let readsHosts = top.below == nil
    var fields: ArrivedRequest?
    var needsSession = false
    let match = top.first(
      where: { current in
        current.index.find(
          method: arrival.bytes(head.method),
          path: UnsafeRawBufferPointer(rebasing: path[start...]), in: current.upstream,
          hiding: current.layer.hidden,
          host: { readsHosts ? arrival.text(head.authority) : nil },
          parts: { offset in
            let made = fields ?? ArrivedRequest(arrival, head, pathFrom: start + offset)
            fields = made
            return made
          },
          // Whether one without a default case responds takes a session.
          serves: { _, _ in
            needsSession = true
            return true
          })
      }, candidate: { $1.layer.library.index.candidates[$0.number] })
    guard let (found, current) = match, !needsSession else { return nil }
    if start == 0, !mainSession.isSteered, !found.mayServeLiveCase,
      writeReadyResponse(of: found.contractNumber, arrival, head, current, into: &output)
    {
      return .written(keepsConnection: true)
    }
    let session = named ?? mainSession
    var incoming = IncomingRequest(
      arrival, head, session: session,
      context: ServingContext(arrival, head, at: moment, namesCase: namesCases))
    let candidate = current.layer.library.index.candidates[found.number]
    // A held response may need the request after its bytes are gone.
    guard session.hold(for: candidate.contract.id) == nil else { return nil }
    let facts = RequestFacts(
      fields ?? ArrivedRequest(arrival, head, pathFrom: start + found.pathOffset),
      candidate, at: incoming.context.now, mayServeLiveCase: found.mayServeLiveCase,
      baseURL: baseURL(for: arrival, at: origin(of: arrival, head), session, top.layer))
    do throws(ChoiceError) {
      guard let choice = try session.choose(candidate.contract, nil, for: facts) else {
        return nil
      }
      if choice.reason == .script { beginAnew(after: &incoming, by: candidate.contract) }
      return serve(choice, of: candidate, facts, incoming, in: current, into: &output)
    } catch {
      return write(.unchosen(error), to: incoming, into: &output)
    }
  }

  /// The end of the session in a path, zero without one; `nil` where it cannot be read from bytes.
  private static func sessionEnd(_ path: UnsafeRawBufferPointer) -> Int? {
    guard path.count > 1 else { return 0 }
    // The tilde may be encoded.
    if path[1] == UInt8(ascii: "%") { return nil }
    guard path[1] == UInt8(ascii: "~") else { return 0 }
    let end = path[2...].firstIndex(of: .slash) ?? path.endIndex
    guard end < path.endIndex, end > 2, !path[2..<end].contains(UInt8(ascii: "%")) else {
      return nil
    }
    return end
  }

  /// Writes a response that needs only a date, if the contract has no other for now.
  @inline(__always)
  private func writeReadyResponse(
    of contractNumber: Int, _ arrival: Arrival, _ head: borrowing RequestHead,
    _ current: CurrentLayer, into output: inout ByteBuffer
  ) -> Bool {
    let start = output.count
    let written = current.library.ready.append(
      contractNumber, to: &output, isHead: head.isHead, namesCase: namesCases, at: moment)
    guard let written else { return false }
    var record = JournalRecord(
      sequence: core.nextSequence(), receivedAt: arrival.receivedAt, mark: mainSession.mark)
    record.isSecure = arrival.isSecure
    record.servedNumber = current.servedNumber(ofCase: written.caseNumber)
    record.status = Int(written.status)
    record.sentByteCount = output.count - start
    record.reason = .byDefault
    finish(record, arrival, head.method, head.target)
    return true
  }
}

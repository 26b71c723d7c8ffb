import UnderstudyContractModel
import UnderstudyHTTP

/// The short way of most requests: what is found and written here needs no text and no memory of
/// its own. Whatever is special takes the long way, which gives the same answer.
extension Seat {
  func answer(
    _ arrival: Arrival, _ head: borrowing RequestHead, into output: inout ByteBuffer
  ) -> Reply {
    var bytes: [UInt8] = []
    let reply = answer(arrival, head, into: &bytes)
    output.append(bytes)
    return reply
  }

  func refuse(
    _ refusal: Refusal, _ moment: Moment, at receivedAt: Int64, into output: inout ByteBuffer
  ) {
    var bytes: [UInt8] = []
    refuse(refusal, moment, at: receivedAt, into: &bytes)
    output.append(bytes)
  }

  func refuseClient(_ moment: Moment, at receivedAt: Int64, into output: inout ByteBuffer) {
    var bytes: [UInt8] = []
    refuseClient(moment, at: receivedAt, into: &bytes)
    output.append(bytes)
  }

  /// Whether the request is answered: it came in HTTP/1.1, on a connection that goes on, without a
  /// session in its path, and to a contract whose first case is ready and nothing asks for another.
  func answerAtOnce(
    _ arrival: Arrival, _ head: borrowing RequestHead, into output: inout ByteBuffer
  ) -> Bool {
    guard isPlain, !isRetiring, head.minorVersion == 1, head.keepsAlive, !head.path.isEmpty,
      !mainSession.isSteered,
      head.value(of: "prefer", in: arrival.head) == nil
    else { return false }
    let path = arrival.bytes(head.path)
    // A session, its tilde encoded or not, comes off the path before anything is found by it.
    if path.count > 1, path[1] == UInt8(ascii: "~") || path[1] == UInt8(ascii: "%") { return false }
    // `/__understudy` is the server's own, whatever a contract claims.
    guard path.count < 3 || path[1] != UInt8(ascii: "_") || path[2] != UInt8(ascii: "_") else {
      return false
    }
    let repertoire = currentRepertoire
    let found = repertoire.index.use { index in
      index.find(
        method: arrival.bytes(head.method), path: path,
        host: { arrival.text(head.authority) },
        parts: { offset in
          var request = Request(arrival, head)
          request.path =
            offset < path.count ? String(decoding: path[offset...], as: UTF8.self) : "/"
          return RequestParts(request)
        })
    }
    guard let found, !found.mayPlayLiveCase else { return false }
    let number = found.contractNumber
    let start = output.count
    let status = repertoire.library.use { library in
      library.ready.append(
        number, to: &output, isHead: head.isHead, namesCase: namesCases, at: arrival.moment)
    }
    guard let status else { return false }
    var record = JournalRing.Record()
    record.sequence = core.nextSequence()
    record.receivedAt = arrival.receivedAt
    let label = repertoire.labels[number]
    record.label = label >= 0 ? label : makeLabel(found, in: repertoire)
    record.status = status
    record.sentByteCount = UInt64(output.count - start)
    record.outcome = .answered
    record.reason = .byDefault
    journalize(record, arrival, mainSession)
    if reporter != nil {
      let contract = repertoire.contract(of: found)
      let source = Exchange.Source.played(
        contractID: contract.id, caseName: contract.defaultCase.name)
      reporter?.add(exchange(arrival, head, record, source))
    }
    return true
  }

  /// Of the contracts that are in force now.
  @inline(__always)
  private var currentRepertoire: Repertoire {
    if core.libraryNumber != repertoire.number { repertoire = Repertoire(of: core) }
    return repertoire
  }

  @inline(never)
  private func makeLabel(_ found: RequestIndex.Match, in repertoire: Repertoire) -> Int32 {
    let contract = repertoire.contract(of: found)
    let label = labels.number(
      of: Played(contract: contract.id, caseName: contract.defaultCase.name))
    repertoire.labels[found.contractNumber] = label
    return label
  }
}

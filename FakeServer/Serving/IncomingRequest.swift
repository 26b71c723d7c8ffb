import UnderstudyContractModel
import UnderstudyCore
import UnderstudyHTTP

/// A request while it is answered: what came, whose it is and what is found out about it.
struct IncomingRequest {
  let arrival: Arrival
  /// What it is answered by, whatever comes to be in force meanwhile.
  let library: PlayableLibrary
  let session: Session
  /// Without its session. With the upstream's name, even if its port stands for that.
  let request: Request
  /// `nil` for one that is to no upstream.
  let route: RequestIndex.Route?
  /// As it was sent.
  let target: String
  /// Host and port by which the client has reached the server.
  let authority: String
  /// Whether the page that asks may read the answer.
  let isOpen: Bool
  var context: PlayContext

  /// The answer to a browser that asks beforehand whether a page may send a request.
  var preflight: OwnAnswer? { isOpen ? CrossOrigin.preflight(request) : nil }
}

extension PlayContext {
  init(_ arrival: Arrival, _ head: borrowing RequestHead, at moment: AnswerTime, namesCase: Bool) {
    let isHTTP10 = head.minorVersion == 0
    self.init(
      isHead: head.isHead, clientVersion: isHTTP10 ? .http10 : .http11,
      wish: !head.keepsAlive || arrival.isLast ? .close : isHTTP10 ? .keepAlive : .unsaid,
      namesCase: namesCase, now: moment)
  }
}

extension JournalRing.Record {
  init(sequence: UInt64, receivedAt: Moment, session: Session) {
    self.init()
    self.sequence = sequence
    self.receivedAt = receivedAt
    sessionMark = session.mark
  }
}

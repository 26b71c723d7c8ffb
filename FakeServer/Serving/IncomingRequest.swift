import UnderstudyContractModel
import UnderstudyCore
import UnderstudyHTTP

/// A request being served.
struct IncomingRequest {
  let arrival: Arrival
  let method: ByteRange
  /// As sent, including session and query.
  let target: ByteRange
  let session: Session
  var context: ServingContext

  init(
    _ arrival: Arrival, _ head: borrowing RequestHead, session: Session, context: ServingContext
  ) {
    self.arrival = arrival
    method = head.method
    target = head.target
    self.session = session
    self.context = context
  }
}

/// A request read in full, and where it leads.
struct RoutedRequest {
  var incoming: IncomingRequest
  /// The contracts that respond to it, even if they are replaced meanwhile.
  let top: CurrentLayer
  /// Without its session, and with the upstream's name even if its port implies that.
  let request: Request
  /// `nil` for a request without an upstream.
  let route: RequestIndex.Route?
  /// How the client reached the server.
  let origin: Origin
  /// Whether the requesting page may read the response.
  let isOpen: Bool

  /// The response to a CORS preflight.
  var preflight: OwnResponse? { isOpen ? CrossOrigin.preflight(request) : nil }
}

extension ServingContext {
  init(_ arrival: Arrival, _ head: borrowing RequestHead, at moment: ResponseTime, namesCase: Bool)
  {
    let isHTTP10 = head.minorVersion == 0
    self.init(
      isHead: head.isHead, clientVersion: isHTTP10 ? .http10 : .http11,
      wish: !head.keepsAlive || arrival.isLast ? .close : isHTTP10 ? .keepAlive : .unsaid,
      namesCase: namesCase, now: moment)
  }
}

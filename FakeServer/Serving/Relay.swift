package import ContractModel
import HTTP

/// Lets the requests to some upstreams be answered by others, such as their live APIs.
package struct Relay: Sendable {
  /// The path of each upstream's base URL, by the upstream's name.
  package let basePaths: [String: String]
  /// Whether requests are passed on that a contract answers.
  package let takesAll: Bool
  /// Called on the loop's thread, which serves nobody meanwhile: it must only hand on. The answer is
  /// given later, from any thread. What it returns is let go of when it is there, or the client has
  /// left.
  package let ask: Ask

  package typealias Ask =
    @Sendable (RelayedRequest, _ then: @escaping Then) -> (any AnyObject & Sendable)?
  package typealias Then = @Sendable (RelayedAnswer) -> Void

  package init(
    basePaths: [String: String], takesAll: Bool, ask: @escaping Ask
  ) {
    self.basePaths = basePaths
    self.takesAll = takesAll
    self.ask = ask
  }

  /// The request as the upstream would get it; `nil` when it is for none of them. `route` is where
  /// it goes by the contracts: an upstream need not have any.
  func request(_ request: Request, _ route: RequestIndex.Route?) -> RelayedRequest? {
    if let route {
      return basePaths[route.upstream.name] == nil
        ? nil : RelayedRequest(upstreamName: route.upstream.name, request: route.request)
    }
    let name = String(request.path.dropFirst().prefix { $0 != "/" })
    guard let basePath = basePaths[name] else { return nil }
    let path = request.path.dropFirst(1 + name.count)
    guard path == basePath || path.hasPrefix("\(basePath)/") else { return nil }
    var relative = request
    let rest = path.dropFirst(basePath.count)
    relative.path = rest.isEmpty ? "/" : String(rest)
    return RelayedRequest(upstreamName: name, request: relative)
  }
}

/// A request on its way to an upstream.
package struct RelayedRequest: Sendable {
  package let upstreamName: String
  /// Its path is relative to the base URL.
  package let request: Request
}

/// What a client is to get in answer.
package struct RelayedAnswer: Sendable {
  package let status: Int
  /// Without those of the connection, of the body's length, and the date.
  package let headers: [HeaderField]
  package let body: [UInt8]
  /// What the upstream said of the body's length, for answers that have none.
  package let contentLength: Int?

  package init(
    status: Int, headers: [HeaderField], body: [UInt8], contentLength: Int? = nil
  ) {
    self.status = status
    self.headers = headers
    self.body = body
    self.contentLength = contentLength
  }

  func script(for context: PlayContext) -> WireScript {
    let lines = headers.map { "\($0.name): \($0.value)\r\n" }.joined()
    let mayHaveBody = status != 204 && status != 304
    var answer = OwnAnswer(status: status, headerLines: lines, body: mayHaveBody ? body : [])
    if context.isHead || status == 304 {
      answer.framing = contentLength.map(AnswerFraming.length) ?? AnswerFraming.none
    }
    return answer.script(for: context)
  }
}

extension Seat {
  /// Passes a request on, and its answer to the client when it is there; `nil` when it is to be
  /// answered here.
  func relay(
    _ request: Request, _ route: RequestIndex.Route?, _ session: Session, _ arrival: Arrival,
    _ head: borrowing RequestHead, _ context: PlayContext
  ) -> Reply? {
    guard let relay = core.configuration.relay, let relayed = relay.request(request, route) else {
      return nil
    }
    var record = JournalRing.Record()
    record.sequence = core.nextSequence()
    record.receivedAt = arrival.receivedAt
    let slot = journalize(record, arrival, session)
    let source = Exchange.Source.server("answered by \(relayed.upstreamName) itself")
    reporter?.begin(exchange(arrival, head, record, source), slot)
    return .later(mark: Player.Mark(slot: slot, session: session.name)) { ticket in
      relay.ask(relayed) { answer in
        ticket.release(answer.script(for: context), status: answer.status)
      }
    }
  }
}

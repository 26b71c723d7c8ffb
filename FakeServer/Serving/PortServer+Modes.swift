import UnderstudyContractModel
import UnderstudyCore

extension PortServer {
  /// Responds to a request as its mode says; `nil` where contracts respond to it.
  func responseByMode(_ routed: RoutedRequest, into output: inout ByteBuffer) -> Reply? {
    let session = routed.incoming.session
    guard !session.modes.isEmpty || !mainSession.modes.isEmpty else { return nil }
    let (name, inner) = routed.request.behindName
    let named = routed.top.layer.upstream(named: name)
    guard let upstream = named ?? routed.route?.upstream else {
      return core.mode(of: .server, for: session) == .off
        ? reset(routed, because: "the server is off") : nil
    }
    let contract =
      core.distinguishesContracts(of: upstream.name, for: session) ? contract(for: routed) : nil
    let place = contract.map { ModePlace.contract($0.name, of: upstream.name) }
    switch core.mode(of: place ?? .upstream(upstream.name), for: session) {
    case .fake: return nil
    case .off: return reset(routed, because: "\(contract?.id ?? upstream.name) is off")
    case .live:
      if routed.preflight != nil { return nil }
      let relative =
        named == nil ? routed.route?.request : inner.relative(to: upstream.basePath)
      return relative.map { passOn($0, to: upstream, routed, into: &output) }
    }
  }

  /// The contract that would respond.
  private func contract(for routed: RoutedRequest) -> Contract? {
    guard let route = routed.route else { return nil }
    let parts = RequestParts(route.request, at: routed.incoming.arrival.receivedAt)
    let preference = Preference(parts.headerValues("prefer"))
    return match(parts, routed, route, preference)?.0.contract
  }

  /// The contract that responds to a request, and its layer.
  func match(
    _ parts: RequestParts, _ routed: RoutedRequest, _ route: RequestIndex.Route,
    _ preference: Preference?
  ) -> (RequestIndex.Candidate, CurrentLayer)? {
    let (session, moment) = (routed.incoming.session, routed.incoming.context.now)
    let baseURL = baseURL(
      for: routed.incoming.arrival, at: routed.origin, session, routed.top.layer)
    return routed.top.match(parts, in: route.upstream) { candidate, fields in
      preference != nil
        || session.serves(
          candidate.contract,
          for: RequestFacts(fields, candidate, at: moment, baseURL: baseURL))
    }
  }

  /// Resets the connection without a response.
  private func reset(_ routed: RoutedRequest, because words: String) -> Reply {
    var record = record(of: routed.incoming)
    record.reason = .mode
    let mark = begin(record, .mode(words), routed.incoming)
    return .script(WireScript(delayConfigured: .zero, end: .reset), mark: mark)
  }

  /// Sends a request to the live API of an upstream, and later its response to the client.
  private func passOn(
    _ request: Request, to upstream: Upstream, _ routed: RoutedRequest,
    into output: inout ByteBuffer
  ) -> Reply {
    guard let baseURL = upstream.baseURL, let ask = core.configuration.live else {
      let problem: Problem =
        upstream.baseURL == nil ? .noLiveAPI(of: [upstream.name], status: 502) : .noWayToLive
      return write(problem, to: routed.incoming, into: &output)
    }
    let relayed = RelayedRequest(upstreamName: upstream.name, baseURL: baseURL, request: request)
    return forward(relayed, of: routed, byMode: true, ask, into: &output)
  }
}

import UnderstudyContractModel
import UnderstudyCore
import UnderstudyHTTP
import UnderstudySecrets
import UnderstudySystem

extension PortServer {
  /// Finds the contract for a request, chooses its case, and writes the response or returns how to
  /// serve it.
  func responseInFull(
    _ arrival: Arrival, _ head: borrowing RequestHead, into output: inout ByteBuffer
  ) -> Reply {
    let configuration = core.configuration
    var request = Request(head: arrival.head, head, body: arrival.body)
    let sessionName = request.removeSession()
    let context = ServingContext(arrival, head, at: moment, namesCase: namesCases)
    if let api = core.apis.first(where: { $0.owns(request.path) }) {
      return administer(
        api, request, sessionName, context, isLocalClient: arrival.isFromThisMachine)
    }
    // Not for requests to an API: many may change the contracts one after the other.
    let current = currentLayer
    // An upstream's own port stands for its path prefix.
    if let upstreamName { request.path = "/\(upstreamName)\(request.path)" }
    let isOpen = configuration.opens(to: request)
    let session = core.session(named: sessionName)
    let top = session.stubs.isEmpty ? current : CurrentLayer(of: session, of: core)
    var routed = RoutedRequest(
      incoming: IncomingRequest(arrival, head, session: session, context: context), top: top,
      request: request,
      // An upstream without contracts still has its name.
      route: top.layer.route(request) { configuration.relay?.baseURLs[$0] != nil },
      authority: authority(of: arrival, head), isOpen: isOpen)
    if isOpen { routed.incoming.context.addedLines = CrossOrigin.addedLines(for: request) }
    if let reply = responseByMode(routed, into: &output) { return reply }
    if head.targetForm == .asterisk {
      return write(.methods, .server("OPTIONS *"), to: routed.incoming, into: &output)
    }
    if configuration.relay?.takesAll == true, routed.preflight == nil,
      let reply = relay(routed, into: &output)
    {
      return reply
    }
    guard let route = routed.route else { return unmatched(routed, into: &output) }
    let parts = RequestParts(route.request)
    let preference = Preference(parts.headerValues("prefer"))
    guard let (found, layer) = match(parts, routed, route, preference) else {
      return unmatched(routed, into: &output)
    }
    // A request that chooses a case wants the contract.
    if preference == nil, !session.isSteered,
      let reply = relay(routed, insteadOf: found.contract, into: &output)
    {
      return reply
    }
    let baseURL = baseURL(at: routed.authority, session, top.layer)
    let facts = RequestFacts(parts, found, at: context.now, baseURL: baseURL)
    let choice: CaseChoice
    do throws(ChoiceError) {
      guard let chosen = try session.choose(found.contract, preference, for: facts) else {
        return unmatched(routed, into: &output)
      }
      choice = chosen
    } catch {
      return write(.unchosen(error), to: routed.incoming, into: &output)
    }
    let served = found.contract.cases[choice.index]
    if isOpen {
      routed.incoming.context.addedLines = CrossOrigin.addedLines(
        for: request, beside: served.response?.headers ?? [])
    }
    let held = session.hold(for: found.contract.id).flatMap { hold in
      if let caseName = hold.caseName, caseName != served.name { return nil as HeldResponse? }
      return HeldResponse(
        hold: hold, request: route.request, candidate: found, library: layer.layer.library,
        incoming: routed.incoming, isOpen: isOpen, baseURL: baseURL, core: core)
    }
    return serve(choice, of: found, facts, routed.incoming, in: layer, heldAs: held, into: &output)
  }

  /// The host and port by which the client reached the server.
  func authority(of arrival: Arrival, _ head: borrowing RequestHead) -> String {
    // A server that listens on all addresses knows no other name of its own.
    hasManyNames && !head.authority.isEmpty ? arrival.text(head.authority) : authority
  }

  /// The base URLs by which a client reaches the upstreams, by name.
  func baseURL(
    at authority: String, _ session: Session, _ layer: Layer
  ) -> @Sendable (String) -> String? {
    { [core] name in
      layer.upstream(named: name).map {
        core.baseURL(of: $0, at: authority, session: session.name)
      }
    }
  }

  /// Serves a case of the current contracts, at once if nothing in it takes time and nobody holds
  /// it.
  func serve(
    _ choice: CaseChoice, of candidate: RequestIndex.Candidate, _ asked: RequestFacts,
    _ incoming: IncomingRequest, in current: CurrentLayer, heldAs held: HeldResponse? = nil,
    into output: inout ByteBuffer
  ) -> Reply {
    let (session, context) = (incoming.session, incoming.context)
    lazy var facts = asked.responded(by: choice)
    let library = current.layer.library
    let contractNumber = candidate.contractNumber
    guard let servable = library.servable(choice.index, ofContract: contractNumber) else {
      let name = candidate.contract.cases[choice.index].name
      return write(.unservable(candidate.contract, name), to: incoming, into: &output)
    }
    var record = record(of: incoming)
    record.reason = choice.reason
    record.servedNumber = current.servedNumber(
      ofCase: library.caseNumber(of: choice.index, ofContract: contractNumber))
    record.status = servable.status
    // Beyond the limits, it is served as if nobody held it.
    let held = held.flatMap { core.waitingResponses.makeRoom(byteCount: $0.byteCount) ? $0 : nil }
    if held == nil, servable.isImmediate(for: context) {
      let start = output.count
      let keepsConnection: Bool
      if let ready = servable.staticResponse(for: context) {
        keepsConnection = ready.append(to: &output, for: context)
      } else if !servable.drawsValues {
        var unused = ValueGenerator(seed: 0)
        let response = servable.append(to: &output, for: context, facts, using: &unused)
        (record.status, keepsConnection) = (response.status, response.keepsConnection)
      } else {
        let response = session.draw(for: servable) {
          servable.append(to: &output, for: context, facts, using: &$0)
        }
        (record.status, keepsConnection) = (response.status, response.keepsConnection)
      }
      record.sentByteCount = output.count - start
      record.outcome = .responded
      journalize(record, incoming.arrival)
      reporter?.add(
        record, method: incoming.arrival.bytes(incoming.method),
        target: incoming.arrival.bytes(incoming.target))
      return .written(keepsConnection: keepsConnection)
    }
    let script = session.draw(for: servable) {
      servable.script(for: context, facts, using: &$0)
    }
    if let status = script.status { record.status = status }
    record.delayConfiguredNanoseconds = script.delayConfigured.nanoseconds(
      scaledBy: core.configuration.timeScale)
    let source = Exchange.Source.served(
      ServedCase(contract: servable.contractID, caseName: servable.name))
    guard let held else { return .script(script, mark: begin(record, source, incoming)) }
    record.outcome = .held
    return keep(script, of: held, begin(record, source, incoming))
  }

  /// Passes the request to the admin API, which may have to ask other loops.
  private func administer(
    _ api: any ServerAPI, _ request: Request, _ sessionName: String, _ context: ServingContext,
    isLocalClient: Bool
  ) -> Reply {
    let token = core.configuration.adminToken
    let gate = AccessGate(
      authority: authority, isLoopback: core.configuration.address.isLoopback,
      needsToken: token != nil, token: token, takesBearer: true, isLocalClient: isLocalClient)
    let call = ServerCall(
      request: request, session: ServerSession(name: sessionName, core: core), gate: gate)
    return .later(mark: nil) { ticket in
      api.respond(call) { response in
        ticket.release(response.script(for: context)) { _ in response.afterwards?() }
      }
    }
  }

  private func unmatched(_ routed: RoutedRequest, into output: inout ByteBuffer) -> Reply {
    let incoming = routed.incoming
    if let response = routed.preflight {
      return write(response, .server("CORS preflight"), to: incoming, into: &output)
    }
    if let reply = relay(routed, into: &output) { return reply }
    let layer = routed.top.layer
    if routed.route == nil {
      let upstreams = layer.upstreams.map {
        (
          $0.name, $0.summary,
          core.baseURL(of: $0, at: routed.authority, session: incoming.session.name)
        )
      }
      if let response = Welcome.respond(
        to: routed.request, upstreams: upstreams, relays: core.configuration.relay != nil,
        passesOn: mainSession.modes.all.hasLive || incoming.session.modes.all.hasLive)
      {
        return write(response, .server("welcome page"), to: incoming, into: &output)
      }
    }
    let explanation = layer.explain(routed.request).withoutName(upstreamName)
    return write(
      Problem.noContract(explanation).response, .unmatched(core.mask.masked(explanation)),
      to: incoming,
      into: &output)
  }
}

// MARK: - Relaying

extension PortServer {
  /// Forwards a request and later its response, or rejects it; `nil` when it is to be served here.
  ///
  /// - Parameter contract: the contract that would respond to it.
  private func relay(
    _ routed: RoutedRequest, insteadOf contract: Contract? = nil,
    into output: inout ByteBuffer
  ) -> Reply? {
    guard let relay = core.configuration.relay,
      let relayed = relay.request(routed.request, routed.route)
    else { return nil }
    if let contract, !relay.takes(relayed, contract) { return nil }
    return forward(relayed, of: routed, byMode: false, relay.ask, into: &output)
  }

  /// Forwards a request to its upstream and later the response to the client, or rejects it.
  func forward(
    _ relayed: RelayedRequest, of routed: RoutedRequest, byMode: Bool, _ ask: @escaping Relay.Ask,
    into output: inout ByteBuffer
  ) -> Reply {
    let incoming = routed.incoming
    do throws(AccessGate.Refusal) {
      try gateToLiveAPIs.check(routed.request)
    } catch {
      return write(.notRelayed(error, authority: authority), to: incoming, into: &output)
    }
    let words = "the live API of \(relayed.upstreamName) responded"
    var record = record(of: incoming)
    if byMode { record.reason = .mode }
    let mark = begin(record, byMode ? .mode(words) : .server(words), incoming)
    let token = core.configuration.adminToken
    return .later(mark: mark) { [context = incoming.context, request = routed.request] ticket in
      ask(relayed.without(token: token)) { response in
        ticket.release(response.script(for: context, to: request))
      }
    }
  }

  /// Otherwise any page could send requests to a live API, with whatever the browser adds, and so
  /// could other machines that reach the server.
  private var gateToLiveAPIs: AccessGate {
    let (layer, relay) = (core.layer, core.configuration.relay)
    return AccessGate(
      authority: authority, isLoopback: core.configuration.address.isLoopback,
      needsToken: !core.configuration.address.isLoopback, token: core.configuration.adminToken,
      allowedOrigins: core.configuration.allowedOrigins,
      admitsHost: {
        NetworkHost(WebURL.host(of: $0[...])).isLoopback || layer.knows(host: $0)
          || relay?.knows(host: $0) ?? false
      })
  }
}

// MARK: - Writing and recording responses

extension PortServer {
  func record(of incoming: IncomingRequest) -> JournalRecord {
    JournalRecord(
      sequence: core.nextSequence(), receivedAt: incoming.arrival.receivedAt,
      mark: incoming.session.mark)
  }

  /// Records a request whose response takes time.
  func begin(
    _ record: JournalRecord, _ source: Exchange.Source, _ incoming: IncomingRequest
  ) -> ResponseMark {
    let slot = journalize(record, incoming.arrival)
    if reporter != nil { reporter?.begin(exchange(record, source, incoming), slot) }
    return ResponseMark(number: slot.index, group: incoming.session.name)
  }

  /// Writes a response of the server itself, and records it.
  private func write(
    _ response: OwnResponse, _ source: Exchange.Source, to incoming: IncomingRequest,
    into output: inout ByteBuffer
  ) -> Reply {
    var record = record(of: incoming)
    record.status = response.status
    if case .unmatched = source { record.isUnmatched = true }
    let bytes = response.bytes(for: incoming.context)
    output.append(bytes)
    record.sentByteCount = bytes.count
    record.outcome = .responded
    journalize(record, incoming.arrival)
    if reporter != nil { reporter?.add(exchange(record, source, incoming)) }
    return .written(keepsConnection: incoming.context.wish != .close)
  }

  func write(
    _ problem: Problem, to incoming: IncomingRequest, into output: inout ByteBuffer
  ) -> Reply {
    write(problem.response, .server(core.mask.masked(problem.detail)), to: incoming, into: &output)
  }

  private func exchange(
    _ record: JournalRecord, _ source: Exchange.Source, _ incoming: IncomingRequest
  ) -> Exchange {
    let arrival = incoming.arrival
    return Exchange(
      record, method: arrival.text(incoming.method),
      target: core.mask.masked(target: arrival.text(incoming.target)), source)
  }
}

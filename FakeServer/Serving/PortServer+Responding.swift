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
    var request = Request(head: arrival.head, head, body: arrival.body)
    let sessionName = request.removeSession()
    let context = ServingContext(arrival, head, at: moment, namesCase: namesCases)
    if let api = core.apis.first(where: { $0.owns(request.path) }) {
      return administer(
        api, request, sessionName, context, origin(arrival),
        isLocalClient: arrival.isFromThisMachine)
    }
    let incoming = IncomingRequest(
      arrival, head, session: core.session(named: sessionName), context: context)
    let routed = routed(request, incoming, origin: origin(of: arrival, head))
    if let reply = responseByMode(routed, into: &output) { return reply }
    if head.targetForm == .asterisk {
      return write(.methods, .server("OPTIONS *"), to: routed.incoming, into: &output)
    }
    if core.relay(for: incoming.session)?.takesAll == true, routed.preflight == nil,
      !routed.request.wantsWebSocket, let reply = relay(routed, into: &output)
    {
      return reply
    }
    return responseByContract(routed, into: &output) ?? unmatched(routed, into: &output)
  }

  /// Finds where a request leads.
  private func routed(
    _ request: Request, _ incoming: IncomingRequest, origin: Origin
  ) -> RoutedRequest {
    let (configuration, session) = (core.configuration, incoming.session)
    var (request, incoming) = (request, incoming)
    // An upstream's own port stands for its path prefix.
    if let upstreamName { request.path = "/\(upstreamName)\(request.path)" }
    let isOpen = configuration.opens(to: request)
    if isOpen { incoming.context.addedLines = CrossOrigin.addedLines(for: request) }
    let relay = core.relay(for: session)
    // Not for requests to an API: many may change the contracts one after the other.
    let current = currentLayer
    let top = session.stubs.isEmpty ? current : CurrentLayer(of: session, of: core)
    return RoutedRequest(
      incoming: incoming, top: top, request: request,
      // An upstream without contracts still has its name.
      route: top.layer.route(request) { relay?.baseURL(of: $0) != nil },
      origin: origin, isOpen: isOpen)
  }

  /// Serves a case of the contract that matches a request; `nil` where none does.
  private func responseByContract(
    _ routed: RoutedRequest, into output: inout ByteBuffer
  ) -> Reply? {
    guard let route = routed.route else { return nil }
    let parts = RequestParts(route.request, at: routed.incoming.arrival.receivedAt)
    let preference = Preference(parts.headerValues("prefer"))
    guard let (found, layer) = match(parts, routed, route, preference) else { return nil }
    var incoming = routed.incoming
    let session = incoming.session
    // A request that chooses a case wants the contract.
    if preference == nil, !session.isSteered,
      let reply = relay(routed, insteadOf: found.contract, into: &output)
    {
      return reply
    }
    let baseURL = baseURL(
      for: incoming.arrival, at: routed.origin, session, routed.top.layer)
    let facts = RequestFacts(parts, found, at: incoming.context.now, baseURL: baseURL)
    do throws(ChoiceError) {
      guard let choice = try session.choose(found.contract, preference, for: facts) else {
        return nil
      }
      if choice.reason == .script { beginAnew(after: &incoming, by: found.contract) }
      let served = found.contract.cases[choice.index]
      if routed.isOpen {
        incoming.context.addedLines = CrossOrigin.addedLines(
          for: routed.request, beside: served.response?.headers ?? [])
      }
      let hold = session.hold(for: found.contract.id).flatMap { $0.holds(served.name) ? $0 : nil }
      let held = hold.map {
        HeldResponse(
          hold: $0, request: route.request, candidate: found, library: layer.library,
          incoming: incoming, isOpen: routed.isOpen, baseURL: baseURL,
          callbackRefusal: callbackRefusal(facts, incoming.arrival), core: core)
      }
      return serve(choice, of: found, facts, incoming, in: layer, heldAs: held, into: &output)
    } catch {
      return write(.unchosen(error), to: incoming, into: &output)
    }
  }

  /// How the client reached the server.
  func origin(of arrival: Arrival, _ head: borrowing RequestHead) -> Origin {
    // A server that listens on all addresses knows no other name of its own.
    hasManyNames && !head.authority.isEmpty
      ? Origin(isSecure: arrival.isSecure, authority: arrival.text(head.authority))
      : origin(arrival)
  }

  /// The port's own address, as the client reached it.
  func origin(_ arrival: Arrival) -> Origin {
    Origin(isSecure: arrival.isSecure, authority: authority)
  }

  /// The base URLs by which a client reaches the upstreams, by name.
  func baseURL(
    for arrival: Arrival, at origin: Origin, _ session: Session, _ layer: Layer
  ) -> @Sendable (String) -> String? {
    { [core, isInBetween = arrival.tunnel != nil] name in
      layer.upstream(named: name).map {
        (isInBetween ? $0.baseURL?.description : nil)
          ?? core.baseURL(of: $0, at: origin, session: session.name)
      }
    }
  }

  /// Serves a case of the current contracts, at once if nothing in it takes time and nobody holds
  /// it.
  func serve(
    _ choice: CaseChoice, of candidate: RequestIndex.Candidate, _ facts: RequestFacts,
    _ incoming: IncomingRequest, in current: CurrentLayer, heldAs held: HeldResponse? = nil,
    into output: inout ByteBuffer
  ) -> Reply {
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
    if held == nil, servable.isImmediate(for: incoming.context) {
      return write(servable, choice, facts, record, to: incoming, into: &output)
    }
    return send(servable, choice, facts, record, to: incoming, heldAs: held)
  }

  /// Writes the response of a case in which nothing takes time, and records it.
  private func write(
    _ servable: ServableCase, _ choice: CaseChoice, _ facts: RequestFacts,
    _ record: consuming JournalRecord, to incoming: IncomingRequest, into output: inout ByteBuffer
  ) -> Reply {
    let start = output.count
    let keepsConnection: Bool
    if let ready = servable.staticResponse(for: incoming.context) {
      keepsConnection = ready.append(to: &output, for: incoming.context)
    } else {
      let response = incoming.session.draw(for: servable) {
        servable.append(
          to: &output, for: incoming.context, facts.responded(by: choice), using: &$0)
      }
      (record.status, keepsConnection) = (response.status, response.keepsConnection)
    }
    record.sentByteCount = output.count - start
    finish(record, incoming.arrival, incoming.method, incoming.target)
    return .written(keepsConnection: keepsConnection)
  }

  /// Records a request to which a case responded at once.
  func finish(
    _ record: consuming JournalRecord, _ arrival: Arrival, _ method: ByteRange, _ target: ByteRange
  ) {
    record.outcome = .responded
    journalize(record, arrival)
    reporter?.add(record, method: arrival.bytes(method), target: arrival.bytes(target))
  }

  /// Sends the response of a case in steps, once nobody holds it.
  private func send(
    _ servable: ServableCase, _ choice: CaseChoice, _ facts: RequestFacts,
    _ record: consuming JournalRecord, to incoming: IncomingRequest, heldAs held: HeldResponse?
  ) -> Reply {
    var choice = choice
    let callbacks =
      servable.callbackRecipes.isEmpty
      ? []
      : servable.callbacks(
        &choice, facts, incoming.session,
        refusal: callbackRefusal(facts, incoming.arrival))
    let script = incoming.session.draw(for: servable) { [choice] in
      servable.script(for: incoming.context, facts.responded(by: choice), using: &$0)
    }
    if let status = script.status { record.status = status }
    record.delayConfiguredNanoseconds = script.delayConfigured.nanoseconds(
      scaledBy: core.configuration.timeScale)
    if held != nil { record.outcome = .held }
    record.hasCallbacks = !callbacks.isEmpty
    let served = ServedCase(contract: servable.contractID, caseName: servable.name)
    let mark = begin(record, .served(served), incoming)
    follow(
      record.sequence, at: mark.number, with: callbacks, served: served, incoming.session.name)
    return held.map { keep(script, of: $0, mark) } ?? .script(script, mark: mark)
  }

  /// Passes the request to the admin API, which may have to ask other loops.
  private func administer(
    _ api: any ServerAPI, _ request: Request, _ sessionName: String, _ context: ServingContext,
    _ origin: Origin, isLocalClient: Bool
  ) -> Reply {
    let token = core.configuration.adminToken
    let gate = AccessGate(
      origin: origin, isLoopback: isLoopback,
      needsToken: token != nil, token: token, takesBearer: true, isLocalClient: isLocalClient)
    let call = ServerCall(
      request: request, session: ServerSession(name: sessionName, core: core), gate: gate)
    let session = handshakeSession(in: nil)
    let number = session.handshakeNumber
    return .later(mark: nil) { ticket in
      api.respond(call) { response in
        var context = context
        // A client that has made handshakes break has to begin anew, too.
        if origin.isSecure, session.handshakeNumber != number { context.wish = .close }
        ticket.release(response.script(for: context)) { _ in response.afterwards?() }
      }
    }
  }

  private func unmatched(_ routed: RoutedRequest, into output: inout ByteBuffer) -> Reply {
    let incoming = routed.incoming
    if let response = routed.preflight {
      return write(response, .server("CORS preflight"), to: incoming, into: &output)
    }
    if routed.request.wantsWebSocket {
      let host = incoming.arrival.tunnel?.authority ?? routed.request.headerValue("host") ?? ""
      return write(.webSocket(at: host), to: incoming, into: &output)
    }
    if let reply = relay(routed, into: &output) { return reply }
    let layer = routed.top.layer
    if routed.route == nil {
      let upstreams = layer.upstreams.map {
        (
          $0.name, $0.summary,
          core.baseURL(of: $0, at: routed.origin, session: incoming.session.name)
        )
      }
      if let response = Welcome.respond(
        to: routed.request, upstreams: upstreams, relays: core.relay(for: incoming.session) != nil,
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
    guard let relay = core.relay(for: routed.incoming.session),
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
      // Who uses the proxy has shown the token, and asked for this host.
      if incoming.arrival.tunnel == nil {
        try gateToLiveAPIs(from: origin(incoming.arrival), core.relay(for: incoming.session))
          .check(routed.request)
      }
    } catch {
      let problem = Problem.notRelayed(error, origin: origin(incoming.arrival))
      return write(problem, to: incoming, into: &output)
    }
    let words = "the live API of \(relayed.upstreamName) responded"
    var record = record(of: incoming)
    if byMode { record.reason = .mode }
    let mark = begin(record, byMode ? .mode(words) : .server(words), incoming)
    let relayed = relayed.without(token: core.configuration.adminToken)
    return .later(mark: mark) {
      [
        core, context = incoming.context, request = routed.request, sequence = record.sequence,
        session = incoming.session.name
      ] ticket in
      ask(relayed) { response in
        // A client that has its response may end the recording at once.
        core.keep(response, to: relayed, as: sequence, session: session)
        ticket.release(response.script(for: context, to: request))
      }
    }
  }

  /// Otherwise any page could send requests to a live API, with whatever the browser adds, and so
  /// could other machines that reach the server.
  func gateToLiveAPIs(from origin: Origin, _ relay: Relay?) -> AccessGate {
    let layer = core.layer
    return AccessGate(
      origin: origin, isLoopback: isLoopback,
      needsToken: !isLoopback, token: core.configuration.adminToken,
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
    var record = JournalRecord(
      sequence: core.nextSequence(), receivedAt: incoming.arrival.receivedAt,
      mark: incoming.session.mark)
    record.isSecure = incoming.arrival.isSecure
    return record
  }

  /// Records a request whose response takes time.
  func begin(
    _ record: JournalRecord, _ source: Exchange.Source, _ incoming: IncomingRequest
  ) -> ResponseMark {
    let slot = journalize(record, incoming.arrival)
    reporter?.begin(exchange(record, source, incoming), slot)
    return ResponseMark(number: slot.index, group: incoming.session.name)
  }

  /// Writes a response of the server itself, and records it.
  private func write(
    _ response: OwnResponse, _ source: Exchange.Source, to incoming: IncomingRequest,
    because reason: JournalRecord.Reason? = nil, into output: inout ByteBuffer
  ) -> Reply {
    var record = record(of: incoming)
    record.reason = reason
    record.status = response.status
    if case .unmatched = source { record.isUnmatched = true }
    let bytes = response.bytes(for: incoming.context)
    output.append(bytes)
    record.sentByteCount = bytes.count
    record.outcome = .responded
    journalize(record, incoming.arrival)
    reporter?.add(exchange(record, source, incoming))
    return .written(keepsConnection: incoming.context.wish != .close)
  }

  func write(
    _ problem: Problem, to incoming: IncomingRequest,
    because reason: JournalRecord.Reason? = nil, into output: inout ByteBuffer
  ) -> Reply {
    write(
      problem.response, .server(core.mask.masked(problem.detail), fix: problem.fix), to: incoming,
      because: reason, into: &output)
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

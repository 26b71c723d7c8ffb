import UnderstudyContractModel
import UnderstudyCore
import UnderstudyHTTP
import UnderstudySecrets
import UnderstudySystem

extension PortServer {
  /// Finds the contract for a request, chooses its case, and writes the answer or returns how to
  /// play it.
  @inline(never)
  func answerInFull(
    _ arrival: Arrival, _ head: borrowing RequestHead, into output: inout ByteBuffer
  ) -> Reply {
    let configuration = core.configuration
    let library = core.library
    var request = Request(head: arrival.head, head, body: arrival.body)
    let sessionName = request.removeSession()
    var context = PlayContext(arrival, head, at: moment, namesCase: namesCases)
    if core.api.owns(request.path) {
      return administer(request, sessionName, context, isLocalClient: arrival.isFromThisMachine)
    }
    // An upstream's own port stands for its path prefix.
    if let upstreamName { request.path = "/\(upstreamName)\(request.path)" }
    let isOpen = configuration.opens(to: request)
    if isOpen { context.addedLines = CrossOrigin.addedLines(for: request) }
    // A server that listens on all addresses knows no other name of its own.
    let isNamed = configuration.address.isWildcard && !head.authority.isEmpty
    let incoming = IncomingRequest(
      arrival: arrival, library: library, session: core.session(named: sessionName),
      request: request,
      // An upstream without contracts still has its name.
      route: library.index.route(request) { configuration.relay?.baseURLs[$0] != nil },
      target: reporter == nil ? "" : arrival.text(head.target),
      authority: isNamed ? arrival.text(head.authority) : authority, isOpen: isOpen,
      context: context)
    if configuration.relay?.takesAll == true, incoming.preflight == nil,
      let reply = relay(incoming, into: &output)
    {
      return reply
    }
    guard let route = incoming.route else { return miss(incoming, into: &output) }
    let parts = RequestParts(route.request)
    guard let found = library.index.match(parts, in: route.upstream) else {
      return miss(incoming, into: &output)
    }
    let preference = Preference(parts.headerValues("prefer"))
    // A request that chooses a case wants the contract.
    if preference == nil, !incoming.session.isSteered,
      let reply = relay(incoming, insteadOf: found.contract, into: &output)
    {
      return reply
    }
    let facts = RequestFacts(
      parts, found.template,
      baseURL: { [core, authority = incoming.authority, sessionName] name in
        library.index.upstream(named: name).map {
          core.baseURL(of: $0, at: authority, session: sessionName)
        }
      })
    let choice: CaseChoice
    do throws(ChoiceError) {
      choice = try incoming.session.choose(
        found.contract, preference, meets: facts.meets,
        liveCaseIndex: { found.liveCaseIndex(for: parts) })
    } catch {
      return write(.noSuchCase(error), to: incoming, into: &output)
    }
    return play(choice, of: found.contract, facts, incoming, into: &output)
  }

  private func play(
    _ choice: CaseChoice, of contract: Contract, _ facts: RequestFacts,
    _ incoming: IncomingRequest, into output: inout ByteBuffer
  ) -> Reply {
    let session = incoming.session
    var context = incoming.context
    if incoming.isOpen {
      context.addedLines = CrossOrigin.addedLines(
        for: incoming.request, beside: contract.cases[choice.index].response?.headers ?? [])
    }
    guard let playable = incoming.library.playable(choice.index, of: contract) else {
      return write(.unplayable(contract, choice), to: incoming, into: &output)
    }
    let source = Exchange.Source.played(
      contractID: playable.contractID, caseName: playable.name)
    var record = record(of: incoming)
    record.reason = choice.reason
    record.label = journal.label(
      of: PlayedCase(contract: playable.contractID, caseName: playable.name))
    record.status = UInt16(playable.status ?? 0)
    let hold = session.hold(for: contract.id)
    if hold == nil, playable.delay == nil, let ready = playable.staticAnswer(for: context) {
      var bytes: [UInt8] = []
      ready.append(to: &bytes, for: context)
      finish(record, source, bytes, incoming, into: &output)
      return .written(keepsConnection: ready.head.keepsConnection(context))
    }
    let script = session.draw(for: playable, seed: core.configuration.seed) {
      playable.script(for: context, facts, using: &$0)
    }
    record.delayAsked = script.delayAsked.nanoseconds(scaledBy: core.configuration.timeScale)
    let mark = begin(record, source, incoming)
    if let hold, let entry = entry(at: JournalRing.Slot(index: mark.number)) {
      // Kept until the hold's owner releases it.
      return .later(mark: mark) { ticket in
        let held = WaitingAnswer(request: entry, ticket: ticket, script: script)
        // The hold ended while the answer was made, so it is released here.
        if !hold.take(held) { held.letGo() }
        return nil
      }
    }
    return .script(script, mark: mark)
  }

  /// Passes the request to the admin API, which may have to ask other loops.
  private func administer(
    _ request: Request, _ sessionName: String, _ context: PlayContext, isLocalClient: Bool
  ) -> Reply {
    let token = core.configuration.adminToken
    let gate = AccessGate(
      authority: authority, isLoopback: core.configuration.address.isLoopback,
      needsToken: token != nil, token: token, takesBearer: true, isLocalClient: isLocalClient)
    let api = core.api.init(core: core, sessionName: sessionName)
    return .later(mark: nil) { ticket in
      api.answer(request, through: gate) { answer in
        ticket.release(answer.script(for: context)) { _ in answer.afterwards?() }
      }
    }
  }

  private func miss(_ incoming: IncomingRequest, into output: inout ByteBuffer) -> Reply {
    if let answer = incoming.preflight {
      return write(answer, .server("CORS preflight"), to: incoming, into: &output)
    }
    if let reply = relay(incoming, into: &output) { return reply }
    let index = incoming.library.index
    let upstreams = index.upstreams.map {
      (
        $0.name, $0.summary,
        core.baseURL(of: $0, at: incoming.authority, session: incoming.session.name)
      )
    }
    if incoming.route == nil,
      let answer = Welcome.answer(
        to: incoming.request, upstreams: upstreams, relays: core.configuration.relay != nil)
    {
      return write(answer, .server("welcome page"), to: incoming, into: &output)
    }
    let explanation = index.explain(incoming.request)
    return write(
      Problem.noContract(explanation).answer, .miss(core.mask.masked(explanation)), to: incoming,
      into: &output)
  }
}

// MARK: - Relaying

extension PortServer {
  /// Forwards a request and later its answer, or rejects it; `nil` when it is to be answered here.
  ///
  /// - Parameter contract: the contract that would answer it.
  private func relay(
    _ incoming: IncomingRequest, insteadOf contract: Contract? = nil,
    into output: inout ByteBuffer
  ) -> Reply? {
    guard let relay = core.configuration.relay,
      let relayed = relay.request(incoming.request, incoming.route)
    else { return nil }
    if let contract, !relay.takes(relayed, contract) { return nil }
    do throws(AccessGate.Refusal) {
      try gate(to: relay).check(incoming.request)
    } catch {
      return write(.notRelayed(error, authority: authority), to: incoming, into: &output)
    }
    let source = Exchange.Source.server("answered by \(relayed.upstreamName) itself")
    let mark = begin(record(of: incoming), source, incoming)
    return .later(mark: mark) { [context = incoming.context, request = incoming.request] ticket in
      relay.ask(relayed) { answer in
        ticket.release(answer.script(for: context, to: request))
      }
    }
  }

  /// Otherwise any page could send requests to a live API, with whatever the browser adds, and so
  /// could other machines that reach the server.
  private func gate(to relay: Relay) -> AccessGate {
    let index = core.library.index
    return AccessGate(
      authority: authority, isLoopback: core.configuration.address.isLoopback,
      needsToken: !core.configuration.address.isLoopback, token: core.configuration.adminToken,
      allowedOrigins: core.configuration.allowedOrigins,
      admitsHost: {
        NetworkHost(WebURL.host(of: $0[...])).isLoopback || index.knows(host: $0)
          || relay.knows(host: $0)
      })
  }
}

// MARK: - Writing and recording answers

extension PortServer {
  func record(of incoming: IncomingRequest) -> JournalRing.Record {
    JournalRing.Record(
      sequence: core.nextSequence(), receivedAt: incoming.arrival.receivedAt,
      session: incoming.session)
  }

  /// Records a request whose answer takes time.
  func begin(
    _ record: JournalRing.Record, _ source: Exchange.Source, _ incoming: IncomingRequest
  ) -> AnswerMark {
    let slot = journalize(record, incoming.arrival)
    if reporter != nil { reporter?.begin(exchange(record, source, incoming), slot) }
    return AnswerMark(number: slot.index, group: incoming.session.name)
  }

  /// Writes a whole answer, and records it.
  private func finish(
    _ record: JournalRing.Record, _ source: Exchange.Source, _ bytes: [UInt8],
    _ incoming: IncomingRequest, into output: inout ByteBuffer
  ) {
    var record = record
    output.append(bytes)
    record.sentByteCount = UInt64(bytes.count)
    record.outcome = .answered
    journalize(record, incoming.arrival)
    if reporter != nil { reporter?.add(exchange(record, source, incoming)) }
  }

  /// Writes an answer of the server itself.
  private func write(
    _ answer: OwnAnswer, _ source: Exchange.Source, to incoming: IncomingRequest,
    into output: inout ByteBuffer
  ) -> Reply {
    var record = record(of: incoming)
    record.status = UInt16(answer.status)
    if case .miss = source { record.isMiss = true }
    finish(record, source, answer.bytes(for: incoming.context), incoming, into: &output)
    return .written(keepsConnection: incoming.context.wish != .close)
  }

  func write(
    _ problem: Problem, to incoming: IncomingRequest, into output: inout ByteBuffer
  ) -> Reply {
    write(problem.answer, .server(core.mask.masked(problem.detail)), to: incoming, into: &output)
  }

  private func exchange(
    _ record: JournalRing.Record, _ source: Exchange.Source, _ incoming: IncomingRequest
  ) -> Exchange {
    exchange(record, source, method: incoming.request.method, target: incoming.target)
  }

  func exchange(
    _ record: JournalRing.Record, _ source: Exchange.Source, method: String, target: String
  ) -> Exchange {
    Exchange(
      receivedAt: record.receivedAt, method: method, target: core.mask.masked(target: target),
      source: source, status: record.status == 0 ? nil : Int(record.status),
      sentByteCount: Int(record.sentByteCount))
  }
}

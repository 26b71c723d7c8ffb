import UnderstudyContractModel
import UnderstudyCore
import UnderstudyHTTP
import UnderstudyJSON
import UnderstudySecrets

extension Seat {
  /// Finds the contract for a request, chooses its case and writes the answer, or says how it is to
  /// be played.
  func answer(
    _ arrival: Arrival, _ head: borrowing RequestHead, into output: inout [UInt8]
  ) -> Reply {
    let library = core.library
    var request = Request(arrival, head)
    let sessionName = request.removeSession()
    var context = context(arrival, head)
    if Admin.isAdmin(request.path) { return administer(request, sessionName, context) }
    let session = core.session(named: sessionName)
    // A port of one upstream is its prefix, left out.
    if let upstreamName { request.path = "/\(upstreamName)\(request.path)" }
    let isOpen = core.configuration.opens(to: request)
    if isOpen { context.addedLines = CrossOrigin.addedLines(for: request) }
    let route = route(request, library)
    if core.configuration.relay?.takesAll == true,
      !(isOpen && CrossOrigin.preflight(request) != nil),
      let reply = relay(request, route, session, arrival, head, context, into: &output)
    {
      return reply
    }
    guard let route else {
      return miss(request, session, library, arrival, head, context, into: &output)
    }
    let parts = RequestParts(route.request)
    guard let found = library.index.match(parts, in: route.upstream) else {
      return miss(request, session, library, arrival, head, context, into: &output)
    }
    let contract = found.contract
    let preference = Preference(parts.headerValues("prefer"))
    // Whoever has chosen a case wants the contract.
    if preference == nil, !session.isSteered,
      let reply = relay(
        request, route, session, arrival, head, context, insteadOf: contract, into: &output)
    {
      return reply
    }
    let authority = authority(of: arrival, head)
    let facts = RequestFacts(
      parts, found.template,
      baseURL: { [core, authority, sessionName = session.name] name in
        library.index.upstream(named: name).map {
          core.baseURL(of: $0, at: authority, session: sessionName)
        }
      })
    let choice: CaseChoice
    do throws(ChoiceError) {
      choice = try session.choose(
        contract, preference, meets: facts.meets,
        liveCaseIndex: { found.liveCaseIndex(for: parts) })
    } catch {
      return problem(.noSuchCase(error), session, arrival, head, context, into: &output)
    }
    if isOpen {
      context.addedLines = CrossOrigin.addedLines(
        for: request, beside: contract.cases[choice.index].response?.headers ?? [])
    }
    guard let playable = library.playable(choice.index, of: contract) else {
      return problem(.unplayable(contract, choice), session, arrival, head, context, into: &output)
    }
    var record = record(arrival, playable, choice)
    let hold = session.hold(for: contract.id)
    if hold == nil, playable.delay == nil, let ready = playable.staticAnswer(for: context) {
      let start = output.count
      ready.append(to: &output, for: context)
      record.sentByteCount = UInt64(output.count - start)
      record.outcome = .answered
      journalize(record, arrival, session)
      if reporter != nil {
        reporter?.add(exchange(arrival, head, record, .played(by: playable)))
      }
      return .written(keepsConnection: ready.head.keepsConnection(context))
    }
    let script = session.draw(for: playable, seed: core.configuration.seed) {
      playable.script(for: context, facts, using: &$0)
    }
    record.delayAsked = scaled(script.delayAsked)
    let slot = journalize(record, arrival, session)
    if reporter != nil {
      reporter?.begin(exchange(arrival, head, record, .played(by: playable)), slot)
    }
    let mark = Player.Mark(slot: slot, session: session.name)
    if let hold { return holdBack(script, mark, delay: record.delayAsked, hold) }
    return .script(script, mark: mark, delay: record.delayAsked)
  }

  /// Keeps the answer until the hold's owner releases it.
  private func holdBack(
    _ script: WireScript, _ mark: Player.Mark, delay: Int64, _ hold: Hold
  ) -> Reply {
    guard let raw = rawEntry(at: mark.slot) else {
      return .script(script, mark: mark, delay: delay)
    }
    var reader = JournalReader(limits: limits.message)
    let entry = reader.found(raw).entry
    return .later(mark: mark) { ticket in
      let answer = HeldAnswer(request: entry, ticket: ticket, script: script, delay: delay)
      // The hold ended while the answer was made: nobody else would let it go.
      if !hold.take(answer) { answer.letGo() }
      return nil
    }
  }

  /// Lets the admin API answer, which may have to ask other loops.
  private func administer(
    _ request: Request, _ sessionName: String, _ context: PlayContext
  ) -> Reply {
    let token = core.configuration.adminToken
    let gate = AccessGate(
      authority: authority, isLoopback: core.configuration.address.isLoopback,
      needsToken: token != nil, token: token, takesBearer: true)
    let admin = Admin(core: core, sessionName: sessionName)
    return .later(mark: nil) { ticket in
      admin.answer(request, through: gate) { answer in
        ticket.release(answer.script(for: context)) { _ in answer.afterwards?() }
      }
      return nil
    }
  }

  @discardableResult
  func journalize(
    _ record: JournalRing.Record, _ arrival: Arrival, _ session: Session
  ) -> JournalRing.Slot {
    var record = record
    record.sessionMark = session.mark
    let slot = journal.append(record, head: arrival.head, body: arrival.body)
    arrivals.use { $0.ring() }
    return slot
  }

  /// Answers what is no request; it is not in the journal.
  func refuse(
    _ refusal: Refusal, _ moment: Moment, at receivedAt: Int64, into output: inout [UInt8]
  ) {
    turnAway(.refused(refusal), refusal.message, moment, at: receivedAt, into: &output)
  }

  /// Answers a client that has to go before it has asked, because there are too many.
  func refuseClient(_ moment: Moment, at receivedAt: Int64, into output: inout [UInt8]) {
    let problem = Problem.tooManyClients(max: limits.connectionCountMax)
    let words = "a client was turned away: \(problem.detail)"
    turnAway(problem, words, moment, at: receivedAt, into: &output)
  }

  private func turnAway(
    _ problem: Problem, _ words: String, _ moment: Moment, at receivedAt: Int64,
    into output: inout [UInt8]
  ) {
    let start = output.count
    problem.append(to: &output, for: PlayContext(wish: .close, now: moment))
    reporter?.add(
      Exchange(
        receivedAt: receivedAt, method: "", target: "", source: .server(words),
        status: problem.status, sentByteCount: output.count - start))
  }

  func exchange(
    _ arrival: Arrival, _ head: borrowing RequestHead, _ record: JournalRing.Record,
    _ source: Exchange.Source
  ) -> Exchange {
    Exchange(
      receivedAt: record.receivedAt, method: arrival.text(head.method),
      target: core.mask.masked(target: arrival.text(head.target)), source: source,
      status: record.status == 0 ? nil : Int(record.status),
      sentByteCount: Int(record.sentByteCount))
  }

  private func context(_ arrival: Arrival, _ head: borrowing RequestHead) -> PlayContext {
    var context = PlayContext(now: arrival.moment)
    context.isHead = head.isHead
    context.clientVersion = head.minorVersion == 0 ? .http10 : .http11
    context.wish =
      head.keepsAlive && !isRetiring ? (head.minorVersion == 0 ? .keepAlive : .unsaid) : .close
    context.namesCase = core.configuration.namesCases
    return context
  }

  /// Host and port by which the client has reached the server: one that listens on all addresses
  /// knows no other name of its own.
  private func authority(of arrival: Arrival, _ head: borrowing RequestHead) -> String {
    guard core.configuration.address.isWildcard, !head.authority.isEmpty else { return authority }
    return arrival.text(head.authority)
  }

  private func record(
    _ arrival: Arrival, _ playable: PlayableCase, _ choice: CaseChoice
  ) -> JournalRing.Record {
    var record = JournalRing.Record()
    record.sequence = core.nextSequence()
    record.receivedAt = arrival.receivedAt
    record.reason = choice.reason
    record.label = labels.number(
      of: Played(contract: playable.contractID, caseName: playable.name))
    record.status = UInt16(playable.status ?? 0)
    return record
  }

  private func miss(
    _ request: Request, _ session: Session, _ library: PlayableLibrary, _ arrival: Arrival,
    _ head: borrowing RequestHead, _ context: PlayContext, into output: inout [UInt8]
  ) -> Reply {
    if core.configuration.opens(to: request), let answer = CrossOrigin.preflight(request) {
      let source = Exchange.Source.server("CORS preflight")
      return write(answer.status, source, session, arrival, head, context, into: &output) {
        answer.append(to: &$0, for: context)
      }
    }
    let route = route(request, library)
    if let reply = relay(request, route, session, arrival, head, context, into: &output) {
      return reply
    }
    let authority = authority(of: arrival, head)
    let upstreams = library.index.upstreams.map {
      ($0.name, $0.summary, core.baseURL(of: $0, at: authority, session: session.name))
    }
    if route == nil,
      let answer = Welcome.answer(
        to: request, upstreams: upstreams, relays: core.configuration.relay != nil)
    {
      let source = Exchange.Source.server("welcome page")
      return write(answer.status, source, session, arrival, head, context, into: &output) {
        answer.append(to: &$0, for: context)
      }
    }
    let explanation = library.index.explain(request)
    return problem(.noContract(explanation), session, arrival, head, context, into: &output)
  }

  /// An upstream that has no contracts yet has its name all the same.
  private func route(_ request: Request, _ library: PlayableLibrary) -> RequestIndex.Route? {
    let relay = core.configuration.relay
    return library.index.route(request) { relay?.baseURLs[$0] != nil }
  }

  func problem(
    _ problem: Problem, _ session: Session, _ arrival: Arrival, _ head: borrowing RequestHead,
    _ context: PlayContext, into output: inout [UInt8]
  ) -> Reply {
    let source: Exchange.Source =
      if case .noContract(let explanation) = problem {
        .miss(core.mask.masked(explanation))
      } else {
        .server(core.mask.masked(problem.detail))
      }
    return write(problem.status, source, session, arrival, head, context, into: &output) {
      problem.append(to: &$0, for: context)
    }
  }

  /// Writes an answer of the server's own and notes it.
  private func write(
    _ status: Int, _ source: Exchange.Source, _ session: Session, _ arrival: Arrival,
    _ head: borrowing RequestHead, _ context: PlayContext, into output: inout [UInt8],
    append: (inout [UInt8]) -> Void
  ) -> Reply {
    let start = output.count
    append(&output)
    var record = JournalRing.Record()
    record.sequence = core.nextSequence()
    record.receivedAt = arrival.receivedAt
    record.status = UInt16(status)
    if case .miss = source { record.isMiss = true }
    record.outcome = .answered
    record.sentByteCount = UInt64(output.count - start)
    journalize(record, arrival, session)
    if reporter != nil { reporter?.add(exchange(arrival, head, record, source)) }
    return .written(keepsConnection: context.wish != .close)
  }
}

extension Exchange.Source {
  fileprivate static func played(by playable: PlayableCase) -> Self {
    .played(contractID: playable.contractID, caseName: playable.name)
  }
}

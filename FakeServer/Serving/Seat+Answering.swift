import ContractModel
import Diagnostics
import HTTP
import JSON

extension Seat {
  /// Finds the contract for a request, chooses its case and writes the answer, or says how it is to
  /// be played.
  func answer(
    _ arrival: Arrival, _ head: borrowing RequestHead, into output: inout [UInt8]
  ) -> Reply {
    let library = core.library
    var request = Request(arrival, head)
    let sessionName = request.removeSession()
    let context = context(arrival, head)
    if AdminGate.isAdmin(request.path) { return administer(request, sessionName, context) }
    let session = core.session(named: sessionName)
    guard let route = library.index.route(request) else {
      return miss(request, session, library, arrival, context, into: &output)
    }
    let parts = RequestParts(route.request)
    guard let found = library.index.match(parts, in: route.upstream) else {
      return miss(request, session, library, arrival, context, into: &output)
    }
    let contract = found.contract
    let facts = RequestFacts(
      parts, found.template, authority: authority, session: session.name,
      upstreams: library.index.upstreams)
    let choice: CaseChoice
    do throws(ChoiceError) {
      choice = try session.choose(
        contract, Preference(facts.headerValues("prefer")), meets: facts.meets)
    } catch {
      return problem(.noSuchCase(error), session, arrival, context, into: &output)
    }
    guard let playable = library.playable(choice.index, of: contract) else {
      return problem(.unplayable(contract, choice), session, arrival, context, into: &output)
    }
    var record = record(arrival, playable, choice, session)
    let hold = session.hold(for: contract.id)
    if hold == nil, playable.delay == nil, let ready = playable.staticAnswer(for: context) {
      let start = output.count
      ready.append(to: &output, for: context)
      record.sentByteCount = UInt64(output.count - start)
      record.outcome = .answered
      journalize(record, arrival)
      return .written(keepsConnection: ready.head.keepsConnection(context))
    }
    let script = core.withGenerator { playable.script(for: context, facts, using: &$0) }
    record.delayAsked = scaled(script.delayAsked)
    let slot = journalize(record, arrival)
    if let hold { return holdBack(script, slot, delay: record.delayAsked, hold) }
    return .script(script, record: slot, delay: record.delayAsked)
  }

  /// Keeps the answer until the hold's owner releases it.
  private func holdBack(
    _ script: WireScript, _ slot: JournalRing.Slot, delay: Int64, _ hold: Hold
  ) -> Reply {
    guard let raw = rawEntry(at: slot) else { return .script(script, record: slot, delay: delay) }
    var reader = JournalReader(core.redaction, limits: limits.message)
    let entry = reader.entry(raw)
    return .later(record: slot) { ticket in
      let answer = HeldAnswer(request: entry, ticket: ticket, script: script, delay: delay)
      // The hold ended while the answer was made: nobody else would let it go.
      if !hold.take(answer) { ticket.release(script, delay: delay) }
    }
  }

  /// Lets the admin API answer, which may have to ask other loops.
  private func administer(
    _ request: Request, _ sessionName: String, _ context: PlayContext
  ) -> Reply {
    let gate = AdminGate(
      authority: authority, isLoopback: core.configuration.address.isLoopback,
      token: core.configuration.adminToken)
    let admin = Admin(core: core, sessionName: sessionName)
    return .later(record: nil) { ticket in
      admin.answer(request, through: gate) { answer in
        ticket.release(answer.script(for: context)) { _ in answer.afterwards?() }
      }
    }
  }

  @discardableResult
  private func journalize(
    _ record: JournalRing.Record, _ arrival: Arrival
  ) -> JournalRing.Slot {
    let slot = journal.append(record, head: arrival.head, body: arrival.body)
    core.arrivals.ring()
    return slot
  }

  /// Answers what is no request; it is not in the journal.
  func refuse(_ refusal: Refusal, _ moment: Moment, into output: inout [UInt8]) {
    let context = PlayContext(wish: .close, now: moment)
    Problem.refused(refusal).append(to: &output, for: context)
  }

  private func context(_ arrival: Arrival, _ head: borrowing RequestHead) -> PlayContext {
    var context = PlayContext(now: arrival.moment)
    context.isHead = head.isHead
    context.clientVersion = head.minorVersion == 0 ? .http10 : .http11
    context.wish = head.keepsAlive ? (head.minorVersion == 0 ? .keepAlive : .unsaid) : .close
    context.namesCase = core.configuration.namesCases
    return context
  }

  private func record(
    _ arrival: Arrival, _ playable: PlayableCase, _ choice: CaseChoice, _ session: Session
  ) -> JournalRing.Record {
    var record = JournalRing.Record()
    record.sequence = core.nextSequence()
    record.receivedAt = arrival.receivedAt
    record.reason = choice.reason
    record.label = labels.number(of: "\(playable.contractID)#\(playable.name)")
    record.session = labels.number(of: session.name)
    record.status = UInt16(playable.status ?? 0)
    return record
  }

  private func miss(
    _ request: Request, _ session: Session, _ library: PlayableLibrary, _ arrival: Arrival,
    _ context: PlayContext,
    into output: inout [UInt8]
  ) -> Reply {
    let explanation = library.index.explain(request)
    return problem(.noContract(explanation), session, arrival, context, into: &output)
  }

  private func problem(
    _ problem: Problem, _ session: Session, _ arrival: Arrival, _ context: PlayContext,
    into output: inout [UInt8]
  ) -> Reply {
    let start = output.count
    problem.append(to: &output, for: context)
    var record = JournalRing.Record()
    record.sequence = core.nextSequence()
    record.receivedAt = arrival.receivedAt
    record.session = labels.number(of: session.name)
    record.status = UInt16(problem.status)
    record.outcome = .answered
    record.sentByteCount = UInt64(output.count - start)
    journalize(record, arrival)
    return .written(keepsConnection: context.wish != .close)
  }
}

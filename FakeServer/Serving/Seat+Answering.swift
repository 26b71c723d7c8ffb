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
    let session = core.session(named: request.removeSession())
    let context = context(arrival, head)
    guard let route = library.index.route(request) else {
      return miss(request, library, arrival, context, into: &output)
    }
    let parts = RequestParts(route.request)
    guard let found = library.index.match(parts, in: route.upstream) else {
      return miss(request, library, arrival, context, into: &output)
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
      return problem(.noSuchCase(error), arrival, context, into: &output)
    }
    guard let playable = library.playable(choice.index, of: contract) else {
      return problem(.unplayable(contract, choice), arrival, context, into: &output)
    }
    var record = record(arrival, playable, choice, session)
    if playable.delay == nil, let ready = playable.staticAnswer(for: context) {
      let start = output.count
      ready.append(to: &output, for: context)
      record.sentByteCount = UInt64(output.count - start)
      record.outcome = .answered
      _ = journal.append(record, head: arrival.head, body: arrival.body)
      return .written(keepsConnection: ready.head.keepsConnection(context))
    }
    let script = core.withGenerator { playable.script(for: context, facts, using: &$0) }
    record.delayAsked = scaled(script.delayAsked)
    let slot = journal.append(record, head: arrival.head, body: arrival.body)
    return .script(script, record: slot, delay: record.delayAsked)
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
    record.receivedAt = Int64(arrival.moment.unixSeconds) * 1_000_000_000
    record.label = labels.number(of: "\(playable.contractID)#\(playable.name)")
    record.session = labels.number(of: session.name)
    record.status = UInt16(playable.status ?? 0)
    return record
  }

  private func miss(
    _ request: Request, _ library: PlayableLibrary, _ arrival: Arrival, _ context: PlayContext,
    into output: inout [UInt8]
  ) -> Reply {
    let explanation = library.index.explain(request)
    return problem(.noContract(explanation), arrival, context, into: &output)
  }

  private func problem(
    _ problem: Problem, _ arrival: Arrival, _ context: PlayContext, into output: inout [UInt8]
  ) -> Reply {
    let start = output.count
    problem.append(to: &output, for: context)
    var record = JournalRing.Record()
    record.sequence = core.nextSequence()
    record.status = UInt16(problem.status)
    record.outcome = .answered
    record.sentByteCount = UInt64(output.count - start)
    _ = journal.append(record, head: arrival.head, body: arrival.body)
    return .written(keepsConnection: context.wish != .close)
  }
}

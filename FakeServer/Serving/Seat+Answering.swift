import ContractModel
import Diagnostics
import HTTP
import JSON

extension Seat {
  /// Finds the contract for a request, chooses its case and writes the answer, or says how it is to
  /// be played.
  ///
  /// An answer that is ready is found and written without making text or asking for memory.
  func answer(
    _ arrival: Arrival, _ head: borrowing RequestHead, into output: inout ByteBuffer
  ) -> Reply {
    adoptLibrary()
    let (session, path) = session(of: arrival.path(head))
    var parts: RequestParts?
    let found = library.index.find(
      method: arrival.bytes(head.method), path: path,
      host: { head.authority.isEmpty ? nil : arrival.text(head.authority) },
      parts: { offset in
        if let parts { return parts }
        let new = RequestParts(Request(arrival, head, path: path[offset...]))
        parts = new
        return new
      })
    guard let found else {
      return problem(
        .noContract(library.index.explain(Request(arrival, head, path: path[...]))), arrival, head,
        into: &output)
    }
    let entry = library.entries[found.contractNumber]
    if !entry.dependsOnSession, !session.isSteered,
      head.value(of: "prefer", in: arrival.head) == nil,
      let reply = appendReady(entry.defaultCase, session, arrival, head, to: &output)
    {
      return reply
    }
    let whole = parts ?? RequestParts(Request(arrival, head, path: path[found.pathOffset...]))
    return play(found, whole, session, arrival, head, into: &output)
  }

  /// `nil` when the answer is not ready, or not for this client.
  @inline(__always)
  private func appendReady(
    _ number: Int, _ session: Session, _ arrival: Arrival, _ head: borrowing RequestHead,
    to output: inout ByteBuffer
  ) -> Reply? {
    guard head.minorVersion == 1, head.keepsAlive else { return nil }
    let start = output.count
    let status = arrival.moment.httpDate.withUnsafeBytes { date in
      library.ready.append(
        number, to: &output, isHead: head.isHead, namesCase: namesCases, date: date)
    }
    guard let status else { return nil }
    var record = JournalRing.Record()
    record.sequence = core.nextSequence()
    record.receivedAt = Int64(arrival.moment.unixSeconds) * 1_000_000_000
    record.label = caseLabels[number] >= 0 ? caseLabels[number] : makeLabel(number)
    record.session = session === mainSession ? 0 : labels.number(of: session.name)
    record.status = status
    record.sentByteCount = UInt64(output.count - start)
    record.outcome = .answered
    _ = journal.append(record, head: arrival.head, body: arrival.body)
    return .written(keepsConnection: true)
  }

  /// Answers with all a contract may ask for.
  @inline(never)
  private func play(
    _ found: RequestIndex.Match, _ parts: RequestParts, _ session: Session, _ arrival: Arrival,
    _ head: borrowing RequestHead, into output: inout ByteBuffer
  ) -> Reply {
    let candidate = library.index.candidates[found.number]
    let contract = candidate.contract
    let facts = RequestFacts(
      parts, candidate.template, authority: authority, session: session.name,
      upstreams: library.index.upstreams)
    let choice: CaseChoice
    do throws(ChoiceError) {
      choice = try session.choose(
        contract, Preference(facts.headerValues("prefer")), meets: facts.meets)
    } catch {
      return problem(.noSuchCase(error), arrival, head, into: &output)
    }
    let number = library.entries[found.contractNumber].firstCase + choice.index
    if let reply = appendReady(number, session, arrival, head, to: &output) { return reply }
    guard let playable = library.playable(number) else {
      return problem(.unplayable(contract, choice), arrival, head, into: &output)
    }
    let context = context(arrival, head)
    var record = JournalRing.Record()
    record.sequence = core.nextSequence()
    record.receivedAt = Int64(arrival.moment.unixSeconds) * 1_000_000_000
    record.label = makeLabel(number)
    record.session = labels.number(of: session.name)
    record.status = UInt16(playable.status ?? 0)
    if playable.delay == nil, let answer = playable.staticAnswer(for: context) {
      var bytes: [UInt8] = []
      answer.append(to: &bytes, for: context)
      bytes.withUnsafeBytes { output.append($0) }
      record.sentByteCount = UInt64(bytes.count)
      record.outcome = .answered
      _ = journal.append(record, head: arrival.head, body: arrival.body)
      return .written(keepsConnection: answer.head.keepsConnection(context))
    }
    let script = core.withGenerator { playable.script(for: context, facts, using: &$0) }
    record.delayAsked = scaled(script.delayAsked)
    let slot = journal.append(record, head: arrival.head, body: arrival.body)
    return .script(script, record: slot, delay: record.delayAsked)
  }

  /// Answers what is no request; it is not in the journal.
  func refuse(_ refusal: Refusal, _ moment: Moment, into output: inout ByteBuffer) {
    var bytes: [UInt8] = []
    Problem.refused(refusal).append(to: &bytes, for: PlayContext(wish: .close, now: moment))
    bytes.withUnsafeBytes { output.append($0) }
  }

  private func context(_ arrival: Arrival, _ head: borrowing RequestHead) -> PlayContext {
    var context = PlayContext(now: arrival.moment)
    context.isHead = head.isHead
    context.clientVersion = head.minorVersion == 0 ? .http10 : .http11
    context.wish = head.keepsAlive ? (head.minorVersion == 0 ? .keepAlive : .unsaid) : .close
    context.namesCase = namesCases
    return context
  }

  @inline(never)
  private func problem(
    _ problem: Problem, _ arrival: Arrival, _ head: borrowing RequestHead,
    into output: inout ByteBuffer
  ) -> Reply {
    let context = context(arrival, head)
    var bytes: [UInt8] = []
    problem.append(to: &bytes, for: context)
    bytes.withUnsafeBytes { output.append($0) }
    var record = JournalRing.Record()
    record.sequence = core.nextSequence()
    record.status = UInt16(problem.status)
    record.outcome = .answered
    record.sentByteCount = UInt64(bytes.count)
    _ = journal.append(record, head: arrival.head, body: arrival.body)
    return .written(keepsConnection: context.wish != .close)
  }

  /// The session that a path begins with, and the path behind it: of `/~worker-3/dog-ceo` they are
  /// `worker-3` and `/dog-ceo`.
  @inline(__always)
  private func session(
    of path: UnsafeRawBufferPointer
  ) -> (Session, path: UnsafeRawBufferPointer) {
    guard path.count > 1, path[1] == UInt8(ascii: "~") else { return (mainSession, path) }
    let end = path[2...].firstIndex(of: UInt8(ascii: "/")) ?? path.count
    let name = String(decoding: path[2..<end], as: UTF8.self)
    let rest = UnsafeRawBufferPointer(rebasing: path[end...])
    return (core.session(named: name), rest.isEmpty ? Arrival.rootPath : rest)
  }
}

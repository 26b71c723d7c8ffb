import ContractModel

/// A server's place on a loop, as others name it.
struct Place: Sendable {
  let loop: EventLoop
  let seat: Int

  /// Asks the server's seat on its loop's thread; `nil` when the server or the loop has ended.
  func ask<Answer: Sendable>(
    _ job: @escaping @Sendable (inout Loop, Seat) -> Answer
  ) async -> Answer? {
    let answer = await loop.ask { [seat] loop -> Answer? in
      loop.seats[seat].map { job(&loop, $0) }
    }
    return answer ?? nil
  }
}

extension ServerCore {
  /// The entries a query selects, in the order the requests came. What was received before the call
  /// is in it, whichever loop it came to.
  func journal(_ query: JournalQuery = JournalQuery()) async -> [JournalEntry] {
    var reader = JournalReader(redaction, limits: configuration.limits.message)
    let entries = await rawJournal(query).map { reader.entry($0) }.filter(query.selects)
    return Array(entries.suffix(query.countMax ?? .max))
  }

  /// How many of the requests a query selects are as a pattern says, secrets included.
  func journalCount(_ pattern: RequestPattern, _ query: JournalQuery) async -> Int {
    var reader = JournalReader(redaction, limits: configuration.limits.message)
    return await rawJournal(query).count { raw in
      query.selects(reader.entry(raw))
        && pattern.matches(RequestParts(reader.request(raw)))
    }
  }

  /// What nearly answered each of the entries that nothing did.
  func nearMisses(
    _ query: JournalQuery
  ) async -> [(entry: JournalEntry, nearest: [NearestContract])] {
    var query = query
    query.isUnmatched = true
    let index = library.index
    var reader = JournalReader(redaction, limits: configuration.limits.message)
    var found: [(JournalEntry, [NearestContract])] = []
    for raw in await rawJournal(query) {
      let entry = reader.entry(raw)
      guard query.selects(entry) else { continue }
      let misses = index.explain(reader.request(raw)).nearMisses
      found.append((entry, misses.map { NearestContract($0, redaction) }))
    }
    return Array(found.suffix(query.countMax ?? .max))
  }

  private func rawJournal(_ query: JournalQuery) async -> [JournalReader.Raw] {
    var all: [JournalReader.Raw] = []
    let since = query.since
    for place in places {
      all +=
        await place.ask { _, seat in
          seat.rawEntries.filter { $0.copy.record.sequence > since }
        } ?? []
    }
    return all.sorted { $0.copy.record.sequence < $1.copy.record.sequence }
  }

  /// Forgets the requests of a session, or all of them.
  func clearJournal(session: String?) async {
    for place in places {
      await place.ask { _, seat in
        let sessions = seat.labels
        seat.journal.removeAll { record in
          session == nil || (sessions.text(of: record.session) ?? "") == session
        }
      }
    }
  }

  /// Breaks off the answers under way, of a session or all.
  func cancelPending(session: String?) async {
    for place in places {
      await place.ask { loop, seat in loop.cancelPending(of: seat, session: session) }
    }
  }

  /// As it was when the server started: nothing chosen, no state, no journal, nothing under way.
  func reset(session: String?) async {
    if let session { self.session(named: session).reset() } else { resetSessions() }
    await cancelPending(session: session)
    await clearJournal(session: session)
  }
}

/// A contract that nearly answered, in words.
struct NearestContract: Sendable {
  let contract: String
  /// `GET /breed/{name}/images`
  let request: String
  let differences: [String]

  init(_ miss: NearMiss, _ redaction: Redaction) {
    contract = miss.contract.id
    request = "\(miss.contract.request.method) \(miss.contract.request.path)"
    differences = miss.differences.map { redaction.redacted($0).description }
  }
}

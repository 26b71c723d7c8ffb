import UnderstudyContractModel
import UnderstudyHTTP

/// Turns what rings hold into entries, once they are copied off their loops.
struct JournalReader: ~Copyable {
  /// A record with its bytes and the words its numbers stand for.
  struct Raw: Sendable {
    let copy: JournalRing.Copy
    let played: Played?
  }

  /// A record that is meant, and what it was made of, secrets and all.
  struct Found {
    let slot: JournalRing.Slot
    let record: JournalRing.Record
    let played: Played?
    let request: Request
    let session: String
  }

  private var head: RequestHead

  init(limits: MessageLimits) {
    head = RequestHead(limits: limits)
  }

  /// The request as it was matched, secrets and all, and its session.
  private mutating func request(_ copy: JournalRing.Copy) -> (Request, session: String) {
    // SAFETY: what is made of the bytes is copied out of them before the closures end.
    copy.head.withUnsafeBytes { headBytes in
      copy.body.withUnsafeBytes { body in
        var scanned = 0
        _ = head.parse(headBytes, scanned: &scanned)
        var request = Request(
          Arrival(
            head: headBytes, body: body, moment: .epoch,
            receivedAt: copy.record.receivedAt), head)
        let session = request.removeSession()
        return (request, session)
      }
    }
  }

  /// Those that a query means; in the order they are in.
  mutating func found(_ query: JournalQuery, in all: [Raw]) -> [Found] {
    var found: [Found] = []
    for raw in all where query.means(raw.played) {
      let one = self.found(raw)
      if query.means(one.request, session: one.session) { found.append(one) }
    }
    return query.newest(found)
  }

  mutating func found(_ raw: Raw) -> Found {
    let (request, session) = request(raw.copy)
    return Found(
      slot: raw.copy.slot, record: raw.copy.record, played: raw.played, request: request,
      session: session)
  }
}

extension JournalReader.Found {
  /// What is told of it, secrets and all.
  var entry: JournalEntry {
    JournalEntry(
      sequence: record.sequence, receivedAt: record.receivedAt, method: request.method,
      path: request.path, query: request.query, headers: request.headers, body: request.body,
      bodyByteCount: Int(record.bodyByteCountSent), session: session,
      contract: played?.contract, caseName: played?.caseName,
      reason: record.reason?.rawValue, status: record.status == 0 ? nil : Int(record.status),
      delayAsked: .nanoseconds(record.delayAsked), delayGiven: .nanoseconds(record.delayGiven),
      sentByteCount: Int(record.sentByteCount), outcome: record.outcome,
      isUnmatched: record.isMiss)
  }
}

extension Seat {
  /// The requests that are noted here and that a query means, the oldest first.
  func found(_ query: JournalQuery) -> [JournalReader.Found] {
    var reader = JournalReader(limits: limits.message)
    return reader.found(query, in: rawEntries(after: query.since, where: query.meansRecord))
  }

  func clearJournal(of found: [JournalReader.Found]) {
    for entry in found { journal.remove(entry.slot) }
  }

  /// Forgets the requests of a session, or all of them.
  func clearJournal(session: String?) {
    guard let session else { return journal.removeAll() }
    clearJournal(of: found(JournalQuery(session: session)))
  }

  /// What the journal holds here of the records that are meant and came after the one with this
  /// number, the oldest first.
  func rawEntries(
    after sequence: UInt64 = 0, where isMeant: (JournalRing.Record) -> Bool
  ) -> [JournalReader.Raw] {
    journal.copies(after: sequence, where: isMeant).map(raw)
  }

  /// `nil` when the record is forgotten.
  func rawEntry(at slot: JournalRing.Slot) -> JournalReader.Raw? {
    journal.copy(at: slot).map(raw)
  }

  private func raw(_ copy: JournalRing.Copy) -> JournalReader.Raw {
    JournalReader.Raw(copy: copy, played: labels.played(by: copy.record.label))
  }
}

import ContractModel
import HTTP

/// Turns what rings hold into entries, once they are copied off their loops.
struct JournalReader: ~Copyable {
  /// A record with its bytes and the words its numbers stand for.
  struct Raw: Sendable {
    let copy: JournalRing.Copy
    /// `dog-ceo/random-images#not-found`
    let label: String?
  }

  private let redaction: Redaction
  private var head: RequestHead

  init(_ redaction: Redaction, limits: MessageLimits) {
    self.redaction = redaction
    head = RequestHead(limits: limits)
  }

  /// The request as it was matched, secrets and all, and its session.
  mutating func request(_ copy: JournalRing.Copy) -> (Request, session: String) {
    // SAFETY: what is made of the bytes is copied out of them before the closures end.
    copy.head.withUnsafeBytes { headBytes in
      copy.body.withUnsafeBytes { body in
        var scanned = 0
        _ = head.parse(headBytes, scanned: &scanned)
        var request = Request(
          Arrival(
            head: headBytes, body: body, moment: Moment(unixSeconds: 0),
            receivedAt: copy.record.receivedAt), head)
        let session = request.removeSession()
        return (request, session)
      }
    }
  }

  mutating func entry(_ raw: Raw) -> JournalEntry {
    let record = raw.copy.record
    let (sent, session) = request(raw.copy)
    let request = redaction.redacted(sent)
    let parts = raw.label?.split(separator: "#", maxSplits: 1)
    return JournalEntry(
      sequence: record.sequence, receivedAt: record.receivedAt, method: request.method,
      path: request.path, query: request.query, headers: request.headers, body: request.body,
      bodyByteCount: Int(record.bodyByteCountSent), session: session,
      contract: parts?.first.map(String.init), caseName: parts?.last.map(String.init),
      reason: record.reason?.rawValue, status: record.status == 0 ? nil : Int(record.status),
      delayAsked: .nanoseconds(record.delayAsked), delayGiven: .nanoseconds(record.delayGiven),
      sentByteCount: Int(record.sentByteCount), outcome: record.outcome,
      isUnmatched: record.isMiss)
  }
}

extension Seat {
  /// Forgets the requests of a session, or all of them.
  func clearJournal(session: String?) {
    guard let session else { return journal.removeAll { _ in true } }
    var reader = JournalReader(core.redaction, limits: limits.message)
    let unwanted = Set(
      journal.copies().filter { reader.request($0).session == session }.map(\.record.sequence))
    journal.removeAll { unwanted.contains($0.sequence) }
  }

  /// What the journal holds here after the request with this number, the oldest first.
  func rawEntries(after sequence: UInt64 = 0) -> [JournalReader.Raw] {
    journal.copies(after: sequence).map(raw)
  }

  /// `nil` when the record is forgotten.
  func rawEntry(at slot: JournalRing.Slot) -> JournalReader.Raw? {
    journal.record(at: slot).flatMap { journal.copy(of: $0) }.map(raw)
  }

  private func raw(_ copy: JournalRing.Copy) -> JournalReader.Raw {
    JournalReader.Raw(copy: copy, label: labels.text(of: copy.record.label))
  }
}

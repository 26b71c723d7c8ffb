import ContractModel
import HTTP

/// Turns what rings hold into entries, once they are copied off their loops.
struct JournalReader: ~Copyable {
  /// A record with its bytes and the words its numbers stand for.
  struct Raw: Sendable {
    let copy: JournalRing.Copy
    let session: String
    /// `dog-ceo/random-images#not-found`
    let label: String?
  }

  private let redaction: Redaction
  private var head: RequestHead

  init(_ redaction: Redaction, limits: MessageLimits) {
    self.redaction = redaction
    head = RequestHead(limits: limits)
  }

  /// The request as it was matched, secrets and all.
  mutating func request(_ raw: Raw) -> Request {
    // SAFETY: what is made of the bytes is copied out of them before the closures end.
    raw.copy.head.withUnsafeBytes { headBytes in
      raw.copy.body.withUnsafeBytes { body in
        var scanned = 0
        _ = head.parse(headBytes, scanned: &scanned)
        var request = Request(
          Arrival(
            head: headBytes, body: body, moment: Moment(unixSeconds: 0),
            receivedAt: raw.copy.record.receivedAt), head)
        _ = request.removeSession()
        return request
      }
    }
  }

  mutating func entry(_ raw: Raw) -> JournalEntry {
    let record = raw.copy.record
    let request = redaction.redacted(request(raw))
    let parts = raw.label?.split(separator: "#", maxSplits: 1)
    return JournalEntry(
      sequence: record.sequence, receivedAt: record.receivedAt, method: request.method,
      path: request.path, query: request.query, headers: request.headers, body: request.body,
      bodyByteCount: Int(record.bodyByteCountSent), session: raw.session,
      contract: parts?.first.map(String.init), caseName: parts?.last.map(String.init),
      reason: record.reason?.rawValue, status: record.status == 0 ? nil : Int(record.status),
      delayAsked: .nanoseconds(record.delayAsked), delayGiven: .nanoseconds(record.delayGiven),
      sentByteCount: Int(record.sentByteCount), outcome: record.outcome,
      isUnmatched: record.isMiss)
  }
}

extension Seat {
  func session(of record: JournalRing.Record) -> String { labels.text(of: record.session) ?? "" }

  /// Forgets the requests of a session, or all of them.
  func clearJournal(session: String?) {
    let labels = labels
    journal.removeAll { session == nil || (labels.text(of: $0.session) ?? "") == session }
  }

  /// What the journal holds here, the oldest first.
  var rawEntries: [JournalReader.Raw] { journal.copies.map(raw) }

  /// `nil` when the record is forgotten.
  func rawEntry(at slot: JournalRing.Slot) -> JournalReader.Raw? {
    journal.record(at: slot).flatMap { journal.copy(of: $0) }.map(raw)
  }

  private func raw(_ copy: JournalRing.Copy) -> JournalReader.Raw {
    JournalReader.Raw(
      copy: copy, session: session(of: copy.record), label: labels.text(of: copy.record.label))
  }
}

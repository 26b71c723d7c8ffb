import UnderstudyContractModel
import UnderstudyHTTP

/// Turns the contents of rings into entries, off the threads that write them.
struct JournalReader: ~Copyable {
  /// A matching record and its request, secrets included.
  struct Found {
    let slot: JournalRing.Slot
    let record: JournalRing.Record
    let served: ServedCase?
    let request: Request
    let session: String
  }

  private var head: RequestHead

  init(limits: MessageLimits) {
    head = RequestHead(limits: limits)
  }

  /// The matching entries, in order.
  mutating func found(_ query: JournalQuery, in copies: [JournalRing.Copy]) -> [Found] {
    var found: [Found] = []
    for copy in copies where query.means(copy.served) {
      let one = self.found(copy)
      if query.means(one.request, session: one.session) { found.append(one) }
    }
    return query.newest(found)
  }

  mutating func found(_ copy: JournalRing.Copy) -> Found {
    // SAFETY: everything made of the bytes is copied before the closures end.
    copy.head.withUnsafeBytes { headBytes in
      copy.body.withUnsafeBytes { body in
        var scanned = 0
        _ = head.parse(headBytes, scanned: &scanned)
        var request = Request(head: headBytes, head, body: body)
        let session = request.removeSession()
        return Found(
          slot: copy.slot, record: copy.record, served: copy.served, request: request,
          session: session)
      }
    }
  }
}

extension JournalReader.Found {
  /// The journal entry, secrets included.
  var entry: JournalEntry {
    JournalEntry(
      sequence: record.sequence, receivedAt: record.receivedAt, method: request.method,
      path: request.path, query: request.query, headers: request.headers, body: request.body,
      bodyByteCount: Int(record.bodyByteCountSent), session: session,
      contract: served?.contract, caseName: served?.caseName,
      reason: record.reason?.rawValue, status: record.status == 0 ? nil : Int(record.status),
      delayConfigured: .nanoseconds(record.delayConfigured),
      delayActual: .nanoseconds(record.delayActual),
      sentByteCount: Int(record.sentByteCount), outcome: record.outcome,
      isUnmatched: record.isUnmatched)
  }
}

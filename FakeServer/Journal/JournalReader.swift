import UnderstudyContractModel
import UnderstudyHTTP

/// Turns the contents of rings into entries, off the threads that write them.
struct JournalReader: ~Copyable {
  private var head: RequestHead

  init(limits: MessageLimits) {
    head = RequestHead(limits: limits)
  }

  /// The matching entries, in order.
  mutating func entries(_ query: JournalQuery, in copies: [JournalRing.Copy]) -> [JournalEntry] {
    var entries: [JournalEntry] = []
    for copy in copies where query.means(copy.served) && query.means(copy.callbacks) {
      let entry = entry(copy)
      if query.means(entry.request, session: entry.session) { entries.append(entry) }
    }
    return query.newest(entries)
  }

  /// Secrets included.
  mutating func entry(_ copy: JournalRing.Copy) -> JournalEntry {
    // SAFETY: everything made of the bytes is copied before the closures end.
    copy.head.withUnsafeBytes { headBytes in
      copy.body.withUnsafeBytes { body in
        var scanned = 0
        _ = head.parse(headBytes, scanned: &scanned)
        var request = Request(head: headBytes, head, body: body)
        let session: String
        if copy.record.reason == .undeclared {
          // No upstream's path has room for the session and the host.
          session = ProxyCredentials(head, in: headBytes)?.user ?? ""
          request.path = String(headBytes.text(head.target).prefix { $0 != "?" })
        } else {
          session = request.removeSession()
        }
        return JournalEntry(
          copy.record, request, served: copy.served, session: session, callbacks: copy.callbacks)
      }
    }
  }
}

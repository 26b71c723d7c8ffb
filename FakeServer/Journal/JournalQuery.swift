import UnderstudyContractModel

/// Filters journal entries; all conditions must match.
package struct JournalQuery: Sendable {
  /// `dog-ceo/random-images`
  package var contract: String?
  package var caseName: String?
  package var method: String?
  /// A prefix of the path as sent, without the session.
  package var pathPrefix: String?
  package var status: Int?
  package var outcome: JournalRecord.Outcome?
  /// Only requests that a callback of this name has followed, whatever came of it.
  package var callback: String?
  /// Empty for the main session; `nil` for all.
  package var session: String?
  /// Only unmatched requests.
  package var isUnmatched = false
  /// Only the entry with this number.
  package var sequence: UInt64?
  /// Only entries after the one with this number.
  package var since: UInt64 = 0
  /// Only this many of the newest entries.
  package var countMax: Int?

  package init(_ narrow: (inout Self) -> Void = { _ in }) { narrow(&self) }

  func newest<Entry>(_ entries: [Entry]) -> [Entry] { entries.suffix(countMax ?? .max) }
}

// Filters in three steps, the cheapest first, so that most entries are neither copied nor read.
extension JournalQuery {
  /// Whether a record may match, checked without its bytes.
  var meansRecord: @Sendable (JournalRecord) -> Bool {
    let mark = session.map(JournalRing.mark)
    return { record in
      record.sequence > since
        && (sequence == nil || record.sequence == sequence)
        && (mark == nil || record.sessionMark == mark)
        && (status == nil || record.status == status)
        && (outcome == nil || record.outcome == outcome)
        && (!isUnmatched || record.isUnmatched) && (callback == nil || record.hasCallbacks)
    }
  }

  /// Whether the served case matches.
  func means(_ served: ServedCase?) -> Bool {
    (contract == nil || served?.contract == contract)
      && (caseName == nil || served?.caseName == caseName)
  }

  /// Whether the callbacks match.
  func means(_ callbacks: [CallbackAttempt]) -> Bool {
    callback == nil || callbacks.contains { $0.name == callback && !$0.outcome.isOpen }
  }

  /// Whether the request matches.
  func means(_ request: Request, session: String) -> Bool {
    (method == nil || request.method == method)
      && (pathPrefix.map(request.path.hasPrefix) ?? true)
      && (self.session == nil || session == self.session)
  }
}

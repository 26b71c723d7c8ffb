import UnderstudyContractModel

/// Which entries of a journal are meant: those for which everything that is said here holds.
package struct JournalQuery: Sendable {
  /// `dog-ceo/random-images`
  package var contract: String?
  package var caseName: String?
  package var method: String?
  /// Of the path without a session, as it was sent.
  package var pathPrefix: String?
  package var status: Int?
  package var outcome: JournalEntry.Outcome?
  /// Empty for the main one; `nil` for all.
  package var session: String?
  /// Only those that no contract answered.
  package var isUnmatched = false
  /// Only those after the entry with this number.
  package var since: UInt64 = 0
  /// Of those that are left, only so many of the newest.
  package var countMax: Int?

  package init(_ narrow: (inout Self) -> Void = { _ in }) { narrow(&self) }

  func newest<Entry>(_ entries: [Entry]) -> [Entry] { entries.suffix(countMax ?? .max) }
}

// What a query asks is asked in three steps, the cheapest first: most of a journal is not meant, and
// is then neither copied nor read.
extension JournalQuery {
  /// Whether a record can be meant, by what it tells without its bytes.
  var meansRecord: @Sendable (JournalRing.Record) -> Bool {
    let mark = session.map(JournalRing.mark)
    return { record in
      record.sequence > since
        && (mark == nil || record.sessionMark == mark)
        && (status == nil || Int(record.status) == status && status != 0)
        && (outcome == nil || record.outcome == outcome)
        && (!isUnmatched || record.isMiss)
    }
  }

  /// Whether what was played is meant.
  func means(_ played: PlayedCase?) -> Bool {
    (contract == nil || played?.contract == contract)
      && (caseName == nil || played?.caseName == caseName)
  }

  /// Whether what was sent is meant.
  func means(_ request: Request, session: String) -> Bool {
    (method == nil || request.method == method)
      && (pathPrefix.map(request.path.hasPrefix) ?? true)
      && (self.session == nil || session == self.session)
  }
}

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

  package init(
    contract: String? = nil, caseName: String? = nil, method: String? = nil,
    pathPrefix: String? = nil, status: Int? = nil, outcome: JournalEntry.Outcome? = nil,
    session: String? = nil, isUnmatched: Bool = false, since: UInt64 = 0, countMax: Int? = nil
  ) {
    self.contract = contract
    self.caseName = caseName
    self.method = method
    self.pathPrefix = pathPrefix
    self.status = status
    self.outcome = outcome
    self.session = session
    self.isUnmatched = isUnmatched
    self.since = since
    self.countMax = countMax
  }

  func newest<Entry>(_ entries: [Entry]) -> [Entry] { entries.suffix(countMax ?? .max) }

  func selects(_ entry: JournalEntry) -> Bool {
    entry.sequence > since
      && (contract == nil || entry.contract == contract)
      && (caseName == nil || entry.caseName == caseName)
      && (method == nil || entry.method == method)
      && (pathPrefix.map(entry.path.hasPrefix) ?? true)
      && (status == nil || entry.status == status)
      && (outcome == nil || entry.outcome == outcome)
      && (session == nil || entry.session == session)
      && (!isUnmatched || entry.isUnmatched)
  }
}

package import UnderstudyContractModel

/// A request and its outcome, as reported to a server's listener.
package struct Exchange: Sendable {
  /// What the response came from.
  package enum Source: Sendable {
    case served(ServedCase)
    case unmatched(Explanation)
    /// The server itself, with a reason in words and perhaps what to do about it.
    case server(String, fix: String? = nil)
    /// A live API, or nobody, as the mode says, in words.
    case mode(String)
  }

  package internal(set) var record: JournalRecord
  /// Empty, like the target, when the bytes were not a valid request.
  package let method: String
  /// As sent, including session and query, without secrets.
  package let target: String
  package internal(set) var source: Source
  /// Whether the response took time, so that its delays are known.
  package internal(set) var isTimed = false

  init(_ record: JournalRecord, method: String, target: String, _ source: Source) {
    self.record = record
    self.method = method
    self.target = target
    self.source = source
  }
}

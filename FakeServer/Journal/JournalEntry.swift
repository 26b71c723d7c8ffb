package import UnderstudyContractModel
package import UnderstudySecrets

/// One request in the request log, and its outcome.
///
/// Contains the request as sent, since tests need to see tokens; mask it before printing it.
@dynamicMemberLookup
package struct JournalEntry: Sendable {
  package let record: JournalRecord
  /// `nil` when no contract matched.
  package let served: ServedCase?
  /// As sent, without its session; its body is cut off at the request log's limit.
  package private(set) var request: Request
  /// Empty for the main session.
  package let session: String
  /// The requests that follow the response.
  package private(set) var callbacks: [CallbackAttempt]

  package init(
    _ record: JournalRecord, _ request: Request, served: ServedCase?, session: String = "",
    callbacks: [CallbackAttempt] = []
  ) {
    self.record = record
    self.request = request
    self.served = served
    self.session = session
    self.callbacks = callbacks
  }

  package subscript<Value>(dynamicMember member: KeyPath<JournalRecord, Value>) -> Value {
    record[keyPath: member]
  }

  package subscript<Value>(dynamicMember member: KeyPath<Request, Value>) -> Value {
    request[keyPath: member]
  }

  package var contract: String? { served?.contract }
  package var caseName: String? { served?.caseName }

  /// Whether its mode decided, so that no contract was asked.
  package var isByMode: Bool { record.reason == .mode }

  /// This entry without secrets.
  package func masked(by mask: SecretMask) -> JournalEntry {
    var entry = self
    entry.request = mask.masked(request)
    entry.callbacks = callbacks.map { $0.masked(by: mask) }
    return entry
  }
}

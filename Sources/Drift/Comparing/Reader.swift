package import UnderstudyClient
import UnderstudyFindings
package import UnderstudyJSON

/// A consumer that has been called for a case, as far as a change of the answer concerns it.
package struct Reader: Sendable {
  package let name: String
  /// What it read of the body; `nil` when that is not known.
  package let paths: ReadPaths?
  /// Which headers it read; `nil` when that is not known.
  package let headers: HeaderReads?
  /// Whether it made of this very answer what the contract says, a value or which error.
  package let isContent: Bool

  package init(_ name: String, paths: ReadPaths?, headers: HeaderReads?, isContent: Bool) {
    self.name = name
    self.paths = paths
    self.headers = headers
    self.isContent = isContent
  }

  /// Whether it reads what differs; `nil` when nobody knows.
  func reads(_ difference: AnswerDifference) -> Bool? {
    switch difference.type {
    // Whoever takes an answer takes its status, and whether there is a body to read.
    case .status, .bodyUnreadable: return true
    case .performance: return nil
    case .headerAdded, .headerRemoved, .headerChanged:
      return headers?.isRead(difference.subject)
    default:
      guard let paths, !difference.pointers.isEmpty else { return nil }
      return difference.pointers.contains(where: paths.isRead)
    }
  }
}

extension [Reader] {
  /// How bad a difference is, by the one rule for status, headers, bodies and times, whether all
  /// answers show it or only some:
  ///
  /// | what differs is | severity |
  /// | --- | --- |
  /// | an addition | INFO |
  /// | read, and whoever reads it is broken | ERR |
  /// | read, and whoever reads it has survived | WARN |
  /// | known to be read by nobody | INFO |
  /// | read or not, nobody knows: there is no consumer, or one whose reads are not known | WARN |
  ///
  /// Of several consumers the one that is worst off decides.
  func severity(of difference: AnswerDifference) -> Finding.Severity {
    if difference.type.isAddition { return .info }
    if contains(where: { !$0.isContent && $0.reads(difference) == true }) { return .error }
    return !isEmpty && allSatisfy { $0.reads(difference) == false } ? .info : .warning
  }

  /// Those of whom it is known that they read what differs in a body or a header.
  func names(of difference: AnswerDifference) -> [String] {
    guard difference.isPart else { return [] }
    return filter { $0.reads(difference) == true }.map(\.name)
  }
}

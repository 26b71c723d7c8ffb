package import UnderstudyClient
import UnderstudyContractModel
import UnderstudyFindings
package import UnderstudyJSON

/// What a consumer read of a response, and whether it still works with it: both decide whether a
/// difference is an error, a warning or a note.
package struct ConsumerReads: Sendable {
  /// The name of the consumer.
  package let name: String
  /// The parts of the body it read; `nil` if unknown.
  package let paths: ReadPaths?
  /// The headers it read; `nil` if unknown.
  package let headers: HeaderReads?
  /// Whether its result for this response is of the kind in the contract: a value, or which error.
  package let isContent: Bool

  package init(_ name: String, paths: ReadPaths?, headers: HeaderReads?, isContent: Bool) {
    self.name = name
    self.paths = paths
    self.headers = headers
    self.isContent = isContent
  }

  /// Whether it reads the part that differs; `nil` if unknown.
  func reads(_ difference: Difference) -> Bool? {
    switch difference.type {
    // Every consumer reads the status, and whether there is a body.
    case .status, .bodyUnreadable: return true
    case .performance: return nil
    default:
      if let header = difference.header { return headers?.isRead(header) }
      guard let paths, !difference.pointers.isEmpty else { return nil }
      return difference.pointers.contains(where: paths.isRead)
    }
  }
}

extension [ConsumerReads] {
  /// The severity of a difference, by the same rule for status, headers, bodies and times, whether
  /// all responses show it or only some:
  ///
  /// | the part that differs is | severity |
  /// | --- | --- |
  /// | an addition | note |
  /// | read, and a reader is broken | error |
  /// | a member that the contract allows to be missing | note |
  /// | read, and all readers still work | warning |
  /// | known not to be read | note |
  /// | possibly read: the case has no consumer, or one whose reads are unknown | warning |
  /// | possibly read, breaks who reads it, and the contract has no consumer at all | error |
  ///
  /// With several consumers, the most severely affected one decides.
  func severity(of difference: Difference, in contract: Contract) -> Finding.Severity {
    if difference.type.isAddition { return .note }
    if contains(where: { !$0.isContent && $0.reads(difference) == true }) { return .error }
    if difference.isOptional { return .note }
    if isEmpty, !contract.hasConsumers, difference.isBreak { return .error }
    return !isEmpty && allSatisfy { $0.reads(difference) == false } ? .note : .warning
  }

  /// The readers known to read the differing part of a body or a header.
  func names(of difference: Difference) -> [String] {
    guard difference.isPart else { return [] }
    return filter { $0.reads(difference) == true }.map(\.name)
  }
}

import Findings
package import JSON

/// A consumer that has been called for a case, as far as a change of the answer concerns it.
package struct Reader: Sendable {
  package let name: String
  /// What it read of the answer; `nil` when that is not known, and then it counts as all.
  package let paths: ReadPaths?
  /// Whether it made of the live answer what the contract says, a value or which error.
  package let isContent: Bool

  package init(_ name: String, paths: ReadPaths?, isContent: Bool) {
    self.name = name
    self.paths = paths
    self.isContent = isContent
  }

  func reads(_ pointers: [JSONPointer]) -> Bool {
    guard let paths else { return true }
    return pointers.contains(where: paths.isRead)
  }
}

extension [Reader] {
  /// How bad a difference is: by whether anybody reads what differs, and whether it harmed them. When
  /// nobody is known to read the case, all of it counts as read.
  func severity(of difference: Difference) -> Finding.Severity {
    let severity = severityByReading(of: difference)
    return Swift.max(severity, difference.severityMax)
  }

  private func severityByReading(of difference: Difference) -> Finding.Severity {
    switch difference.type {
    case .status: return .error
    case .performance: return .warning
    case .schemaFieldAdded: return .info
    default: break
    }
    if isEmpty { return difference.type.isBreaking ? .error : .warning }
    let readers = readers(of: difference)
    if readers.isEmpty { return .info }
    return readers.contains { !$0.isContent } ? .error : .warning
  }

  /// Those who read what differs; nobody knows who reads a header, so that all count.
  func readers(of difference: Difference) -> [Reader] {
    difference.pointers.isEmpty ? self : filter { $0.reads(difference.pointers) }
  }
}

extension FindingType {
  /// Whether a client is likely to stumble over it.
  fileprivate var isBreaking: Bool {
    switch self {
    case .status, .bodyUnreadable, .schemaFieldRemoved, .schemaTypeChanged,
      .schemaNullabilityChanged:
      true
    default: false
    }
  }
}

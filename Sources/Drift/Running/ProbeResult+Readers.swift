import UnderstudyCore
import UnderstudyFindings

extension [ProbeResult] {
  /// - Parameter checks: of the results, as they are reported.
  func unknownReaders(in checks: [Check]) -> Finding? {
    filter { !$0.knowsReaders }.map(\.probe).unknownReaders(in: checks)
  }
}

extension [PlannedProbe] {
  /// One finding for all cases whose changes are WARN because their readers are unknown; `nil` when
  /// there is none.
  ///
  /// - Parameter checks: of these cases, whose readers are not all known, and of others.
  func unknownReaders(in checks: [Check]) -> Finding? {
    let changed = Set(
      checks.filter { check in
        check.identity.consumer == nil
          && check.findings.contains { $0.severity == .warning && $0.type != .performance }
      }.map(\.identity))
    let unknown = filter { changed.contains($0.identity) }
    let ids = unknown.map(\.identity.caseID)
    guard let first = ids.first else { return nil }
    let tools = Set(unknown.flatMap(\.strangers).compactMap(\.toolName)).sorted()
    let rest = ids.count > 1 ? " and \((ids.count - 1).of("more case"))" : ""
    return Finding(
      .info, .readersUnknown,
      "readers of the changes in \(first)\(rest) are unknown, so the changes are WARN",
      fix: tools.isEmpty
        ? "add an expectation of a service to the case, or fail on such changes: --fail-on WARN"
        : "run \(tools.map { "`\($0) drift`" }.joined(separator: " and ")), which knows")
  }
}

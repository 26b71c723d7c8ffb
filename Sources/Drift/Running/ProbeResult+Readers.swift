import UnderstudyCore
import UnderstudyFindings

extension [ProbeResult] {
  /// One finding for all cases whose changes are WARN because their readers are unknown; `nil` when
  /// there is none.
  ///
  /// - Parameter checks: of the results, as they are reported.
  func unknownReaders(in checks: [Check]) -> Finding? {
    let changed = Set(
      checks.filter { check in
        check.identity.consumer == nil
          && check.findings.contains { $0.severity == .warning && $0.type != .performance }
      }.map(\.identity))
    let unknown = filter { !$0.knowsReaders && changed.contains($0.probe.identity) }.map(\.probe)
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

import UnderstudyConsumers
import UnderstudyContractModel
import UnderstudyCore
import UnderstudyFindings

extension [LiveCaseResult] {
  /// - Parameter checks: of the results, as they are reported.
  func unknownReaders(in checks: [Check]) -> [Finding] {
    filter { !$0.knowsReaders }.map(\.liveCase).unknownReaders(in: checks)
  }
}

extension [PlannedCase] {
  /// At most one finding for all cases whose changes are warnings because their readers are
  /// unknown, and one for those whose changes are errors because their contract has no consumer.
  ///
  /// - Parameter checks: of these cases, whose readers are not all known, and of others.
  fileprivate func unknownReaders(in checks: [Check]) -> [Finding] {
    func changed(_ isMeant: (Finding) -> Bool) -> Self {
      let changed = Set(
        checks.filter { $0.identity.consumer == nil && $0.findings.contains(where: isMeant) }
          .map(\.identity))
      return filter { changed.contains($0.identity) }
    }
    let undeclared = changed { $0.severity == .error && $0.type.isBreak }.filter {
      !$0.contract.hasConsumers
    }
    let known = Set(undeclared.map(\.identity))
    let unknown = changed { $0.severity == .warning && $0.type != .performance }.filter {
      !known.contains($0.identity)
    }
    let tools = Set(unknown.flatMap(\.strangers).compactMap(\.toolName)).sorted()
    let commands = Set(
      unknown.flatMap(\.readers).filter { $0.consumer.command != nil && $0.learned == nil }
        .map(\.consumer.name)
    ).sorted()
    var ways: [String] = []
    if !commands.isEmpty {
      let names = commands.joined(separator: ", ")
      ways.append("`understudy reads --learn`, which finds out what \(names) reads")
    }
    if !tools.isEmpty {
      ways.append("\(tools.map { "`\($0) drift`" }.joined(separator: " and ")), which knows")
    }
    return [
      undeclared.named.map { cases in
        Finding(
          .note, .consumersUnknown,
          "no consumer is declared for \(cases), so changes that would break one are errors",
          fix: "declare who reads it in consumers.json and \"expect\", or accept the changes with a"
            + " reason: --accepted")
      },
      unknown.named.map { cases in
        Finding(
          .note, .consumersUnknown,
          "it is not known which consumers read the changes in \(cases), so they are warnings",
          fix: ways.isEmpty
            ? "add an expectation of a service to the case, or fail on such changes: --fail-on warning"
            : "run \(ways.joined(separator: "; and "))")
      },
    ].compactMap(\.self)
  }

  /// `joke/random-joke#ok and 2 more cases`; `nil` when there is none.
  private var named: String? {
    guard let first else { return nil }
    let rest = count > 1 ? " and \((count - 1).of("more case"))" : ""
    return first.identity.caseID + rest
  }
}

import UnderstudyCore

/// The result of a run.
///
/// The target has results as values, for those who make them (`Suite`, `Drift`, lint) and those who
/// show them (`Reports`). Read `CheckResult` and `FindingType`, then `Finding`, `Check` and `Run`,
/// of which this type consists. `Report+Writing` and `Report+Reading` are its JSON, by which shards
/// send their reports; `Report+Joining` makes one of them. `HistoryRecord` and `RequestRecord` are
/// the lines that live checks leave, and `History` is what many such lines say.
///
/// Whether a check passes or fails, its findings alone decide; and a report in which nothing was
/// exercised fails, unless it is one shard of several. Names in JSON never change their meaning.
/// Findings and checks mask secrets when they are made; whoever shows their texts makes them
/// harmless to a terminal, a page or a CI system.
package struct Report: Hashable, Sendable {
  package let run: Run
  /// One for each combination of case and consumer, including those not exercised.
  package let checks: [Check]
  /// Problems of the run as a whole, the most severe first.
  package let findings: [Finding]
  /// The owner of each upstream, by its name, if its contracts name one.
  package let owners: [String: String]

  /// Adds a finding if nothing was exercised or planned checks are missing. A single shard cannot
  /// tell either; only the joined report can.
  package init(
    _ run: Run, checks: [Check], findings: [Finding] = [], owners: [String: String] = [:]
  ) {
    self.run = run
    self.owners = owners
    self.checks = checks
    let isPart = run.shard.map { $0.count > 1 } ?? false && run.plannedCount > 0
    var own: [Finding] = []
    if !isPart, checks.allSatisfy({ $0.result == .notExercised }) {
      own.append(.nothingExercised)
    } else if !isPart, checks.count < run.plannedCount {
      own.append(.incomplete(checks.count, of: run.plannedCount))
    }
    self.findings = (findings + own.filter { !findings.contains($0) }).bySeverity
  }

  /// The result of the whole run: never `notExercised`, since such a run has failed, unless it is a
  /// shard, which passes.
  package var result: CheckResult {
    let results = Set(checks.map(\.result))
    if results.contains(.fail) || findings.contains(where: { $0.severity <= run.failsOn }) {
      return .fail
    }
    return results.contains(.couldNotCheck) ? .couldNotCheck : .pass
  }

  package var exitCode: Int32 {
    switch result {
    case .pass: 0
    case .fail, .notExercised: 1
    case .couldNotCheck: 3
    }
  }

  package func checks(_ result: CheckResult) -> [Check] { checks.filter { $0.result == result } }

  package func count(_ result: CheckResult) -> Int { checks.count { $0.result == result } }

  /// The owner of the check's upstream, if its contracts name one.
  package func owner(of check: Check) -> String? { owners[check.identity.upstream] }

  /// The number of cases and consumers that the run has a result for.
  package var exercisedCount: Int {
    checks.count { check in
      [.pass, .fail].contains(check.result)
        // Without its secret no request was sent.
        && !check.findings.contains { $0.type == .secretMissing }
    }
  }

  /// `40 checks: 37 passed, 1 failed, 2 not exercised`
  package var summary: String {
    let counts = CheckResult.allCases.map { (count($0), $0) }.filter { $0.0 > 0 }
      .map { "\($0.0) \($0.1.words)" }
    let total = checks.count.of("check")
    return counts.isEmpty ? total : "\(total): \(counts.joined(separator: ", "))"
  }
}

extension Finding {
  static let nothingExercised = Finding(
    .error, .nothingExercised, "nothing was exercised, so the run proves nothing",
    fix: "see the reason at each case, or name cases that can be exercised")

  static func incomplete(_ count: Int, of plannedCount: Int) -> Finding {
    Finding(
      .error, .incomplete, "found \(count.of("check")), expected \(plannedCount) as planned",
      fix: "run it to the end")
  }
}

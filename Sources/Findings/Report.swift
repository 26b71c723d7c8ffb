import UnderstudyCore

/// What a run came to.
package struct Report: Hashable, Sendable {
  package let run: Run
  /// One for each case and consumer there is, those that nothing exercised included.
  package let checks: [Check]
  /// What is wrong with the run as a whole, the worst first.
  package let findings: [Finding]
  /// Who answers for an upstream, by its name, as far as its contracts say.
  package let owners: [String: String]

  /// Adds to the findings that nothing was exercised, or that planned checks are missing. Of one
  /// shard among several neither can be said: only those who have all shards know.
  package init(
    _ run: Run, checks: [Check], findings: [Finding] = [], owners: [String: String] = [:]
  ) {
    self.run = run
    self.owners = owners
    self.checks = checks
    let isPart = run.shard.map { $0.count > 1 } ?? false && run.plannedCount > 0
    var own: [Finding] = []
    if !isPart, checks.allSatisfy({ $0.verdict == .notExercised }) {
      own.append(.nothingExercised)
    } else if !isPart, checks.count < run.plannedCount {
      own.append(.incomplete(checks.count, of: run.plannedCount))
    }
    self.findings = (findings + own.filter { !findings.contains($0) }).bySeverity
  }

  /// Of the whole run: never `notExercised`, since such a run has failed.
  package var verdict: Verdict {
    let verdicts = Set(checks.map(\.verdict))
    if verdicts.contains(.fail) || findings.contains(where: { $0.severity <= run.failsOn }) {
      return .fail
    }
    return verdicts.contains(.couldNotCheck) ? .couldNotCheck : .pass
  }

  package var exitCode: Int32 {
    switch verdict {
    case .pass: 0
    case .fail, .notExercised: 1
    case .couldNotCheck: 3
    }
  }

  package func checks(_ verdict: Verdict) -> [Check] { checks.filter { $0.verdict == verdict } }

  package func count(_ verdict: Verdict) -> Int { checks.count { $0.verdict == verdict } }

  /// Who answers for what the check is about, if its contracts say.
  package func owner(of check: Check) -> String? { owners[check.identity.upstream] }

  /// Cases and consumers about which the run can say something.
  package var exercisedCount: Int {
    checks.count { check in
      [.pass, .fail].contains(check.verdict)
        // Without its secret nothing was asked.
        && !check.findings.contains { $0.type == .secretMissing }
    }
  }

  /// `40 checks: 37 passed, 1 failed, 2 not exercised`
  package var summary: String {
    let counts = Verdict.allCases.map { (count($0), $0) }.filter { $0.0 > 0 }
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

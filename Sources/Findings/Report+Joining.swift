import Diagnostics

extension Report {
  /// One report of a run that many machines shared.
  ///
  /// A shard that is missing or there twice is a finding that fails the run, not an error: what
  /// the others found is worth showing. Of the same check in two reports the worse verdict counts.
  package static func joining(shards reports: [Named<Report>]) throws(FindingsError) -> Report {
    guard let first = reports.first else { throw .nothingToJoin }
    for report in reports {
      guard report.value.run.shard != nil else { throw .noShard(file: report.name) }
      for (what, value) in commons {
        let (one, other) = (value(first.value.run), value(report.value.run))
        guard ExactText(one) == ExactText(other) else {
          throw .otherRun(what, Named(first.name, one), Named(report.name, other))
        }
      }
    }
    let runs = reports.map(\.value.run)
    let seeds = Set(runs.map(\.seed))
    let run = Run(
      command: first.value.run.command, toolVersion: first.value.run.toolVersion,
      seed: seeds.count == 1 ? first.value.run.seed : nil,
      plannedCount: first.value.run.plannedCount, failsOn: first.value.run.failsOn,
      startedAt: runs.map(\.startedAt).min() ?? "", duration: runs.map(\.duration).max() ?? .zero)
    var findings = missingOrDuplicated(reports)
    var known = Set(findings)
    for finding in reports.flatMap(\.value.findings) where known.insert(finding).inserted {
      findings.append(finding)
    }
    return Report(run, checks: worst(of: reports.flatMap(\.value.checks)), findings: findings)
  }

  /// What all shards of a run have in common.
  private static let commons: [(what: String, value: @Sendable (Run) -> String)] = [
    ("command", { "\"\($0.command)\"" }),
    ("version", { $0.toolVersion }),
    ("shard count", { "\($0.shard?.count ?? 0)" }),
    ("plan", { $0.plannedCount.of("check") }),
    ("fail-on", { $0.failsOn.rawValue }),
  ]

  private static func missingOrDuplicated(_ reports: [Named<Report>]) -> [Finding] {
    let files = Dictionary(grouping: reports) { $0.value.run.shard?.index ?? 0 }
    let count = reports.first?.value.run.shard?.count ?? 0
    return (1...max(count, 1)).compactMap { index in
      let names = (files[index] ?? []).map(\.name)
      switch names.count {
      case 0: return .shardMissing(index, of: count)
      case 1: return nil
      default: return .shardDuplicated(index, of: count, in: names)
      }
    }
  }

  /// In the order in which the checks first stand.
  private static func worst(of checks: [Check]) -> [Check] {
    var places: [Check.Identity: Int] = [:]
    var worst: [Check] = []
    for check in checks {
      if let place = places[check.identity] {
        if check.verdict.weight > worst[place].verdict.weight { worst[place] = check }
      } else {
        places[check.identity] = worst.count
        worst.append(check)
      }
    }
    return worst
  }
}

extension Finding {
  fileprivate static func shardMissing(_ index: Int, of count: Int) -> Finding {
    Finding(
      .error, .shardMissing, "found no report of shard \(index)/\(count)",
      fix: "see why that machine left none, and run it again")
  }

  fileprivate static func shardDuplicated(_ index: Int, of count: Int, in files: [String])
    -> Finding
  {
    Finding(
      .error, .shardDuplicated,
      "found \(files.count) reports of shard \(index)/\(count): \(files.joined(separator: ", "))",
      fix: "give each machine a shard of its own")
  }
}

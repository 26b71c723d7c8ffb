package import UnderstudyCore

extension Report {
  /// Joins the reports of all shards of a run.
  ///
  /// A missing or duplicate shard is a finding that fails the run, not an error, as are shards that
  /// were divided differently: their findings are still worth showing. If two reports have the same
  /// check, the worse result counts.
  package static func joining(
    shards: [(file: String, report: Report)]
  ) throws(Failure) -> Report {
    guard let first = shards.first else { throw .nothingToJoin }
    for shard in shards {
      guard shard.report.run.shard != nil else { throw .noShard(file: shard.file) }
      for (what, text) in commons {
        let (one, other) = (text(first.report.run), text(shard.report.run))
        guard one == other else {
          throw .otherRun(what, (first.file, one), (shard.file, other))
        }
      }
    }
    let runs = shards.map(\.report.run)
    let seeds = Set(runs.map(\.seed))
    let revisions = Set(runs.map(\.revision))
    let run = Run(
      command: first.report.run.command, toolVersion: first.report.run.toolVersion,
      seed: seeds.count == 1 ? first.report.run.seed : nil,
      plannedCount: first.report.run.plannedCount, failsOn: first.report.run.failsOn,
      startedAt: runs.map(\.startedAt).min() ?? "", duration: runs.map(\.duration).max() ?? .zero,
      revision: revisions.count == 1 ? first.report.run.revision : nil)
    var findings = missingOrDuplicated(shards) + dividedDifferently(shards)
    var known = Set(findings)
    for finding in shards.flatMap(\.report.findings) where known.insert(finding).inserted {
      findings.append(finding)
    }
    let owners = shards.reduce(into: [:]) { $0.merge($1.report.owners) { first, _ in first } }
    return Report(
      run, checks: worst(of: shards.flatMap(\.report.checks)), findings: findings, owners: owners)
  }

  /// What all shards of a run have in common.
  private static let commons: [(what: String, text: @Sendable (Run) -> String)] = [
    ("command", { "\"\($0.command)\"" }),
    ("version", { $0.toolVersion }),
    ("shard count", { "\($0.shard?.count ?? 0)" }),
    ("plan", { $0.plannedCount.of("check") }),
    ("fail-on", { $0.failsOn.rawValue }),
  ]

  private static func missingOrDuplicated(
    _ shards: [(file: String, report: Report)]
  ) -> [Finding] {
    guard let count = shards.first?.report.run.shard?.count else { return [] }
    let files = Dictionary(grouping: shards) { $0.report.run.shard?.index }
    return (1...count).compactMap { index in
      let names = (files[index] ?? []).map(\.file)
      switch names.count {
      case 0: return .shardMissing(index, of: count)
      case 1: return nil
      default: return .shardDuplicated(index, of: count, in: names)
      }
    }
  }

  /// Checks that two shards ran can make up for checks that no shard ran, so the total count does
  /// not show it.
  private static func dividedDifferently(_ shards: [(file: String, report: Report)]) -> [Finding] {
    let divisions = Dictionary(grouping: shards) { $0.report.run.division }
    if divisions.count > 1 {
      let groups = divisions.values.map { $0.map(\.file).joined(separator: ", ") }.sorted()
      return [.dividedDifferently(groups)]
    }
    var owners: [Check.Identity: Set<Int>] = [:]
    for shard in shards {
      for check in shard.report.checks {
        owners[check.identity, default: []].insert(shard.report.run.shard?.index ?? 0)
      }
    }
    let shared = owners.filter { $0.value.count > 1 }.keys.map(\.description).sorted()
    return shared.first.map { [.inSeveralShards(shared.count, such: $0)] } ?? []
  }

  /// In the order in which the checks first occur.
  private static func worst(of checks: [Check]) -> [Check] {
    var places: [Check.Identity: Int] = [:]
    var worst: [Check] = []
    for check in checks {
      if let place = places[check.identity] {
        if check.result.weight > worst[place].result.weight { worst[place] = check }
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
      .error, .shardMissing, "no report of shard \(index)/\(count)",
      fix: "find out why that machine wrote none, then run it again")
  }

  fileprivate static func shardDuplicated(
    _ index: Int, of count: Int, in files: [String]
  ) -> Finding {
    Finding(
      .error, .shardDuplicated,
      "\(files.count) reports of shard \(index)/\(count): \(files.joined(separator: ", "))",
      fix: "give each machine its own shard")
  }

  private static let oneDivision =
    "give all machines the same contracts, services, options and --durations"

  fileprivate static func dividedDifferently(_ groups: [String]) -> Finding {
    Finding(
      .error, .shardDivision,
      "found \(groups.count) divisions of the run, expected one: \(groups.joined(separator: "; "))",
      fix: oneDivision)
  }

  fileprivate static func inSeveralShards(_ count: Int, such name: String) -> Finding {
    Finding(
      .error, .shardDivision,
      "\(count.of("check")) in more than one shard, such as \(name)", fix: oneDivision)
  }
}

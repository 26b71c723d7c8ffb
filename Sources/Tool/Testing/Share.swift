import UnderstudyCore
import UnderstudyFindings
import UnderstudySuite

/// One machine's share of a run.
struct Share {
  let shard: Shard
  /// This machine's part of the checks and gaps of the whole run.
  let plan: SuitePlan
  let plannedCount: Int
  let division: String

  /// `nil` when one machine runs everything.
  init?(
    _ arguments: ParsedArguments, of whole: SuitePlan, _ terminal: inout Terminal
  ) throws(Failure) {
    let file = try arguments.value(of: TestOptions.durations)
    guard let option = try arguments.value(of: TestOptions.shard) else {
      if file != nil { throw .durationsWithoutShard() }
      return nil
    }
    if try TestOptions.mutation(arguments) != nil { throw .shardOfMutants() }
    if try arguments.value(of: TestOptions.requiredCoverage) != nil { throw .coverageOfShard() }
    switch option {
    case .shard(let shard): self.shard = shard
    case .auto:
      let found = try ShardFromEnvironment(arguments.variables)
      shard = found.shard
      terminal.errors.write("shard \(shard) by \(found.words)\n")
    }
    let checks = try file.map { path throws(Failure) in try ReportFile.read(path).checks }
    let recorded = (checks ?? []).map { ($0.identity, $0.duration) }
    let division = ShardAssignment(
      whole, into: shard.count, recorded: Dictionary(recorded, uniquingKeysWith: max),
      timeScale: try arguments.value(of: TestOptions.timeScale))
    let shard = shard
    plan = whole.part { division.contains($0, in: shard) }
    (plannedCount, self.division) = (division.plannedCount, division.fingerprint)
  }
}

extension Failure {
  fileprivate static func durationsWithoutShard() -> Self {
    Self(
      message: "--durations needs --shard",
      fix: "add --shard, or leave it out")
  }

  fileprivate static func shardOfMutants() -> Self {
    Self(
      message: "--shard cannot be used with --mutate, which runs on one machine",
      fix: "leave it out, or name different contracts on each machine: test --mutate joke")
  }

  fileprivate static func coverageOfShard() -> Self {
    Self(
      message: "--require-coverage is for the whole run, not for a shard",
      fix: "pass it to \"understudy merge\"")
  }
}

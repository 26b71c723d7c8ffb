import UnderstudyContractModel
import UnderstudyCore
import UnderstudyReports
import UnderstudySuite

/// The parameters of `understudy test`.
enum TestOptions {
  static let consumers = Parameter.options(
    "consumer", "NAME", .word, "Only the checks of this consumer.")
  static let failed = Parameter.flag("failed", "Only checks that did not pass in their last run.")
  static let failFast = Parameter.flag("fail-fast", "Start no more checks after a failure.")
  static let repeats = Parameter.option(
    "repeat", "COUNT", .count, default: 1, "Run each check this often, to find flaky ones.")
  static let seed = Parameter.option(
    "seed", "NUMBER", .seed, default: 0, "The seed of all random choices.")
  static let timeScale = Parameter.option(
    "time-scale", "FACTOR", .factor, default: 1,
    "Multiplies every delay, and every timeout that a contract expects.")
  static let jobs = Parameter.option(
    "jobs", "COUNT", .count, default: SuiteConfiguration().jobCountMax,
    "How many checks run at the same time.")
  static let mutate = Parameter.flag(
    "mutate", "Mutate the good responses, and check that services handle that.")
  static let mutants = Parameter.option(
    "mutants", "COUNT", .count, "Only this many mutated responses, chosen at random by the seed.")
  static let mutantIDs = Parameter.options(
    "mutant", "ID", .word, "Only this mutated response, by its id from a report.")
  static let shard = Parameter.option(
    "shard", "SHARD", ShardOption.format,
    "Only one machine's shard: 2/8, or auto to read it from the environment.")
  static let durations = Parameter.option(
    "durations", "PATH", .path, "Divide into shards by the durations in this JSON report.")
  static let requiredCoverage = Parameter.option(
    "require-coverage", "PERCENT", .percentage, "Fail when less than this was exercised.")

  static let declarations = [
    Selection.words.declaration, Selection.folder.declaration, consumers.declaration,
    failed.declaration, failFast.declaration, jobs.declaration, repeats.declaration,
    timeScale.declaration, seed.declaration,
  ]

  static let groups = [
    Command.OptionGroup(
      title: "Mutated responses",
      options: [mutate.declaration, mutants.declaration, mutantIDs.declaration]),
    Command.OptionGroup(
      title: "Several machines", options: [shard.declaration, durations.declaration]),
    Command.OptionGroup(
      title: "What else fails",
      options: [requiredCoverage.declaration, HistoryCommand.maxAge.declaration]),
    ReportOutput.group,
  ]

  static func configuration(
    _ arguments: ParsedArguments
  ) throws(Failure) -> SuiteConfiguration {
    var configuration = SuiteConfiguration()
    configuration.timeScale = try arguments.value(of: timeScale)
    configuration.seed = try arguments.value(of: seed)
    configuration.jobCountMax = try arguments.value(of: jobs)
    configuration.repeatCount = try arguments.value(of: repeats)
    configuration.stopsAtFailure = try arguments.value(of: failFast)
    return configuration
  }

  /// `nil` when responses are not mutated.
  static func mutation(
    _ arguments: ParsedArguments
  ) throws(Failure) -> MutationChoice? {
    var choice = MutationChoice()
    choice.countMax = try arguments.value(of: mutants)
    choice.ids = try arguments.value(of: mutantIDs)
    choice.seed = try arguments.value(of: seed)
    let isAsked = try arguments.value(of: mutate) || choice.countMax != nil || !choice.ids.isEmpty
    if isAsked, try arguments.value(of: failed) { throw .failedMutants() }
    return isAsked ? choice : nil
  }
}

extension Failure {
  fileprivate static func failedMutants() -> Self {
    Self(
      message: "--failed and --mutate cannot be used together",
      fix: "repeat a mutant by its id from a report: --mutant ID")
  }
}

extension ValueFormat<ReportRequest> {
  /// A kind of report and where it goes: `junit=results.xml`.
  static var report: Self {
    Self(
      .other("KIND=PATH, such as junit=results.xml"),
      fix: { word in
        let kinds = ReportFormat.allCases.map(\.rawValue)
        let kind = String(word.prefix { $0 != "=" })
        return kinds.contains(kind)
          ? nil
          : Spelling.suggestion(for: kind, among: kinds)
            ?? "the kinds are \(kinds.joined(separator: ", "))"
      },
      parse: ReportRequest.init(parsing:))
  }
}

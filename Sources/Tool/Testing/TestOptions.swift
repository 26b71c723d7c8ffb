import UnderstudyContractModel
import UnderstudyCore
import UnderstudyReports
import UnderstudySuite

/// The parameters of `understudy test`.
enum TestOptions {
  static let consumers = Parameter<[Word]>.options(
    "consumer", "NAME", "Only the checks of this consumer.")
  static let failed = Parameter.flag("failed", "Only checks that did not pass in their last run.")
  static let failFast = Parameter.flag("fail-fast", "Start no more checks after a failure.")
  static let repeats = Parameter<Count>.option(
    "repeat", "COUNT", default: Count(1), "Run each check this often, to find flaky ones.")
  static let seed = Parameter<Seed>.option(
    "seed", "NUMBER", default: Seed(0), "The seed of all random choices.")
  static let timeScale = Parameter<Factor>.option(
    "time-scale", "FACTOR", default: Factor(1),
    "Multiplies every delay, and every timeout that a contract expects.")
  static let jobs = Parameter<Count>.option(
    "jobs", "COUNT", default: Count(SuiteConfiguration().jobCountMax),
    "How many checks run at the same time.")
  static let mutate = Parameter.flag(
    "mutate", "Mutate the good responses, and check that services handle that.")
  static let mutants = Parameter<Count?>.optionalOption(
    "mutants", "COUNT", "Only this many mutated responses, chosen at random by the seed.")
  static let mutantIDs = Parameter<[Word]>.options(
    "mutant", "ID", "Only this mutated response, by its id from a report.")
  static let shard = Parameter<ShardOption?>.optionalOption(
    "shard", "SHARD",
    "Only one machine's shard: 2/8, or auto to read it from the environment.")
  static let durations = Parameter<FilePath?>.optionalOption(
    "durations", "PATH", "Divide into shards by the durations in this JSON report.")
  static let requiredCoverage = Parameter<Percentage?>.optionalOption(
    "require-coverage", "PERCENT", "Fail when less than this was exercised.")

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
    configuration.timeScale = try arguments.value(of: timeScale).value
    configuration.seed = try arguments.value(of: seed).value
    configuration.jobCountMax = try arguments.value(of: jobs).value
    configuration.repeatCount = try arguments.value(of: repeats).value
    configuration.stopsAtFailure = try arguments.value(of: failFast)
    return configuration
  }

  /// `nil` when responses are not mutated.
  static func mutation(
    _ arguments: ParsedArguments
  ) throws(Failure) -> MutationChoice? {
    var choice = MutationChoice()
    choice.countMax = try arguments.value(of: mutants)?.value
    choice.ids = try arguments.value(of: mutantIDs).map(\.argument)
    choice.seed = try arguments.value(of: seed).value
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

/// A percentage: `90`, `90%`.
struct Percentage: ArgumentValue {
  static let shape = ValueShape.other("a number from 0 to 100")
  let value: Int

  init?(argument: String) {
    guard let value = Int(argument.hasSuffix("%") ? String(argument.dropLast()) : argument),
      (0...100).contains(value)
    else { return nil }
    self.value = value
  }

  var argument: String { String(value) }
}

/// A kind of report and where it goes: `junit=results.xml`.
struct ReportTarget: ArgumentValue {
  static let shape = ValueShape.other("KIND=PATH, such as junit=results.xml")
  let request: ReportRequest

  init?(argument: String) {
    guard let request = ReportRequest(parsing: argument) else { return nil }
    self.request = request
  }

  static func fix(for argument: String) -> String? {
    let kinds = ReportFormat.allCases.map(\.rawValue)
    let kind = String(argument.prefix { $0 != "=" })
    return kinds.contains(kind)
      ? nil
      : Spelling.suggestion(for: kind, among: kinds)
        ?? "the kinds are \(kinds.joined(separator: ", "))"
  }

  var argument: String { request.description }
}

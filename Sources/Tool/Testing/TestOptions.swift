import UnderstudyContractModel
import UnderstudyCore
import UnderstudyReports
import UnderstudySuite

/// What `understudy test` takes.
enum TestOptions {
  static let globs = Parameter<[Word]>.arguments(
    "GLOB", default: [], "Only these cases: joke, dog-ceo/random-images#ok, '*#reset'.")
  static let contracts = Parameter<[FilePath]>.options(
    "contracts", "PATH",
    "A folder of contracts, one of its upstreams, or a contract. Without it: Contracts.")
  static let consumers = Parameter<[Word]>.options(
    "consumer", "NAME", "Only checks of this consumer.")
  static let failed = Parameter.flag("failed", "Only what did not pass when it was last run.")
  static let failFast = Parameter.flag("fail-fast", "Start nothing more after a failure.")
  static let repeats = Parameter<Count>.option(
    "repeat", "COUNT", default: Count(1), "Run each check so often, to hunt flakes.")
  static let seed = Parameter<Seed>.option(
    "seed", "NUMBER", default: Seed(0), "Where everything that is drawn at random begins.")
  static let timeScale = Parameter<Factor>.option(
    "time-scale", "FACTOR", default: Factor(1),
    "Multiplies every delay, and every time-out that a contract expects.")
  static let jobs = Parameter<Count>.option(
    "jobs", "COUNT", default: Count(SuiteConfiguration().jobCountMax),
    "How many checks are under way at the same time.")
  static let mutate = Parameter.flag(
    "mutate", "Damage the good answers in every way, and see that nothing wrong comes of it.")
  static let mutants = Parameter<Count?>.optionalOption(
    "mutants", "COUNT", "Only so many of the damaged answers, drawn by the seed.")
  static let mutantIDs = Parameter<[Word]>.options(
    "mutant", "ID", "Only this damaged answer, by its id from a report.")
  static let shard = Parameter<ShardOption?>.optionalOption(
    "shard", "SHARD",
    "Only the share of one of several machines: 2/8, or auto for what the environment says.")
  static let durations = Parameter<FilePath?>.optionalOption(
    "durations", "PATH", "Divide into shards by how long checks took in this JSON report.")
  static let requiredCoverage = Parameter<Percentage?>.optionalOption(
    "require-coverage", "PERCENT", "Fail when less than this was exercised.")

  static let reports = Parameter<[ReportTarget]>.options(
    "report", "KIND=PATH",
    "Write a report: \(ReportFormat.allCases.map(\.rawValue).joined(separator: ", ")). Without"
      + " =PATH it is printed.")

  static let declarations = [
    globs.declaration, contracts.declaration, consumers.declaration, failed.declaration,
    failFast.declaration, repeats.declaration, seed.declaration, timeScale.declaration,
    jobs.declaration, mutate.declaration, mutants.declaration, mutantIDs.declaration,
    shard.declaration, durations.declaration, requiredCoverage.declaration,
    HistoryCommand.maxAge.declaration, reports.declaration,
    OutputFormat.option.declaration,
  ]

  static func library(_ arguments: ParsedArguments) throws(Failure) -> ContractLibrary {
    try ContractPaths.loadSound(arguments.value(of: contracts))
  }

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

  /// `nil` when answers are to stay as they are.
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
      message: "found --failed for mutants, of which none is remembered",
      fix: "play one again by its id from a report: --mutant ID")
  }
}

/// A part of a hundred: `90`, `90%`.
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

  var argument: String { request.description }
}

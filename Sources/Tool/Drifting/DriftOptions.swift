import UnderstudyContractModel
import UnderstudyCore
import UnderstudyDrift
import UnderstudyFindings

/// What `understudy drift` takes.
enum DriftOptions {
  static let baseURLs = Parameter<[Assignment]>.options(
    "base-url", "NAME=URL",
    "Ask an upstream there instead of at its live API, and without its secrets.")
  static let requireSecrets = Parameter.flag(
    "require-secrets", "Fail when a secret that an upstream needs is not set.")
  static let timeout = Parameter<Wait>.option(
    "timeout", "TIME", default: Wait(.seconds(30)), "How long each request may take.")
  static let failOn = Parameter<Finding.Severity>.option(
    "fail-on", "SEVERITY", default: .error, "The mildest finding that fails the run.")
  static let confirm = Parameter<Pause>.option(
    "confirm", "TIME", default: Pause(DriftConfiguration().confirmPause),
    "After how long what seems to have changed is asked again.")
  static let samples = Parameter<SampleCount>.option(
    "samples", "COUNT", default: SampleCount(DriftConfiguration().sampleCount),
    "How many answers of a case are compared; the last is asked for only if one of the others shows"
      + " a change.")
  static let deadline = Parameter<Wait>.option(
    "deadline", "TIME", default: Wait(DriftConfiguration().deadline),
    "When the run is over, whatever upstreams ask it to wait for.")
  static let accepted = Parameter<FilePath?>.optionalOption(
    "accepted", "FILE", "Drift that is known, with a reason and the day until which it may stay.")
  static let replay = Parameter<FilePath?>.optionalOption(
    "replay", "DIR", "Judge the answers of an earlier run again, and ask nobody.")
  static let update = Parameter.flag(
    "update", "Write what has changed into the contracts, and nothing else.")
  static let addCases = Parameter.flag(
    "add-cases", "Add the answers that have changed to the contracts, as cases of their own.")
  static let dryRun = Parameter.flag(
    "dry-run",
    "With --update or --add-cases: print the changes as a diff instead of making them.")
  static let history = Parameter<FilePath?>.optionalOption(
    "history", "FILE",
    "Keep the history there, also of upstreams asked by --base-url. Without it:"
      + " \(HistoryFile.standardPath).")
  static let outageNights = Parameter<Count>.option(
    "outage-nights", "COUNT", default: Count(3),
    "After so many nights on which an upstream, or a case of it, could not be checked it is a"
      + " finding.")

  static let declarations = [
    TestOptions.globs.declaration, TestOptions.contracts.declaration, baseURLs.declaration,
    requireSecrets.declaration, timeout.declaration, failOn.declaration, confirm.declaration,
    samples.declaration, deadline.declaration, outageNights.declaration, accepted.declaration,
    update.declaration, addCases.declaration, dryRun.declaration, replay.declaration,
    history.declaration, TestOptions.reports.declaration, OutputFormat.option.declaration,
  ]

  static func baseURLs(
    _ arguments: ParsedArguments, _ library: ContractLibrary
  ) throws(Failure) -> [String: WebURL] {
    var urls: [String: WebURL] = [:]
    let names = library.upstreams.map(\.name)
    for word in try arguments.value(of: baseURLs) {
      guard names.contains(word.name) else {
        throw .unknownName(word.name, "upstream", of: "--base-url", known: names)
      }
      guard let url = WebURL(base: word.value) else {
        throw .badValue(
          word.value, of: "--base-url",
          shape: .other("an address such as http://127.0.0.1:8080/joke"),
          fix: WebURL.fix(for: word.value))
      }
      if let first = urls.updateValue(url, forKey: word.name) {
        throw .givenTwice("--base-url \(word.name)", "\(first)", "\(url)")
      }
    }
    return urls
  }
}

extension Finding.Severity: ArgumentValue {}

/// How many answers are compared: one alone confirms nothing.
struct SampleCount: ArgumentValue {
  private static let counts = 2...DriftConfiguration.sampleCountMax
  static let shape = ValueShape.other("a number from \(counts.lowerBound) to \(counts.upperBound)")
  let value: Int

  init(_ value: Int) { self.value = value }

  init?(argument: String) {
    guard let value = Int(argument), Self.counts.contains(value) else { return nil }
    self.value = value
  }

  var argument: String { String(value) }
}

/// A time as contracts write it, or none.
struct Pause: ArgumentValue {
  static let shape = ValueShape.other("a time up to 277777h with its unit, such as 30s or 0s")
  let duration: Duration
  let argument: String

  init(_ duration: Duration) {
    self.duration = duration
    argument = "\(duration.components.seconds)s"
  }

  init?(argument: String) {
    guard let duration = Duration(contractText: argument) else { return nil }
    self.duration = duration
    self.argument = argument
  }
}

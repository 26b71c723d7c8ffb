import UnderstudyContractModel
import UnderstudyCore
import UnderstudyDrift
import UnderstudyFindings

/// The parameters of `understudy drift`.
enum DriftOptions {
  static let baseURLs = Parameter.options(
    "base-url", "[NAME=]URL", LiveAddress.format,
    "Use this address instead of an upstream's live API, without its secrets. NAME may be left out"
      + " where one upstream is selected.")
  static let requireSecrets = Parameter.flag(
    "require-secrets", "Fail when an upstream's secret is not set.")
  static let timeout = Parameter.option(
    "timeout", "TIME", .time, default: .seconds(30), "The time limit of each request.")
  static let failOn = Parameter<Finding.Severity>.option(
    "fail-on", "SEVERITY", .choice, default: .error, "The lowest severity that fails the run.")
  static let confirm = Parameter.option(
    "confirm", "TIME", .timeOrZero, default: DriftConfiguration().confirmPause,
    "The wait before an apparent change is requested again.")
  static let samples = Parameter.option(
    "samples", "COUNT", .number(2...DriftConfiguration.sampleCountMax),
    default: DriftConfiguration().sampleCount,
    "The number of responses compared for each case; the last is requested only if another shows a"
      + " change.")
  static let deadline = Parameter.option(
    "deadline", "TIME", .time, default: DriftConfiguration().deadline,
    "The time limit of the run, even if upstreams ask for longer pauses.")
  static let accepted = Parameter.option(
    "accepted", "FILE", .path, "A file of known drift, with reasons and last days.")
  static let replay = Parameter.option(
    "replay", "DIR", .path, "Check the responses of an earlier run again, without sending requests."
  )
  static let against = Parameter.options(
    "against", "[NAME=]PATH", DocumentPath.format,
    "Compare an upstream's contracts with this OpenAPI document, without sending requests.")
  static let update = Parameter.flag(
    "update", "Write the changes into the contracts.")
  static let addCases = Parameter.flag(
    "add-cases", "Add the changed responses to the contracts as new cases.")
  static let dryRun = Parameter.flag(
    "dry-run",
    "Send nothing, and show the requests of a run. With --update or --add-cases: print the changes"
      + " as a diff instead of making them.")
  static let history = Parameter.option(
    "history", "FILE", .path,
    "The history file; it also records upstreams given by --base-url. Default:"
      + " \(HistoryFile.standardPath).")
  static let outageRuns = Parameter.option(
    "outage-runs", "COUNT", .count, default: 3,
    "The number of runs in a row after which an upstream or case that could not be checked is a"
      + " finding.")
  static let certificateDays = Parameter.option(
    "certificate-days", "DAYS", .number(0...3_650),
    default: DriftSession.Options().certificateDays,
    "Warn of a certificate of a live API that ends within this many days; 0 turns the warning off.")

  static let declarations = [
    Selection.words.declaration, Selection.folder.declaration, dryRun.declaration,
    update.declaration, addCases.declaration, failOn.declaration, accepted.declaration,
    outageRuns.declaration, certificateDays.declaration, history.declaration,
  ]

  static let groups = [
    Command.OptionGroup(
      title: "Where responses come from",
      options: [baseURLs.declaration, against.declaration, replay.declaration]),
    Command.OptionGroup(
      title: "Requests",
      options: [
        samples.declaration, confirm.declaration, timeout.declaration, deadline.declaration,
        SecretHost.option.declaration, requireSecrets.declaration,
      ]),
    ReportOutput.group,
  ]

  static func baseURLs(
    _ arguments: ParsedArguments, _ library: ContractLibrary, _ globs: [CaseGlob]
  ) throws(Failure) -> [String: WebURL] {
    var urls: [String: WebURL] = [:]
    let names = library.upstreams.map(\.name)
    let selected = library.upstreams.filter { upstream in
      upstream.contracts.contains { contract in
        contract.cases.contains { globs.selects(contract, $0) }
      }
    }.map(\.name)
    for word in try arguments.value(of: baseURLs) {
      guard let name = word.upstream ?? (selected.count == 1 ? selected.first : nil) else {
        throw Failure(
          message: "--base-url \(word.argument) could be for \(selected.count) upstreams:"
            + " \(selected.joined(separator: ", "))",
          fix: "name one: --base-url \(selected.first ?? "NAME")=\(word.argument)")
      }
      guard names.contains(name) else {
        throw .unknownName(name, "upstream", of: "--base-url", known: names)
      }
      if let first = urls.updateValue(word.url, forKey: name) {
        throw .givenTwice("--base-url \(name)", "\(first)", "\(word.url)")
      }
    }
    return urls
  }
}

/// The address of a live API, perhaps after the name of its upstream: `joke=http://127.0.0.1:8080`.
struct LiveAddress: Sendable {
  static let format = ValueFormat(
    .other("[NAME=]URL, such as joke=http://127.0.0.1:8080/joke"),
    fix: { WebURL.fix(for: parts(of: $0).address) }, parse: LiveAddress.init)

  let argument: String
  let upstream: String?
  let url: WebURL

  init?(argument: String) {
    let (name, address) = Self.parts(of: argument)
    guard let url = WebURL(base: address) else { return nil }
    (self.argument, upstream, self.url) = (argument, name, url)
  }

  private static func parts(of argument: String) -> (name: String?, address: String) {
    let name = argument.prefix { $0 != "=" }
    guard name.endIndex < argument.endIndex, !name.contains("/") else { return (nil, argument) }
    return (String(name), String(argument[name.endIndex...].dropFirst()))
  }
}

/// The path of a document, perhaps after the name of its upstream: `joke=api/openapi.json`.
struct DocumentPath: Sendable {
  static let format = ValueFormat(
    .other("the path of an OpenAPI document, or NAME=PATH"), parse: DocumentPath.init)

  let upstream: String?
  let path: String

  init?(argument: String) {
    let name = argument.prefix { $0 != "=" }
    let isNamed = name.endIndex < argument.endIndex && UpstreamName.isName(name)
    path = isNamed ? String(argument[name.endIndex...].dropFirst()) : argument
    upstream = isNamed ? String(name) : nil
    if path.isEmpty { return nil }
  }
}

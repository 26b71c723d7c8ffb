import UnderstudyContractModel
import UnderstudyCore
import UnderstudySuite

/// `understudy call` sends a contract's own request and checks the response against its schema.
///
/// This file has the parameters and decides where the request goes: to a running fake, to one
/// started for this call, to another server or to the live API. `Call` makes the request and sends
/// it, and `CallReport` compares the response and prints it.
enum CallCommand {
  private static let contract = Parameter.optionalArgument(
    "CONTRACT", .word,
    "The contract, such as joke/random-joke, or one of its cases: joke/random-joke#not-found. A fake"
      + " serves the case; a live API receives its request. Default: that of UNDERSTUDY_CASE, which a"
      + " command of consumers.json gets.")
  private static let parameters = Parameter.assignments(
    "parameter", "NAME=VALUE",
    "Replaces a value of the contract: path.org=apple, query.page=2, or org=apple if no other"
      + " parameter has that name.")
  private static let baseURL = Parameter.option(
    "base-url", "URL", CallTarget.format,
    "The address of a fake or another server, or live for the API in upstream.json. Default: the"
      + " fake of the environment, as \"understudy run\" sets it, or else one started for this call."
  )
  private static let timeout = Parameter.option(
    "timeout", "TIME", .time, default: .seconds(30), "The time limit of the call.")

  static let command = Command(
    name: "understudy call",
    summary: "Sends a contract's request and checks the response against its schema",
    discussion: """
      The request is the one that "understudy drift" sends: the contract's, with the parameters of \
      its example or of the case's "live". The response is checked against the schema of the case \
      with the same status. If several cases have it, the requested one counts, or else the first.

      Secrets named in upstream.json come from the environment and are sent to the live API only, \
      and to no other host than --secret says. Redirects are shown, not followed. Anything in the \
      response that looks like a secret is masked.
      """,
    parameters: [
      contract.declaration, Selection.folder.declaration, parameters.declaration,
      baseURL.declaration, SecretHost.option.declaration, timeout.declaration,
      OutputFormat.option.declaration,
    ],
    jsonOutput: """
      An object: contract, case (the one whose schema counts), method, url, status, headers (an \
      array of objects with name and value), body (JSON) or text, durationNanoseconds, result \
      (pass, fail or couldNotCheck), reason, and violations, an array of objects with path, line, \
      column, message, file, schemaLine and schemaColumn.
      """,
    examples: [
      "understudy call joke/random-joke": "Call a fake of the contract.",
      "understudy call dog-ceo/random-images#empty --parameter count=5":
        "Use another parameter, and serve another case.",
      "understudy call joke/random-joke --base-url http://127.0.0.1:8080/joke":
        "Call the server that \"understudy serve\" started.",
    ],
    exitCodes: [
      .pass: "The response matches its schema, or its case has none.",
      .findings: "The response violates its schema, or no case has its status.",
      .couldNotRun:
        "Could not run: wrong usage, contracts with errors, or a secret that is not set.",
      .couldNotCheck: "No complete response was received.",
    ],
    run: { arguments, terminal throws(Failure) in
      let format = try arguments.value(of: OutputFormat.option)
      let library = try Selection(arguments, by: nil).loadSound(for: .reading, &terminal)
      let (contract, servedCase, environmentCase) = try contract(arguments)
      let call = try Call(
        contract, in: library, serving: servedCase, requesting: environmentCase,
        parameters: arguments.value(of: parameters),
        at: arguments.value(of: baseURL), timeout: arguments.value(of: timeout),
        secretHosts: SecretHost.hosts(arguments), environment: arguments.environment)
      let report = CallReport(of: call, try call.send())
      switch format {
      case .text: report.writeText(to: &terminal)
      case .json: report.writeJSON(to: &terminal.output)
      }
      return report.exitCode
    })
}

extension CallCommand {
  /// The contract, the case to serve, and that of the environment, which the fake there serves
  /// already.
  private static func contract(
    _ arguments: ParsedArguments
  ) throws(Failure) -> (id: String, served: String?, inEnvironment: String?) {
    func parts(_ word: String) -> (id: String, caseName: String?) {
      let parts = word.split(separator: "#", maxSplits: 1, omittingEmptySubsequences: false)
        .map(String.init)
      return (parts.first ?? "", parts.dropFirst().first)
    }
    if let word = try arguments.value(of: contract) {
      let (id, caseName) = parts(word)
      return (id, caseName, nil)
    }
    guard let served = arguments.environment(CommandEnvironment.servedCase) else {
      throw .noContract()
    }
    let (id, caseName) = parts(served)
    return (id, nil, caseName)
  }
}

extension Failure {
  fileprivate static func noContract() -> Self {
    Self(
      message: "missing CONTRACT, expected the name of a contract, such as joke/random-joke",
      fix: "see \"understudy list\"")
  }
}

/// The target of a call.
enum CallTarget: Sendable {
  case live
  case address(WebURL)

  static let format = ValueFormat(
    .other("an address such as http://127.0.0.1:8080/joke, or live"),
    fix: { WebURL.fix(for: $0) },
    parse: { $0 == "live" ? CallTarget.live : WebURL(base: $0).map(CallTarget.address) })
}

import UnderstudyContractModel
import UnderstudyCore
import UnderstudyFindings

/// `understudy list` shows all contracts.
enum ListCommand {
  static let command = Command(
    name: "understudy list",
    summary: "Shows upstreams, their endpoints, and every case of each",
    discussion: [
      "For each case: its name, status, kind, whether the live API can be made to answer this way"
        + " (live), and its summary.",
      "The kinds are good, malformed (a wrong body), slow, and broken (a failing connection).",
      "With --format json one object is printed. Its key upstreams is an array of objects with"
        + " name, summary, baseURL, retired and contracts; a contract has id, summary, file,"
        + " method, path and cases; a case has name, summary, status, kind and live. Missing"
        + " values are null.",
    ],
    parameters: [ContractPaths.argument.declaration, OutputFormat.option.declaration],
    examples: [
      Command.Example(line: "understudy list", meaning: "Show all contracts below ./Contracts."),
      Command.Example(
        line: "understudy list Contracts/dog-ceo", meaning: "Show those of one upstream."),
      Command.Example(
        line: "understudy list --format json", meaning: "List all contracts for another program."),
    ],
    exitCodes: [
      .pass: "All contracts are shown.",
      .couldNotRun:
        "Could not run: wrong usage, a path without contracts, or files too broken to be listed.",
    ],
    run: { arguments, terminal throws(Failure) in
      let format = try arguments.value(of: OutputFormat.option)
      let library = try ContractPaths.load(arguments)
      let listing = ContractListing(upstreams: library.upstreams)
      switch format {
      case .text: listing.writeText(to: &terminal.output)
      case .json: listing.writeJSON(to: &terminal.output)
      }
      let missing = library.unlistedFiles
      guard missing.isEmpty else { throw .incomplete(without: missing) }
      return .pass
    })
}

extension ContractLibrary {
  /// Sorted files whose mistakes prevent reading any contract.
  fileprivate var unlistedFiles: [String] {
    let listed = Set(contracts.map(\.file))
    let broken = Set(findings.filter { $0.severity == .error }.map(\.file))
    return broken.subtracting(listed).sorted().filter {
      !$0.hasSuffix("upstream.json") && !$0.hasSuffix("consumers.json")
    }
  }
}

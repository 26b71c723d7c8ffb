import UnderstudyContractModel
import UnderstudyCore
import UnderstudyFindings

/// `understudy list` shows all contracts.
enum ListCommand {
  private static let curl = Parameter.flag(
    "curl", "Print for each case the command that makes a running server serve it.")

  static let command = Command(
    name: "understudy list",
    summary: "Shows upstreams, their endpoints, and every case of each",
    discussion: """
      For each case: its name, status, kind, whether the live API can be made to respond this way \
      (live), and its summary.

      The kinds are good, malformed (a wrong body), slow, and broken (a failing connection).

      The commands of --curl have the examples of all parameters and bodies, and a Prefer header \
      where the request alone does not lead to the case. They run as they are in any POSIX shell.
      """,
    parameters: [
      Selection.wholeContracts.declaration, Selection.folder.declaration, curl.declaration,
      AdminClient.urlOption.declaration, OutputFormat.option.declaration,
    ],
    jsonOutput: """
      An object with upstreams, an array of objects with name, summary, baseURL, retired and \
      contracts. A contract has id, summary, file, method, path and cases; a case has name, \
      summary, status, kind and live, and with --curl the command as curl.
      """,
    examples: [
      "understudy list": "Show all contracts below ./Contracts.",
      "understudy list dog-ceo": "Show those of one upstream.",
      "understudy list --curl dog-ceo":
        "Show how to get each of its responses from a server on port 8080.",
      "understudy list --format json": "List all contracts for another program.",
    ],
    exitCodes: [
      .pass: "All contracts are shown.",
      .couldNotRun:
        "Could not run: wrong usage, a path without contracts, or files with errors, which are listed"
        + " as far as they can be read.",
    ],
    run: { arguments, terminal throws(Failure) in
      let format = try arguments.value(of: OutputFormat.option)
      let library = try Selection(arguments, by: Selection.wholeContracts).load(for: .reading)
      let listing = ContractListing(upstreams: library.upstreams)
      let printsCommands = try arguments.value(of: curl)
      guard printsCommands || !arguments.isGiven(AdminClient.urlOption.declaration) else {
        throw Failure(
          message: "--url needs --curl, whose commands have that address",
          fix: "add --curl, or leave out --url")
      }
      let server = try arguments.value(of: AdminClient.urlOption)
      let commands =
        printsCommands ? ContractListing.Commands(index: library.index, server: server) : nil
      switch format {
      case .text:
        if let commands {
          listing.write(commands, to: &terminal.output)
        } else {
          listing.writeText(width: terminal.columnCount, to: &terminal.output)
        }
      case .json: listing.writeJSON(with: commands, to: &terminal.output)
      }
      let broken = Set(library.findings.filter { $0.severity == .error }.map(\.file))
      guard broken.isEmpty else { throw .incomplete(for: broken.sorted()) }
      return .pass
    })
}

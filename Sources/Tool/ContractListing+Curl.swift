import UnderstudyContractModel
import UnderstudyCore

extension ContractListing {
  /// Makes the commands by which a running server at this address serves the cases.
  struct Commands {
    let index: RequestIndex
    let server: WebURL

    func command(
      for served: Case, of contract: Contract, of upstream: Upstream
    ) throws(CurlCommand.Missing) -> String {
      try CurlCommand(for: served, of: contract, of: upstream, in: index, at: server).text
    }
  }

  /// The command of each case, below a comment with its name: a shell can run the page as it is.
  func write(_ commands: Commands, to stream: inout TextStream) {
    for upstream in upstreams {
      for contract in upstream.contracts {
        for served in contract.cases {
          let facts = [
            "\(contract.id)#\(served.name)", served.status.map(String.init) ?? "-",
            served.kind.rawValue, served.summary,
          ]
          stream.write(inLine: "# \(facts.compactMap(\.self).joined(separator: "  "))", .dim)
          stream.write("\n")
          do throws(CurlCommand.Missing) {
            stream.write(line: try commands.command(for: served, of: contract, of: upstream))
          } catch {
            stream.write(inLine: "# no command: \(error.reason)", .yellow)
            stream.write("\n")
          }
        }
      }
    }
  }
}

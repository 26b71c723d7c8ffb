import UnderstudyContractModel
import UnderstudyCore

extension ContractListing {
  /// Makes the commands by which a running server at this address plays the cases.
  struct Commands {
    let index: RequestIndex
    let server: WebURL

    func command(
      for played: Case, of contract: Contract, of upstream: Upstream
    ) throws(CurlCommand.Missing) -> String {
      try CurlCommand(for: played, of: contract, of: upstream, in: index, at: server).text
    }
  }

  /// The command of each case, below a comment with its name: a shell can run the page as it is.
  func write(_ commands: Commands, to stream: inout TextStream) {
    for upstream in upstreams {
      for contract in upstream.contracts {
        for played in contract.cases {
          let facts = [
            "\(contract.id)#\(played.name)", played.status.map(String.init) ?? "-",
            played.kind.rawValue, played.summary,
          ]
          stream.write(inLine: "# \(facts.compactMap(\.self).joined(separator: "  "))", .dim)
          stream.write("\n")
          do throws(CurlCommand.Missing) {
            stream.write(line: try commands.command(for: played, of: contract, of: upstream))
          } catch {
            stream.write(inLine: "# found no command: \(error.reason)", .yellow)
            stream.write("\n")
          }
        }
      }
    }
  }
}

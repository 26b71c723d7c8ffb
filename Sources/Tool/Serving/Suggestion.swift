import UnderstudyContractModel
import UnderstudyFakeServer

/// Shell commands that try out a new server as they are.
struct Suggestion {
  let plain: String
  /// The command of `plain` with a header that prefers another case.
  let withOtherCase: String?

  /// `nil` when no contract matches a request that fits a short line.
  init?(_ library: ContractLibrary, _ server: FakeServer) {
    for upstream in library.upstreams {
      guard let example = upstream.exampleGet else { continue }
      let url = ShellText.quoted(example.url(below: server.baseURL(of: upstream)))
      plain = "curl -i \(url)"
      let other = example.contract.cases.first { served in
        served.kind == .good && served.name != example.contract.defaultCase?.name
          && served.when == nil
      }
      withOtherCase = other.map { "curl -i -H 'Prefer: example=\($0.name)' \(url)" }
      return
    }
    return nil
  }
}

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
      for contract in upstream.contracts {
        guard let shown = contract.defaultCase, shown.kind == .good,
          let request = try? contract.exampleRequest(for: shown), request.method == "GET",
          request.headers.isEmpty, request.body.isEmpty
        else { continue }
        let query = request.query.map { "?\($0)" } ?? ""
        let path = request.path == "/" ? "/" : request.path
        let url = ShellText.quoted("\(server.baseURL(of: upstream))\(path)\(query)")
        plain = "curl -i \(url)"
        let other = contract.cases.first { served in
          served.kind == .good && served.name != shown.name && served.when == nil
        }
        withOtherCase = other.map { "curl -i -H 'Prefer: example=\($0.name)' \(url)" }
        return
      }
    }
    return nil
  }
}

import UnderstudyContractModel
import UnderstudyFakeServer

/// Shell commands that try out a new server as they are.
struct Suggestion {
  let plain: String
  /// The command of `plain` with a header that prefers another case.
  let withOtherCase: String?
  /// The request as a client of the live API sends it; `nil` where the server is not a proxy.
  let throughProxy: String?

  /// `nil` when no contract matches a request that fits a short line.
  ///
  /// - Parameter trustFile: the certificate that clients of HTTPS trust.
  init?(_ library: ContractLibrary, _ server: FakeServer, _ trustFile: String?) {
    let trust = trustFile.map { " --cacert \(ShellText.quoted($0))" } ?? ""
    let curl = "curl -i" + (server.isSecure ? trust : "")
    for upstream in library.upstreams {
      guard let example = upstream.exampleGet else { continue }
      let url = ShellText.quoted(example.url(below: server.baseURL(of: upstream)))
      plain = "\(curl) \(url)"
      let other = example.contract.cases.first { served in
        served.kind == .good && served.name != example.contract.defaultCase?.name
          && served.when == nil
      }
      withOtherCase = other.map { "\(curl) -H 'Prefer: example=\($0.name)' \(url)" }
      throughProxy = server.proxyURL.flatMap { proxy in
        upstream.baseURL.map { base in
          "curl -i --proxy \(proxy)\(trust) \(ShellText.quoted(example.url(below: "\(base)")))"
        }
      }
      return
    }
    return nil
  }
}

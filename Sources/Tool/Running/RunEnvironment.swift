import UnderstudyContractModel
import UnderstudyFakeServer
import UnderstudySystem

/// The environment of a command: ours, with the addresses of the fake.
enum RunEnvironment {
  static func variables(
    _ library: ContractLibrary, _ server: FakeUpstream, playing played: CaseID?
  ) -> [String] {
    var added = ["UNDERSTUDY_URL": "http://\(server.address)"]
    for upstream in library.upstreams { added[name(of: upstream)] = server.baseURL(of: upstream) }
    added["UNDERSTUDY_CASE"] = played?.text
    let inherited = inherited.filter { $0.name != "UNDERSTUDY_CASE" && added[$0.name] == nil }
    // A proxy could not reach this machine's loopback address, and must not see the requests.
    let proxied = ["no_proxy", "NO_PROXY"].map { name in
      let hosts = inherited.first { $0.name == name }.map { "\($0.value)," } ?? ""
      return (name: name, value: "\(hosts)127.0.0.1")
    }
    let kept = inherited.filter { $0.name.lowercased() != "no_proxy" }
    let ours = added.sorted { $0.key < $1.key }.map { (name: $0.key, value: $0.value) }
    return (kept + proxied + ours).map { "\($0.name)=\($0.value)" }
  }

  /// `UNDERSTUDY_URL_DOG_CEO` of `dog-ceo`.
  private static func name(of upstream: Upstream) -> String {
    "UNDERSTUDY_URL_" + upstream.name.uppercased().replacing("-", with: "_")
  }

  private static var inherited: [(name: String, value: String)] {
    Environment.variables.compactMap { variable in
      let parts = variable.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      return parts.count == 2 ? (String(parts[0]), String(parts[1])) : nil
    }
  }
}

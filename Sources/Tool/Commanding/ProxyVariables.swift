import UnderstudyCore
import UnderstudySystem

/// The environment variables by which clients use a fake as their proxy.
enum ProxyVariables {
  /// - Parameter hosts: those that must not be asked directly.
  static func variables(
    for address: SocketAddress, asking hosts: [String], _ trust: TrustFiles,
    _ environment: (String) -> String?
  ) -> [String: String] {
    let hosts = Set(hosts)
    let own = own.filter { !hosts.contains($0) }
    let direct = directHosts(beside: hosts, environment) + own
    var variables = ["NODE_USE_ENV_PROXY": "1"]
    for name in proxied { variables[name] = "http://\(address)" }
    for name in unproxied { variables[name] = direct.joined(separator: ",") }
    variables[java] = [environment(java), javaOptions(for: address, direct: own, trust)]
      .compactMap(\.self).joined(separator: " ")
    return variables
  }

  /// What to do where no request came.
  static let whatToCheck =
    "let its clients heed HTTPS_PROXY: Node does from 22.21 on, aiohttp with trust_env=True"

  /// Some clients read one of two spellings, and some only one for each kind of URL.
  private static let proxied = ["HTTP_PROXY", "HTTPS_PROXY", "http_proxy", "https_proxy"]
  private static let unproxied = ["NO_PROXY", "no_proxy"]
  private static let java = "JAVA_TOOL_OPTIONS"
  private static let own = ["localhost", "127.0.0.1", "::1"]

  /// The hosts that the user's clients ask directly, without those of upstreams.
  private static func directHosts(
    beside hosts: Set<String>, _ environment: (String) -> String?
  ) -> [String] {
    let value = unproxied.lazy.compactMap(environment).first { !$0.isEmpty } ?? ""
    return value.split(separator: ",").map { $0.filter { $0 != " " } }.filter { entry in
      let name = entry.drop { "*.".contains($0) }
      let covers = hosts.contains { $0 == name || $0.hasSuffix(".\(name)") }
      return !name.isEmpty && !covers && !own.contains(entry)
    }
  }

  private static func javaOptions(
    for address: SocketAddress, direct hosts: [String], _ trust: TrustFiles
  ) -> String {
    let properties = ["http", "https"].flatMap {
      ["\($0).proxyHost=\(address.host)", "\($0).proxyPort=\(address.port)"]
    }
    let others = [
      "http.nonProxyHosts=\(hosts.map { $0 == "::1" ? "[::1]" : $0 }.joined(separator: "|"))",
      "javax.net.ssl.trustStore=\(trust.javaStore)", "javax.net.ssl.trustStoreType=JKS",
    ]
    return (properties + others).map { $0.contains(" ") ? "\"-D\($0)\"" : "-D\($0)" }
      .joined(separator: " ")
  }
}

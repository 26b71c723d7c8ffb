package import UnderstudySystem

/// The environment variables by which clients use a fake as their proxy, and trust it.
package enum ProxyVariables {
  /// - Parameters:
  ///   - hosts: those that must not be asked directly.
  ///   - loadsNodeModule: whether Node has to be given what it lacks before 22.21.
  package static func variables(
    for address: SocketAddress, asking hosts: [String], _ files: ClientFiles,
    loadsNodeModule: Bool, _ environment: (String) -> String?
  ) -> [String: String] {
    let hosts = Set(hosts)
    let own = own.filter { !hosts.contains($0) }
    let direct = directHosts(beside: hosts, environment) + own
    var variables = files.trustVariables
    variables["NODE_USE_ENV_PROXY"] = "1"
    variables["UNDERSTUDY_NODE_PROXY"] = files.nodeModule
    for name in proxied { variables[name] = "http://\(address)" }
    for name in unproxied { variables[name] = direct.joined(separator: ",") }
    func add(_ options: String, to name: String) {
      variables[name] = [environment(name), options].compactMap(\.self).joined(separator: " ")
    }
    add(javaOptions(for: address, direct: direct, files), to: "JAVA_TOOL_OPTIONS")
    if loadsNodeModule { add("--require \"\(files.nodeModule)\"", to: "NODE_OPTIONS") }
    return variables
  }

  /// What to do where no request came.
  package static let whatToCheck =
    "let its clients heed HTTPS_PROXY, as aiohttp does with trust_env=True"

  /// Some clients read one of two spellings, and some only one for each kind of URL.
  private static let proxied = ["HTTP_PROXY", "HTTPS_PROXY", "http_proxy", "https_proxy"]
  private static let unproxied = ["NO_PROXY", "no_proxy"]
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
    for address: SocketAddress, direct hosts: [String], _ files: ClientFiles
  ) -> String {
    let properties = ["http", "https"].flatMap {
      ["\($0).proxyHost=\(address.host)", "\($0).proxyPort=\(address.port)"]
    }
    let others = [
      "http.nonProxyHosts=\(hosts.map { $0 == "::1" ? "[::1]" : $0 }.joined(separator: "|"))",
      "javax.net.ssl.trustStore=\(files.javaStore)", "javax.net.ssl.trustStoreType=JKS",
    ]
    return (properties + others).map { $0.contains(" ") ? "\"-D\($0)\"" : "-D\($0)" }
      .joined(separator: " ")
  }
}

import UnderstudyConsumers
package import UnderstudyContractModel
import UnderstudySecrets
import UnderstudySystem

/// The environment of a command: some of ours, with the addresses of the fake.
package struct CommandEnvironment {
  private typealias Variable = (name: String, value: String)

  /// As `NAME=value`.
  package let variables: [String]
  /// The names of ours that it does not get.
  let withheldNames: Set<String>

  /// - Parameters:
  ///   - names: the variables of a consumer, which a pull request may change, besides those that
  ///     everybody gets; `nil` for a command of the user, which gets all.
  ///   - address: of the fake.
  ///   - served: the case that is served and its contract; `nil` when there is none.
  ///   - others: more of them, by name.
  package init(
    passing names: [String]?, _ upstreams: [Upstream], at address: FakeAddress,
    serving served: (caseName: String, contract: Contract)?, adding others: [String: String] = [:]
  ) {
    var added = others.merging(address.trustVariables) { $1 }
    added["UNDERSTUDY_URL"] = address.url
    for upstream in upstreams {
      added[Self.addressName(of: upstream)] = address.baseURL(of: upstream)
    }
    if let (caseName, contract) = served {
      added[Self.servedCase] = "\(contract.id)#\(caseName)"
      // A command may run in another folder.
      added[Self.contracts] = Descriptor.realPath(ContractLibrary.root(ofFile: contract.file))
    }
    let inherited = Self.inherited.filter { variable in
      ![Self.servedCase, Self.contracts].contains(variable.name) && added[variable.name] == nil
    }
    let passed = inherited.filter { variable in
      names.map { Self.passes(variable, $0) } ?? true
    }
    // A proxy could not reach this machine's loopback address, and must not see the requests.
    let direct = ["no_proxy", "NO_PROXY"].filter { added[$0] == nil }.map { name in
      let hosts = passed.first { $0.name == name }.map { "\($0.value)," } ?? ""
      return (name: name, value: "\(hosts)127.0.0.1")
    }
    let kept = passed.filter { $0.name.lowercased() != "no_proxy" }
    let ours = added.sorted { $0.key < $1.key }.map { (name: $0.key, value: $0.value) }
    variables = (kept + direct + ours).map { "\($0.name)=\($0.value)" }
    withheldNames = Set(inherited.map(\.name)).subtracting(passed.map(\.name))
      .union(Environment[Self.withheld]?.split(separator: ",").map(String.init) ?? [])
      .filter { !$0.hasPrefix("UNDERSTUDY_") }
  }

  /// The whole environment of a command of the user, with these variables in place of its own.
  package static func adding(_ variables: [String: String]) -> [String] {
    inherited.filter { variables[$0.name] == nil }.map { "\($0.name)=\($0.value)" }
      + variables.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }
  }

  /// `UNDERSTUDY_URL_DOG_CEO` of `dog-ceo`.
  package static func addressName(of upstream: Upstream) -> String {
    addressName(ofUpstream: upstream.name)
  }

  static func addressName(ofUpstream name: String) -> String {
    "UNDERSTUDY_URL_" + name.uppercased().replacing("-", with: "_")
  }

  // MARK: - Names

  /// The case that is served, for whoever prepares what it needs.
  package static let servedCase = "UNDERSTUDY_CASE"
  /// The folder of its contract and all others.
  package static let contracts = "UNDERSTUDY_CONTRACTS"

  /// Tells a worker the names of variables that it does not get.
  private static let withheld = "UNDERSTUDY_WITHHELD"

  /// What programs need to run and to print; none is a credential.
  private static let usual: Set = [
    "CI", "CLICOLOR", "CLICOLOR_FORCE", "COLORTERM", "COLUMNS", "DYLD_FRAMEWORK_PATH",
    "DYLD_LIBRARY_PATH", "FORCE_COLOR", "HOME", "LANG", "LANGUAGE", "LD_LIBRARY_PATH", "LINES",
    "LOGNAME", "NO_COLOR", "PATH", "PWD", "SHELL", "SSL_CERT_DIR", "SSL_CERT_FILE", "TEMP", "TERM",
    "TMP", "TMPDIR", "TZ",
    "TZDIR", "USER",
  ]
  /// What the tool itself must know from its start.
  private static let own: Set = [
    "ASAN_OPTIONS", "LLVM_PROFILE_FILE", "LSAN_OPTIONS", "SWIFT_BACKTRACE", "TSAN_OPTIONS",
    "UBSAN_OPTIONS", "UNDERSTUDY_PORTABLE",
  ]

  private static func isUsual(_ name: String) -> Bool {
    usual.contains(name) || name.hasPrefix("LC_")
  }

  /// Whether the tool keeps a variable where commands can find it.
  package static func isOpen(_ name: String) -> Bool { isUsual(name) || own.contains(name) }

  private static func passes(_ variable: Variable, _ names: [String]) -> Bool {
    let (name, value) = variable
    return isUsual(name) || names.contains(name) && !SecretVariables.hides(name, value)
  }

  /// The environment of a worker, in which services run, and commands find theirs.
  ///
  /// - Parameter names: the variables that it reads itself.
  package static func ofWorker(_ consumers: [Consumer], reading names: [String]) -> [String] {
    let named = consumers.flatMap(\.variableNames)
    let passed = inherited.filter {
      isOpen($0.name) || names.contains($0.name) || passes($0, named)
    }
    let rest = Set(inherited.map(\.name)).subtracting(passed.map(\.name)).sorted()
    return passed.map { "\($0.name)=\($0.value)" }
      + ["\(withheld)=\(rest.joined(separator: ","))"]
  }

  private static var inherited: [Variable] {
    Environment.variables.compactMap { variable in
      let parts = variable.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      return parts.count == 2 ? (String(parts[0]), String(parts[1])) : nil
    }
  }
}

extension CommandEnding {
  /// Notes the variables that it names in what it printed and did not get.
  func missing(withheld names: Set<String>) -> Self {
    var ending = self
    let words = [stdout, stderr].map { printed in
      Set(
        String(decoding: printed.bytes, as: UTF8.self).split {
          !($0.isASCII && ($0.isLetter || $0.isNumber || $0 == "_"))
        })
    }
    ending.missingVariables =
      names.filter { name in words.contains { $0.contains(Substring(name)) } }.sorted()
    return ending
  }
}

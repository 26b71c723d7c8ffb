import UnderstudyContractModel
import UnderstudyCore
import UnderstudyFakeServer
import UnderstudyHTTP
import UnderstudySystem

/// The options of `understudy serve`.
enum ServeOptions {
  static let port = Parameter.option(
    "port", "PORT", .port, default: 8080, "The port to listen on; 0 takes a free one.")
  /// In characters, if other machines can reach the server.
  static let tokenLengthMin = 16

  static let host = Parameter.option(
    "bind", "ADDRESS", .host, default: "127.0.0.1",
    "The address to listen on. An address that other machines can reach needs an admin token of at"
      + " least \(tokenLengthMin) characters.")
  static let adminToken = Parameter.option(
    "admin-token", "TOKEN", .word, environmentVariable: "UNDERSTUDY_ADMIN_TOKEN",
    "The token required by the admin API. Better set the variable, since other users can see a"
      + " program's arguments.")
  static let ports = Parameter.flag(
    "ports", "Give each upstream its own port, in alphabetical order after --port.")
  static let tls = Parameter.flag(
    "tls",
    "Respond to HTTPS and HTTP on the same ports, with certificates signed by the authority of"
      + " \"understudy ca\".")
  static let proxy = Parameter.flag(
    "proxy",
    "Let clients use the server as their proxy for the hosts of upstreams. Implies certificates as"
      + " with --tls.")
  static let temporaryAuthority = Parameter.flag(
    "temporary-authority",
    "Sign certificates by an authority that ends with the server, instead of that of"
      + " \"understudy ca\".")
  static let threads = Parameter.option(
    "threads", "COUNT", .number(1...128), default: 1, "The number of server threads.")

  static let cases = Parameter.assignments(
    "case", "CONTRACT=CASE", "Serve this case: dog-ceo/random-images=malformed.")
  static let scripts = Parameter.assignments(
    "script", "CONTRACT=SCRIPT", "Serve this script of a contract.")
  static let scenarios = Parameter.assignments(
    "scenario", "UPSTREAM=SCENARIO", "Serve this scenario of an upstream.")
  static let timeScale = Parameter.option(
    "time-scale", "FACTOR", .factor, default: 1, "Multiplies every delay; 0 leaves them out.")
  static let seed = Parameter.option(
    "seed", "NUMBER", .seed, default: 0, "The seed of all random choices.")

  static let cors = Parameter.flag("cors", "Allow pages of any site to read the responses.")
  static let allowOrigin = Parameter.options(
    "allow-origin", "URL",
    ValueFormat(.other("an address without a path, such as http://localhost:3000")) { text in
      WebURL(base: text).flatMap { $0.path.isEmpty ? $0.description : nil }
    },
    "Allow pages of this site to read the responses, and to send requests that are recorded.")
  static let rewriteLinks = Parameter.flag(
    "rewrite-links", "Rewrite links to the live APIs in responses to point here.")
  static let noNames = Parameter.flag(
    "no-names", "Leave out the headers that name a response's contract and case.")

  static let allowSave = Parameter.flag(
    "allow-save", "Let clients write the contracts that they made or recorded to files.")

  static let open = Parameter.flag("open", "Open the dashboard in a browser.")
  static let quiet = Parameter.flag("quiet", short: "q", "Print no lines for requests.")

  static let declarations = [
    port.declaration, cases.declaration, cors.declaration, timeScale.declaration, open.declaration,
    quiet.declaration,
  ]

  static let groups = [
    Command.OptionGroup(
      title: "What is served",
      options: [
        scripts.declaration, scenarios.declaration, seed.declaration, rewriteLinks.declaration,
        noNames.declaration,
      ]),
    Command.OptionGroup(
      title: "Access",
      options: [
        host.declaration, tls.declaration, proxy.declaration, ParentProxies.option.declaration,
        temporaryAuthority.declaration,
        adminToken.declaration, ports.declaration,
        allowOrigin.declaration, allowSave.declaration,
      ]),
    Command.OptionGroup(
      title: "Load", options: [threads.declaration, ServeLimit.option.declaration]),
    Command.OptionGroup(title: "Output", options: [OutputFormat.option.declaration]),
  ]

  /// Sets where the server listens, and the token that this may require.
  static func setAddress(
    of configuration: inout ServerConfiguration, _ host: String, _ arguments: ParsedArguments
  ) throws(Failure) {
    configuration.address = SocketAddress(host: host, port: try arguments.value(of: port))
    configuration.adminToken = try arguments.value(of: adminToken)
    if configuration.address.isLoopback { return }
    guard let token = configuration.adminToken else { throw .openWithoutToken(host) }
    guard token.utf8.count >= tokenLengthMin, token.utf8.allSatisfy({ 0x21...0x7E ~= $0 }) else {
      throw .weakToken(host)
    }
  }

  /// Lets a server respond to HTTPS, if that is wanted.
  ///
  /// - Parameter isTemporary: whether the authority ends with the server.
  static func setCertificates(
    of configuration: inout ServerConfiguration, for hosts: [String], isTemporary: Bool = false,
    _ arguments: ParsedArguments, _ terminal: inout Terminal
  ) throws(Failure) -> ServeTrust? {
    configuration.announcesTLS = try arguments.value(of: tls)
    guard configuration.announcesTLS || configuration.proxy != nil else { return nil }
    return try ServeTrust(
      for: hosts, isTemporary: isTemporary, &configuration, arguments, &terminal)
  }

  /// By which other hosts pass through; `nil` where they are refused.
  static func parents(_ arguments: ParsedArguments) throws(Failure) -> ParentProxies? {
    guard try arguments.value(of: ParentProxies.option) else { return nil }
    guard try arguments.value(of: proxy) else {
      throw Failure(message: "--pass-through needs --proxy", fix: "add --proxy")
    }
    return try ParentProxies(besides: try arguments.value(of: port), arguments.environment)
  }

  static func configuration(
    _ arguments: ParsedArguments
  ) throws(Failure) -> ServerConfiguration {
    var configuration = ServerConfiguration()
    try setAddress(of: &configuration, try arguments.value(of: host), arguments)
    configuration.givesPorts = try arguments.value(of: ports)
    if try arguments.value(of: proxy) {
      configuration.proxy = ForwardProxy(passThrough: try parents(arguments)?.passThrough)
    }
    configuration.threadCount = try arguments.value(of: threads)
    configuration.timeScale = try arguments.value(of: timeScale)
    configuration.seed = try arguments.value(of: seed)
    configuration.allowsCORS = try arguments.value(of: cors)
    configuration.allowedOrigins = Set(try arguments.value(of: allowOrigin))
    configuration.rewritesLinks = try arguments.value(of: rewriteLinks)
    configuration.namesCases = try !arguments.value(of: noNames)
    configuration.limits = try ServeLimit.limits(arguments)
    return configuration
  }
}

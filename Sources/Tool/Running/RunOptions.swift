import UnderstudyContractModel
import UnderstudyCore
import UnderstudyFakeServer
import UnderstudyRecording

/// The options of each run of the command.
struct RunOptions {
  /// The default time limit for a case: only a command that hangs takes longer.
  static let caseTimeout = Duration.seconds(300)

  static let timeout = Parameter.option(
    "timeout", "TIME", .time,
    "The time limit of each run. Default: \(caseTimeout.components.seconds / 60)m with"
      + " --each-case, else no limit.")

  static let tls = Parameter.flag(
    "tls", "Give the command addresses of HTTPS, and files to trust them by.")
  static let noProxy = Parameter.flag(
    "no-proxy", "Do not make the fake the proxy of the command's clients.")

  static let hermetic = HermeticChoice.option(
    "Give the command a network in which the hosts of upstreams are the fake, and no others exist")

  static let declarations = [
    ServeOptions.cases.declaration, ServeOptions.scripts.declaration,
    ServeOptions.timeScale.declaration, ServeOptions.seed.declaration,
    ServeOptions.cors.declaration, tls.declaration, noProxy.declaration,
    ParentProxies.option.declaration, hermetic.declaration, timeout.declaration,
  ]

  /// Options of the fake.
  let configuration: ServerConfiguration
  /// What the fake serves from the start.
  let initialCases: InitialCases
  /// By which the command trusts the fake; `nil` where it has no need to, or cannot.
  let trust: ClientFiles?
  /// Why it cannot.
  let trustObstacle: Failure?
  /// Whether the command gets a network of its own.
  let isHermetic: Bool
  /// By which other hosts pass through; `nil` where they are refused.
  let parents: ParentProxies?
  private let environment: @Sendable (String) -> String?
  /// `nil` when not given.
  let timeout: Duration?
  /// Whether the command's output goes to standard error.
  let outputToErrors: Bool

  /// - Parameter cases: those that are served, each in a run of its own.
  init(
    _ arguments: ParsedArguments, _ library: ContractLibrary, for cases: [CaseID],
    outputToErrors: Bool, _ terminal: inout Terminal
  ) throws(Failure) {
    environment = arguments.environment
    var configuration = ServerConfiguration()
    configuration.timeScale = try arguments.value(of: ServeOptions.timeScale)
    configuration.seed = try arguments.value(of: ServeOptions.seed)
    configuration.allowsCORS = try arguments.value(of: ServeOptions.cors)
    configuration.live = LiveForwarder().ask
    configuration.callbackSender = CallbackClient()
    let needsTLS = try arguments.value(of: Self.tls)
    isHermetic = try HermeticChoice.isPossible(arguments.value(of: Self.hermetic), &terminal)
    let wantsProxy = try !arguments.value(of: Self.noProxy) && !isHermetic
    parents = try Self.parents(arguments, isHermetic: isHermetic)
    let breaksTLS = cases.contains { $0.served?.fault?.needsTLS == true }
    let trust = Result { [isHermetic] () throws(Failure) -> ClientFiles? in
      guard needsTLS || wantsProxy || breaksTLS || isHermetic else { return nil }
      return try ClientFiles(for: library.upstreams.hostNames, arguments.environment)
    }
    self.trust = needsTLS || isHermetic ? try trust.get() : try? trust.get()
    if case .failure(let obstacle) = trust { trustObstacle = obstacle } else { trustObstacle = nil }
    configuration.certificates = self.trust?.certificates
    configuration.announcesTLS = needsTLS
    if wantsProxy, self.trust != nil {
      configuration.proxy = ForwardProxy(passThrough: parents?.passThrough)
    }
    self.configuration = configuration
    initialCases = try InitialCases(arguments, library)
    timeout = try arguments.value(of: Self.timeout)
    self.outputToErrors = outputToErrors
  }

  private static func parents(
    _ arguments: ParsedArguments, isHermetic: Bool
  ) throws(Failure) -> ParentProxies? {
    guard try arguments.value(of: ParentProxies.option) else { return nil }
    let others = [(try arguments.value(of: noProxy), "--no-proxy"), (isHermetic, "--hermetic")]
    if let other = others.first(where: \.0)?.1 {
      throw Failure(
        message: "found --pass-through and \(other), expected one of them",
        fix: "leave out \(other): hosts pass through the proxy")
    }
    return try ParentProxies(arguments.environment)
  }

  /// A network for one run of a command; `nil` where it gets none.
  func hermeticNetwork(
    for words: [String], _ library: ContractLibrary
  ) throws(Failure) -> HermeticNetwork? {
    guard isHermetic, let trust else { return nil }
    return try HermeticNetwork(
      leading: library.upstreams.flatMap(\.ownPlaces).flatMap(\.places),
      trusting: trust, for: words, environment)
  }

  /// By which the command's clients trust the fake, and have it as their proxy.
  func variables(for server: FakeServer, _ upstreams: [Upstream]) -> [String: String] {
    guard let trust else { return [:] }
    guard configuration.proxy != nil else { return trust.trustVariables }
    return ProxyVariables.variables(
      for: server.address, asking: upstreams.flatMap(\.hostNames), trust,
      loadsNodeModule: NodeVersion.needsModule, environment)
  }
}

import UnderstudyContractModel
import UnderstudyCore
import UnderstudyFakeServer
import UnderstudyRecording
import UnderstudyTLS

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

  static let declarations = [
    ServeOptions.cases.declaration, ServeOptions.scripts.declaration,
    ServeOptions.timeScale.declaration, ServeOptions.seed.declaration,
    ServeOptions.cors.declaration, tls.declaration, timeout.declaration,
  ]

  /// Options of the fake.
  let configuration: ServerConfiguration
  /// What the fake serves from the start.
  let initialCases: InitialCases
  /// By which the command trusts the fake; `nil` without HTTPS.
  let trustFiles: TrustFiles?
  /// `nil` when not given.
  let timeout: Duration?
  /// Whether the command's output goes to standard error.
  let outputToErrors: Bool

  init(
    _ arguments: ParsedArguments, _ library: ContractLibrary, outputToErrors: Bool
  ) throws(Failure) {
    var configuration = ServerConfiguration()
    configuration.timeScale = try arguments.value(of: ServeOptions.timeScale)
    configuration.seed = try arguments.value(of: ServeOptions.seed)
    configuration.allowsCORS = try arguments.value(of: ServeOptions.cors)
    configuration.live = LiveForwarder().ask
    trustFiles =
      if try arguments.value(of: Self.tls) {
        try Self.setCertificates(of: &configuration, for: library.upstreams, arguments)
      } else { nil }
    self.configuration = configuration
    initialCases = try InitialCases(arguments, library)
    timeout = try arguments.value(of: Self.timeout)
    self.outputToErrors = outputToErrors
  }

  /// Makes an authority for this run alone.
  private static func setCertificates(
    of configuration: inout ServerConfiguration, for upstreams: [Upstream],
    _ arguments: ParsedArguments
  ) throws(Failure) -> TrustFiles {
    let authority = try TLSAuthority(for: upstreams.hostNames, at: .now)
    configuration.certificates = try ServerCertificates(authority)
    return try TrustFiles(authority, arguments.environment)
  }
}

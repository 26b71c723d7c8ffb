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

  static let declarations = [
    ServeOptions.cases.declaration, ServeOptions.scripts.declaration,
    ServeOptions.timeScale.declaration, ServeOptions.seed.declaration,
    ServeOptions.cors.declaration, timeout.declaration,
  ]

  /// Options of the fake.
  let configuration: ServerConfiguration
  /// What the fake serves from the start.
  let initialCases: InitialCases
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
    self.configuration = configuration
    initialCases = try InitialCases(arguments, library)
    timeout = try arguments.value(of: Self.timeout)
    self.outputToErrors = outputToErrors
  }
}

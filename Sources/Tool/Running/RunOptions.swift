import UnderstudyContractModel
import UnderstudyCore
import UnderstudyFakeServer

/// What holds for each time the command is run.
struct RunOptions {
  /// How long a command may take for a case, where nobody says: only one that hangs takes longer.
  static let caseTimeout = Duration.seconds(300)

  static let timeout = Parameter<Wait?>.optionalOption(
    "timeout", "TIME",
    "How long the command may take each time. Default: \(caseTimeout.components.seconds / 60)m with"
      + " --each-case, 30s after the answer with --consumer, else no limit.")

  static let declarations = [
    ServeOptions.cases.declaration, ServeOptions.scripts.declaration,
    ServeOptions.timeScale.declaration, ServeOptions.seed.declaration, timeout.declaration,
  ]

  /// Of the fake.
  let configuration: ServerConfiguration
  /// What the fake plays from its start.
  let initialCases: InitialCases
  /// `nil` when nobody has said.
  let timeout: Duration?
  /// Whether the output is for programs, so that the command prints where we print errors.
  let outputToErrors: Bool

  init(_ arguments: ParsedArguments, _ library: ContractLibrary) throws(Failure) {
    var configuration = ServerConfiguration()
    configuration.timeScale = try arguments.value(of: ServeOptions.timeScale).value
    configuration.seed = try arguments.value(of: ServeOptions.seed).value
    self.configuration = configuration
    initialCases = try InitialCases(arguments, library)
    timeout = try arguments.value(of: Self.timeout)?.duration
    outputToErrors = try arguments.value(of: OutputFormat.option) == .json
  }
}

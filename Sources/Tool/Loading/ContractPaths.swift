import UnderstudyContractModel
import UnderstudyCore
import UnderstudyFindings

/// The contracts that a command reads.
enum ContractPaths {
  static let standard = ["Contracts"].compactMap(FilePath.init(argument:))

  static let argument = Parameter<[FilePath]>.arguments(
    "PATH", default: standard,
    "A folder of contracts, one of its upstreams, or a contract.")

  static func load(
    _ arguments: ParsedArguments, for purpose: ContractLibrary.Purpose
  ) throws(Failure) -> ContractLibrary {
    try load(arguments.value(of: argument), for: purpose)
  }

  /// Loads the default folder when no paths are given. Contracts with errors are refused.
  static func loadSound(
    _ paths: [FilePath], for purpose: ContractLibrary.Purpose, _ terminal: inout Terminal
  ) throws(Failure) -> ContractLibrary {
    let library = try load(paths.isEmpty ? standard : paths, for: purpose)
    try requireSound(library, &terminal)
    return library
  }

  /// Refuses contracts with errors, and writes those.
  static func requireSound(
    _ library: ContractLibrary, _ terminal: inout Terminal
  ) throws(Failure) {
    let report = LintReport(library, only: .error)
    guard report.errorCount > 0 else { return }
    report.writeText(to: &terminal.errors)
    throw Failure(
      message: "found \(report.summary)",
      fix: "correct what is listed above; \"understudy lint\" shows warnings too")
  }

  static func load(
    _ paths: [FilePath], for purpose: ContractLibrary.Purpose
  ) throws(Failure) -> ContractLibrary {
    try ContractLibrary.load(paths.map(\.argument), for: purpose)
  }
}

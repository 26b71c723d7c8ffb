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
    _ paths: [FilePath], for purpose: ContractLibrary.Purpose
  ) throws(Failure) -> ContractLibrary {
    let library = try load(paths.isEmpty ? standard : paths, for: purpose)
    let errorCount = LintReport(library, only: .error).errorCount
    guard errorCount == 0 else { throw .brokenContracts(errorCount: errorCount) }
    return library
  }

  static func load(
    _ paths: [FilePath], for purpose: ContractLibrary.Purpose
  ) throws(Failure) -> ContractLibrary {
    try ContractLibrary.load(paths.map(\.argument), for: purpose)
  }
}

import ContractModel

/// The contracts a command is about.
enum ContractPaths {
  static let standard = ["Contracts"].compactMap(FilePath.init(argument:))

  static let argument = Parameter<[FilePath]>.arguments(
    "PATH", default: standard,
    "A folder of contracts, one of its upstreams, or a contract.")

  static func load(_ arguments: ParsedArguments) throws(CommandLineError) -> ContractLibrary {
    try load(arguments.value(of: argument))
  }

  static func load(_ paths: [FilePath]) throws(CommandLineError) -> ContractLibrary {
    do throws(LoadError) {
      return try ContractLibrary.load(paths.map(\.argument))
    } catch {
      throw CommandLineError(message: error.message, fix: error.fix)
    }
  }
}

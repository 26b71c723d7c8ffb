import ContractModel

/// The contracts a command is about.
enum ContractPaths {
  static let argument = Parameter<[FilePath]>.arguments(
    "PATH", default: ["Contracts"].compactMap(FilePath.init(argument:)),
    "A folder of contracts, one of its upstreams, or a contract.")

  static func load(_ arguments: ParsedArguments) throws(CommandLineError) -> ContractLibrary {
    let paths = try arguments.value(of: argument).map(\.argument)
    do throws(LoadError) {
      return try ContractLibrary.load(paths)
    } catch {
      throw CommandLineError(message: error.message, fix: error.fix)
    }
  }
}

/// The contracts a command is about.
enum ContractPaths {
  static let argument = Parameter<[FilePath]>.arguments(
    "PATH", default: ["Contracts"].compactMap(FilePath.init(argument:)),
    "Folders of contracts, or single contracts.")
}

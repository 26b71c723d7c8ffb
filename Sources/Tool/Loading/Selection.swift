import UnderstudyContractModel
import UnderstudyCore
import UnderstudyFindings
import UnderstudySuite
import UnderstudySystem

/// The contracts that a command reads, and which of them it is about.
///
/// Each word is a name in the contracts folder or a path. It is a name if the folder has an upstream of
/// that name, so that an unrelated folder of the project does not hide it.
struct Selection {
  static let folder = Parameter<FilePath>.option(
    "contracts", short: "C", "FOLDER", default: FilePath("Contracts"),
    environmentVariable: CommandEnvironment.contracts, "The folder of contracts.")
  static let words = Parameter<[FilePath]>.arguments(
    "SELECTION", default: [],
    "Only these: an upstream (joke), a contract (joke/random-joke), a case (joke/random-joke#ok),"
      + " with * for any text; or a path. Default: all.")
  static let wholeContracts = Parameter<[FilePath]>.arguments(
    "SELECTION", default: [],
    "Only these: an upstream (joke), a contract (joke/random-joke), with * for any text; or a path."
      + " Default: all.")

  private enum Item {
    case name(CaseGlob)
    case path(String)
  }

  private let folder: String
  private let items: [Item]

  /// - Parameter words: the parameter that they are given by.
  init(
    _ arguments: ParsedArguments, by words: Parameter<[FilePath]>? = words
  ) throws(Failure) {
    let folder = try arguments.value(of: Self.folder).argument
    guard !Self.exists("\(folder)/upstream.json") else {
      let name = folder.split(separator: "/").last.map(String.init) ?? folder
      throw Failure(
        message: "found the folder of an upstream for --contracts, expected the folder around it",
        fix: "select the upstream by its name: \(name)")
    }
    self.folder = folder
    items = try
      (words.map { parameter throws(Failure) in try arguments.value(of: parameter) } ?? [])
      .map { word in
        Self.isPath(word.argument, in: folder)
          ? .path(word.argument) : .name(CaseGlob(word.argument))
      }
  }

  var isEverything: Bool { items.isEmpty }

  private static func isPath(_ word: String, in folder: String) -> Bool {
    guard !word.hasPrefix("/"), !word.hasPrefix(".") else { return true }
    return !word.contains("#") && !exists("\(folder)/\(word.prefix { $0 != "/" })") && exists(word)
  }

  private static func exists(_ path: String) -> Bool {
    (try? FileRoot.anywhere.kind(of: path)) != nil
  }

  // MARK: - Whole contracts

  /// What to load for a command that takes whole contracts, and only these.
  var paths: [String] {
    get throws(Failure) {
      guard !items.isEmpty else { return [folder] }
      var paths: [String] = []
      for item in items {
        switch item {
        case .path(let path): paths.append(path)
        case .name(let glob): paths += try self.paths(of: glob)
        }
      }
      return paths
    }
  }

  private func paths(of glob: CaseGlob) throws(Failure) -> [String] {
    if glob.hasCase {
      let contract = String(glob.text.prefix { $0 != "#" })
      throw Failure(
        message: "found the case \"\(glob.text)\", expected whole contracts",
        fix: "write \(contract)")
    }
    guard Self.exists(folder) else { throw .matchesNothing(glob.text, inMissing: folder) }
    var (paths, known): ([String], [String]) = ([], [])
    for upstream in try FileRoot.anywhere.folders(in: folder)
    where Self.exists("\(folder)/\(upstream)/upstream.json") {
      known.append(upstream)
      let names = try FileRoot.anywhere.names(in: "\(folder)/\(upstream)").filter {
        $0.hasSuffix(".json") && $0 != "upstream.json"
      }.map { String($0.dropLast(".json".count)) }
      known += names.map { "\(upstream)/\($0)" }
      guard glob.matches(upstream: upstream) else { continue }
      if glob.hasContract {
        paths += names.filter(glob.matches(contract:)).map { "\(folder)/\(upstream)/\($0).json" }
      } else {
        paths.append("\(folder)/\(upstream)")
      }
    }
    guard !paths.isEmpty else { throw .matchesNothing(glob.text, among: known) }
    return paths
  }

  func load(for purpose: ContractLibrary.Purpose) throws(Failure) -> ContractLibrary {
    try ContractLibrary.load(paths, for: purpose)
  }

  /// Refuses contracts with errors.
  func loadSound(
    for purpose: ContractLibrary.Purpose, _ terminal: inout Terminal
  ) throws(Failure) -> ContractLibrary {
    let library = try load(for: purpose)
    try Self.requireSound(library, &terminal)
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

  // MARK: - Cases

  /// The contracts folders, whole.
  var roots: [String] {
    get throws(Failure) {
      var roots: [String] = []
      for item in items {
        var root = folder
        if case .path(let path) = item { root = try ContractLibrary.roots(of: [path])[0] }
        if !roots.contains(root) { roots.append(root) }
      }
      return roots.isEmpty ? [folder] : roots
    }
  }

  /// The folder that contracts are saved into.
  func onlyRoot(to verb: String) throws(Failure) -> String {
    let roots = try roots
    guard let root = roots.first, roots.count == 1 else {
      throw Failure(
        message: "found \(roots.count) folders of contracts, expected one to \(verb) into",
        fix: "select from one")
    }
    return root
  }

  /// The folder that is recorded into, which need not exist yet.
  func folderToRecordInto() throws(Failure) -> String {
    guard let item = items.first else { return folder }
    if items.count == 1, case .path(let path) = item,
      try ContractLibrary.roots(of: [path]) == [path]
    {
      return path
    }
    throw Failure(
      message: "found a selection with --record, which records into a whole folder",
      fix: "name the folder: --contracts FOLDER, and the upstreams to record: --upstream NAME")
  }

  /// All contracts of the folders, without errors, and the patterns of the selected cases; none for all.
  /// A pattern that matches nothing is an error.
  func loadAll(
    for purpose: ContractLibrary.Purpose, _ terminal: inout Terminal
  ) throws(Failure) -> (library: ContractLibrary, globs: [CaseGlob]) {
    let library = try ContractLibrary.load(roots, for: purpose)
    try Self.requireSound(library, &terminal)
    var globs: [CaseGlob] = []
    for item in items {
      switch item {
      case .name(let glob):
        guard library.contracts.contains(where: glob.matchesCase) else {
          throw .matchesNothing(glob.text, library)
        }
        globs.append(glob)
      case .path(let path): globs.append(Self.glob(of: path, in: library))
      }
    }
    return (library, globs.contains { $0.matchesAll } ? [] : globs)
  }

  private static func glob(of path: String, in library: ContractLibrary) -> CaseGlob {
    let identity = FileIdentity(of: path)
    if let contract = library.contracts.first(where: { FileIdentity(of: $0.file) == identity }) {
      return CaseGlob(contract.id)
    }
    let upstream = library.upstreams.first { upstream in
      FileIdentity(of: upstream.file) == identity
        || FileIdentity(of: String(upstream.file.dropLast("/upstream.json".count))) == identity
    }
    return CaseGlob(upstream?.name ?? "*")
  }
}

extension CaseGlob {
  func matchesCase(of contract: Contract) -> Bool {
    contract.cases.contains { matches(contract, $0) }
  }
}

extension Failure {
  static func matchesNothing(_ glob: String, _ library: ContractLibrary) -> Self {
    let contract = String(glob.prefix { $0 != "#" })
    let cases = library.contracts.first { $0.id == contract }?.cases.map {
      "\(contract)#\($0.name)"
    }
    return matchesNothing(
      glob, among: cases ?? library.contracts.map(\.id) + library.upstreams.map(\.name))
  }

  fileprivate static func matchesNothing(_ glob: String, among known: [String]) -> Self {
    Self(
      message: "found nothing that matches \"\(glob)\"",
      fix: Spelling.suggestion(for: glob, among: known) ?? "see \"understudy list\"")
  }

  fileprivate static func matchesNothing(_ glob: String, inMissing folder: String) -> Self {
    Self(
      message: "no such file or folder: \(glob), and no folder \(folder) that may have the name",
      fix: folder == "Contracts"
        ? "write the first contracts with \"understudy init\", or name their folder: --contracts FOLDER"
        : "name the folder of contracts: --contracts FOLDER")
  }
}

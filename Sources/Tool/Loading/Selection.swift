import UnderstudyContractModel
import UnderstudyCore
import UnderstudyDrift
import UnderstudyFindings
import UnderstudySuite
import UnderstudySystem

/// The contracts that a command reads, and which of them it is about.
///
/// Each word is a name in the contracts folder or a path. It is a name if the folder has an
/// upstream of that name, so that an unrelated folder of the project does not hide it.
///
/// The folder finds and loads contracts for all commands, so that words mean one thing everywhere.
/// `LintReport` shows what is wrong with them, and `ReadsFile` has what commands were found to
/// read.
struct Selection {
  static let folder = Parameter.option(
    "contracts", short: "C", "FOLDER", .path, default: "Contracts",
    environmentVariable: CommandEnvironment.contracts, "The folder of contracts.")
  static let words = Parameter.arguments(
    "SELECTION", .path,
    "Only these: an upstream (joke), a contract (joke/random-joke), a case (joke/random-joke#ok),"
      + " with * for any text; or a path. Default: all.")
  static let wholeContracts = Parameter.arguments(
    "SELECTION", .path,
    "Only these: an upstream (joke), a contract (joke/random-joke), with * for any text; or a path."
      + " Default: all.")

  private enum Item {
    case name(CaseGlob)
    case path(String)
  }

  let folder: String
  private let items: [Item]

  /// - Parameter words: the parameter that they are given by.
  init(
    _ arguments: ParsedArguments, by words: Parameter<[String]>? = words
  ) throws(Failure) {
    let folder = try arguments.value(of: Self.folder)
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
        Self.isPath(word, in: folder) ? .path(word) : .name(CaseGlob(word))
      }
  }

  private static func isPath(_ word: String, in folder: String) -> Bool {
    guard !word.hasPrefix("/"), !word.hasPrefix(".") else { return true }
    if isPattern(word) { return false }
    if word.hasSuffix(".json") || word.hasPrefix("\(folder)/") { return true }
    return !hasUpstream(of: word, in: folder) && exists(word)
  }

  private static func isPattern(_ word: String) -> Bool {
    word.contains { "#*?".contains($0) }
  }

  private static func hasUpstream(of word: String, in folder: String) -> Bool {
    exists("\(folder)/\(word.prefix { $0 != "/" })")
  }

  /// What may not be looked at exists: whoever reads it says what is wrong.
  private static func exists(_ path: String) -> Bool {
    do throws(Failure) {
      return try FileRoot.anywhere.kind(of: path) != nil
    } catch {
      return true
    }
  }

  // MARK: - Whole contracts

  /// What to load for a command that takes whole contracts, and only these.
  var paths: [String] {
    get throws(Failure) {
      guard !items.isEmpty else { return [folder] }
      var paths: [String] = []
      var names: [(upstream: String, contracts: [String])]?
      for item in items {
        switch item {
        case .path(let path): paths.append(path)
        case .name(let glob):
          if names == nil { names = try self.names() }
          let known = names ?? []
          paths += try self.paths(of: glob, among: known)
        }
      }
      return paths
    }
  }

  /// What the files of the folder are called.
  private func names() throws(Failure) -> [(upstream: String, contracts: [String])] {
    guard Self.exists(folder) else { return [] }
    var names: [(upstream: String, contracts: [String])] = []
    for upstream in try FileRoot.anywhere.folders(in: folder)
    where Self.exists("\(folder)/\(upstream)/upstream.json") {
      let files = try FileRoot.anywhere.names(in: "\(folder)/\(upstream)")
      let contracts = files.filter { $0.hasSuffix(".json") && $0 != "upstream.json" }
      names.append((upstream, contracts.map { String($0.dropLast(".json".count)) }))
    }
    return names
  }

  private func paths(
    of glob: CaseGlob, among names: [(upstream: String, contracts: [String])]
  ) throws(Failure) -> [String] {
    if glob.hasCase {
      let contract = String(glob.text.prefix { $0 != "#" })
      throw Failure(
        message: "found the case \"\(glob.text)\", expected whole contracts",
        fix: "write \(contract)")
    }
    guard Self.exists(folder) else { throw .matchesNothing(glob.text, inMissing: folder) }
    var paths: [String] = []
    for (upstream, contracts) in names where glob.matches(upstream: upstream) {
      let place = "\(folder)/\(upstream)"
      paths +=
        glob.hasContract
        ? contracts.filter(glob.matches(contract:)).map { "\(place)/\($0).json" } : [place]
    }
    guard !paths.isEmpty else {
      let known = names.flatMap { upstream, contracts in
        [upstream] + contracts.map { "\(upstream)/\($0)" }
      }
      throw .matchesNothing(glob.text, among: known)
    }
    return paths
  }

  func load(for purpose: ContractLibrary.Purpose) throws(Failure) -> ContractLibrary {
    try ContractLibrary.load(paths, for: purpose)
  }

  /// Loads them to be checked, with the files of accepted drift in folders that are selected whole.
  func loadForLint() throws(Failure) -> ContractLibrary {
    let paths = try paths
    var library = try ContractLibrary.load(paths, for: .checking)
    var seen: Set<FileIdentity> = []
    for path in paths {
      let root = try ContractLibrary.roots(of: [path])[0]
      let file = root == "." ? "accepted.json" : "\(root)/accepted.json"
      guard let identity = FileIdentity(of: root), identity == FileIdentity(of: path),
        Self.exists(file), seen.insert(identity).inserted
      else { continue }
      let findings: [Finding]
      do throws(Failure) {
        findings = AcceptedDrift.findings(
          in: try FileRoot(around: file).read(file), file: file, of: library)
      } catch {
        findings = [
          Finding(.error, .unreadableFile, error.message, at: Place(file), fix: error.fix)
        ]
      }
      library = library.adding(findings, about: file)
    }
    return library
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
      message: "\(report.summary)",
      fix: "correct what is listed above; \"understudy lint\" shows warnings too")
  }

  // MARK: - Cases

  /// The contracts folders, each once, however it is written.
  private var roots: [String] {
    get throws(Failure) {
      var roots: [String] = []
      var identities: Set<FileIdentity> = []
      for item in items {
        var root = folder
        if case .path(let path) = item { root = try ContractLibrary.roots(of: [path])[0] }
        if FileIdentity(of: root).map({ identities.insert($0).inserted }) ?? !roots.contains(root) {
          roots.append(root)
        }
      }
      return roots.isEmpty ? [folder] : roots
    }
  }

  /// The folder that all of it is in.
  var root: String {
    get throws(Failure) {
      let roots = try roots
      guard let root = roots.first, roots.count == 1 else {
        throw Failure(
          message: "found contracts of \(roots.count) folders, \(roots.joined(separator: " and ")),"
            + " expected those of one",
          fix: "select from one of them")
      }
      return root
    }
  }

  /// Whether it is in the folder that is meant where none is named.
  var isInStandardFolder: Bool {
    get throws(Failure) {
      let root = try root
      return root == "Contracts" || FileIdentity(of: root) == FileIdentity(of: "Contracts")
    }
  }

  /// The folder that is recorded into, which need not exist yet.
  func folderToRecordInto() throws(Failure) -> String {
    guard let item = items.first else { return folder }
    if items.count == 1 {
      switch item {
      case .path(let path):
        guard Self.exists(path) else { return path }
        let root = try ContractLibrary.roots(of: [path])[0]
        if FileIdentity(of: root) == FileIdentity(of: path) { return path }
      case .name(let glob):
        if !Self.isPattern(glob.text), !Self.hasUpstream(of: glob.text, in: folder) {
          return glob.text
        }
      }
    }
    throw Failure(
      message: "a selection cannot be used with --record, which records into a whole folder",
      fix: "name the folder: --contracts FOLDER, and the upstreams to record: --upstream NAME")
  }

  /// All contracts of the folder, without errors, and the patterns of the selected cases; none for
  /// all. A pattern that matches nothing is an error.
  func loadAll(
    for purpose: ContractLibrary.Purpose, _ terminal: inout Terminal
  ) throws(Failure) -> (library: ContractLibrary, globs: [CaseGlob]) {
    let root = try root
    let library = try ContractLibrary.load([root], for: purpose)
    try Self.requireSound(library, &terminal)
    var globs: [CaseGlob] = []
    var places: [FileIdentity: String]?
    for item in items {
      switch item {
      case .name(let glob):
        try glob.requireMatch(in: library)
        globs.append(glob)
      case .path(let path):
        let known = places ?? Self.places(of: library, in: root)
        places = known
        guard let name = FileIdentity(of: path).flatMap({ known[$0] }) else {
          throw Failure(
            message: "\(path) is neither a contract nor a folder of contracts or of an upstream",
            fix: "name one, such as \(library.contracts.first?.file ?? "a contract")")
        }
        globs.append(CaseGlob(name))
      }
    }
    return (library, globs.contains { $0.matchesAll } ? [] : globs)
  }

  /// What the files and folders of contracts are called in selections.
  private static func places(
    of library: ContractLibrary, in root: String
  ) -> [FileIdentity: String] {
    var names = library.contracts.map { ($0.file, $0.id) }
    for upstream in library.upstreams {
      let folder = String(upstream.file.dropLast("/upstream.json".count))
      names += [(upstream.file, upstream.name), (folder, upstream.name)]
    }
    names += [("\(root)/consumers.json", "*"), (root, "*")]
    var places: [FileIdentity: String] = [:]
    for (path, name) in names {
      if let identity = FileIdentity(of: path) { places[identity] = name }
    }
    return places
  }
}

extension CaseGlob {
  func matchesCase(of contract: Contract) -> Bool {
    contract.cases.contains { matches(contract, $0) }
  }

  func requireMatch(in library: ContractLibrary) throws(Failure) {
    guard !library.contracts.contains(where: matchesCase) else { return }
    throw .matchesNothing(
      text,
      among: hasCase
        ? library.contracts.flatMap { contract in contract.cases.map { "\(contract.id)#\($0.name)" }
        }
        : library.contracts.map(\.id) + library.upstreams.map(\.name))
  }
}

extension Failure {
  fileprivate static func matchesNothing(_ glob: String, among known: [String]) -> Self {
    Self(
      message: "nothing matches \"\(glob)\"",
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

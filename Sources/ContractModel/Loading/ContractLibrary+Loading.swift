package import UnderstudyCore
import UnderstudyFindings
import UnderstudySystem

extension ContractLibrary {
  /// Reads contracts from memory: the text of each file by its path in the contracts folder.
  ///
  ///     ContractLibrary(reading: [
  ///       "joke/upstream.json": #"{ "summary": "Jokes" }"#,
  ///       "joke/random.json": #"{ "summary": "A joke", "request": { … }, "cases": { … } }"#,
  ///     ])
  ///
  /// Errors are collected in `findings`, as when reading from disk.
  package init(reading files: [String: String]) {
    self.init(readingBytes: files.mapValues { Array($0.utf8) })
  }

  /// Reads contracts from memory, with files that need not be texts.
  package init(readingBytes files: [String: [UInt8]]) {
    do throws(Failure) {
      self = try FolderReader(root: ".", files: MemoryFiles(files)).read()
    } catch {
      self.init(upstreams: [], consumers: [], findings: [], files: [])
    }
  }

  /// Reads one contract for serving, as if it were in a file of its upstream's folder.
  ///
  /// What only its neighbours can tell is not checked, as serving does not need it: what consumers
  /// expect, and whether it has a live API.
  ///
  /// - Parameters:
  ///   - others: the files with bodies, by their paths in the folder.
  ///   - otherUpstreams: the upstreams whose addresses it may name.
  ///   - maySayAll: whether it may have secrets, since nobody else will read it.
  package static func contract(
    named name: String, of upstreamName: String, reading bytes: [UInt8],
    with others: [String: [UInt8]] = [:], beside otherUpstreams: [String],
    maySayAll: Bool = false
  ) throws(ContractError) -> Contract {
    try checkNames(name, of: upstreamName)
    var files = ["\(upstreamName)/upstream.json": Array("{ \"summary\": \"\" }".utf8)]
    files["\(upstreamName)/\(name).json"] = bytes
    for (path, bytes) in others { files["\(upstreamName)/\(path)"] = bytes }
    let stored = MemoryFiles(
      files,
      fix: "write the body into the contract, as \"body\", \"text\" or \"base64\": one that is made"
        + " at run time has no files but those of the contract that it replaces")
    let folder = FolderReader(
      root: ".", files: stored, purpose: .serving, otherUpstreams: otherUpstreams)
    guard let library = try? folder.read() else { throw ContractError(findings: []) }
    let errors = library.findings.filter {
      $0.severity == .error && $0.type != .notLive && !(maySayAll && $0.type == .secret)
    }
    guard errors.isEmpty, let contract = library.contracts.first else {
      throw ContractError(findings: errors)
    }
    return contract
  }

  /// Fails where no file of the upstream's folder could have the name.
  private static func checkNames(
    _ name: String, of upstreamName: String
  ) throws(ContractError) {
    let complaints = Complaints(file: "\(upstreamName)/\(name).json")
    checkName(upstreamName, at: nil, noun: "upstream", complaints)
    checkName(name, at: nil, noun: "contract", complaints)
    if name == "upstream" {
      complaints.add(
        .badName, at: nil,
        "a contract cannot be called \"upstream\", the name of the upstream's own file",
        fix: "choose another name")
    }
    if max(name.utf8.count, upstreamName.utf8.count) > 200 {
      complaints.add(
        .badName, at: nil, "the name has more than 200 bytes, the limit for a file",
        fix: "choose a shorter one")
    }
    guard complaints.findings.isEmpty else { throw ContractError(findings: complaints.findings) }
  }

  /// Loads folders of contracts, upstreams, or single files.
  ///
  /// A file or an upstream is loaded with its whole contracts folder, since checks depend on the
  /// other files. Only the requested parts are kept.
  package static func load(
    _ paths: [String], for purpose: Purpose = .checking
  ) throws(Failure) -> ContractLibrary {
    // Compared by file identity, not by spelling: `.` in an upstream is a folder of `..`.
    var selections: [(root: String, identity: FileIdentity, chosen: Set<FileIdentity>)] = []
    for path in paths {
      let path = normalized(path)
      let root = try root(around: path)
      guard let identity = FileIdentity(of: root) else { throw missing(root) }
      guard let chosen = FileIdentity(of: path) else { throw missing(path) }
      if let index = selections.firstIndex(where: { $0.identity == identity }) {
        selections[index].chosen.insert(chosen)
      } else {
        selections.append((root, identity, [chosen]))
      }
    }
    var merged = ContractLibrary(upstreams: [], consumers: [], findings: [], files: [])
    for selection in selections {
      let library = try FolderReader(
        root: selection.root, files: FileRoot(selection.root), purpose: purpose
      ).read()
      merged = merged.joined(
        with: selection.chosen.contains(selection.identity)
          ? library : library.selecting(selection.chosen))
    }
    guard merged.fileCount > 0 || !merged.findings.isEmpty else {
      throw Failure(
        message: "no contracts in \(paths.joined(separator: ", "))",
        fix: "a contract is a file such as Contracts/my-upstream/my-endpoint.json")
    }
    return merged
  }

  /// Reads a contracts folder as if these files were already written. Paths of the files begin with
  /// the folder's path. The folder need not exist.
  package static func load(
    _ folder: String, with files: [String: [UInt8]], for purpose: Purpose = .checking
  ) throws(Failure) -> ContractLibrary {
    let files = DraftedFiles(files, in: FileRoot(folder))
    return try FolderReader(root: folder, files: files, purpose: purpose).read()
  }

  /// The contracts folders around these paths: what `load` reads.
  package static func roots(of paths: [String]) throws(Failure) -> [String] {
    try paths.map { path throws(Failure) in try root(around: normalized(path)) }
  }

  /// The contracts folder around a contract or an upstream's file.
  package static func root(ofFile path: String) -> String { parent(of: parent(of: path)) }

  private static func joined(_ folder: String, _ name: String) -> String {
    folder == "." ? name : folder.hasSuffix("/") ? folder + name : "\(folder)/\(name)"
  }

  /// Removes `.` segments and extra slashes.
  private static func normalized(_ path: String) -> String {
    let parts = path.split(separator: "/").filter { $0 != "." }
    let joined = parts.joined(separator: "/")
    return path.hasPrefix("/") ? "/\(joined)" : joined.isEmpty ? "." : joined
  }

  private static func missing(_ path: String) -> Failure {
    Failure(
      message: "no such file or folder: \(path)",
      fix: path == "Contracts"
        ? "write the first contracts with \"understudy init\", or name a folder of contracts"
        : "name a folder of contracts, one of its upstreams, or a contract file")
  }

  private static func root(around path: String) throws(Failure) -> String {
    guard let kind = try FileRoot.anywhere.kind(of: path) else { throw missing(path) }
    if kind == .folder {
      return try FileRoot.anywhere.kind(of: "\(path)/upstream.json") == nil
        ? path : parent(of: path)
    }
    let folder = parent(of: path)
    if joined(folder, "consumers.json") == path { return folder }
    guard try FileRoot.anywhere.kind(of: joined(folder, "upstream.json")) != nil else {
      throw Failure(
        message: "\(path) is not in an upstream: there is no \(joined(folder, "upstream.json"))",
        fix: "move it to Contracts/<upstream>/, beside an upstream.json")
    }
    return root(ofFile: path)
  }

  private static func parent(of path: String) -> String {
    if path == "." { return ".." }
    if path == ".." || path.hasSuffix("/..") { return "\(path)/.." }
    guard let slash = path.lastIndex(of: "/") else { return "." }
    return slash == path.startIndex ? "/" : String(path[..<slash])
  }

  /// If two upstreams or consumers have the same name, the first is kept.
  private func joined(with other: ContractLibrary) -> ContractLibrary {
    let fileByName = Dictionary(upstreams.map { ($0.name, $0.file) }, uniquingKeysWith: { $1 })
    var repeated: [Finding] = []
    let added = other.upstreams.filter { upstream in
      guard let file = fileByName[upstream.name] else { return true }
      let complaints = Complaints(file: upstream.file)
      complaints.add(
        .ambiguous, at: nil, "upstream \"\(upstream.name)\" is also in \(file)",
        fix: "load one of the two, or rename one folder")
      repeated += complaints.findings
      return false
    }
    let consumerNames = Set(consumers.map(\.name))
    return ContractLibrary(
      upstreams: (upstreams + added).sorted { $0.name < $1.name },
      consumers: consumers + other.consumers.filter { !consumerNames.contains($0.name) },
      findings: (findings + other.findings + repeated).byPlace,
      files: files + other.files)
  }

  /// Keeps only these files and the files in these folders.
  private func selecting(_ chosen: Set<FileIdentity>) -> ContractLibrary {
    var known: [String: Bool] = [:]
    func isChosen(_ path: String) -> Bool {
      if let known = known[path] { return known }
      let isChosen = FileIdentity(of: path).map(chosen.contains) ?? false
      known[path] = isChosen
      return isChosen
    }
    func isSelected(_ file: String) -> Bool { isChosen(Self.parent(of: file)) || isChosen(file) }
    let kept = upstreams.compactMap { upstream -> Upstream? in
      let contracts = upstream.contracts.filter { isSelected($0.file) }
      guard !contracts.isEmpty || isSelected(upstream.file) else { return nil }
      return upstream.with(contracts: contracts)
    }
    return ContractLibrary(
      upstreams: kept, consumers: consumers,
      findings: findings.filter { isSelected($0.file) }, files: files.filter(isSelected))
  }
}

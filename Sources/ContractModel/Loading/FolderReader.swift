import UnderstudyCore
import UnderstudyFindings
import UnderstudyJSON
import UnderstudySchema
import UnderstudySystem

/// Reads a folder of contracts: consumers, upstreams and their contracts.
struct FolderReader {
  let root: String
  let files: any FileStore
  /// The step limit for all schemas together.
  var schemaStepsMax = Schema.Options().stepsMax
  var purpose = ContractLibrary.Purpose.checking
  /// Upstreams that contracts may name besides those in the folder.
  var otherUpstreams: [String] = []

  private var prefix: String { root == "." ? "" : root == "/" ? "/" : "\(root)/" }

  /// All processors share the work. Where schemas use up their steps, what was still checked
  /// depends on the order of files, so that is done again in order.
  func read() throws(Failure) -> ContractLibrary {
    let (parallel, isExhausted) = try read(threadCountMax: .max)
    let library = isExhausted ? try read(threadCountMax: 1).library : parallel
    if purpose != .serving || library.findings.isEmpty { return library }
    // What is wrong is said with all texts at hand.
    var reader = self
    reader.purpose = .reading
    return try reader.read()
  }

  private func read(
    threadCountMax: Int
  ) throws(Failure) -> (library: ContractLibrary, isExhausted: Bool) {
    let entries = try files.names(in: root)
    let allowance = StepAllowance(stepsMax: schemaStepsMax)
    let batch = LoadingBatch(files, allowance, threadCountMax: threadCountMax)
    // Later users of the schemas have a limit for each validation.
    defer { allowance.lift() }
    let consumers = entries.contains("consumers.json") ? readConsumers(batch) : []
    let folders = entries.compactMap { Self.isKnown($0) ? nil : folder($0, batch) }
    let upstreamNames = folders.map(\.name) + otherUpstreams
    let nameSet = Set(upstreamNames)
    let declared = folders.map { readUpstream($0, nameSet, batch) }
    let names = LibraryNames(upstreamNames, consumers)
    let contracts = readContracts(of: zip(folders, declared.map(\.upstream)), names, batch)
    let upstreams = zip(declared, contracts).map { declared, contracts in
      let (upstream, root) = declared
      let reader = UpstreamReader(
        name: upstream.name, upstreamNames: nameSet,
        complaints: batch.complaints(for: upstream.file))
      return upstream.with(
        contracts: contracts, scenarios: reader.scenarios(root, of: contracts))
    }
    let lint = CrossLint(
      upstreams: upstreams, consumers: consumers, names: names,
      consumersFile: prefix + "consumers.json", batch: batch)
    lint.check(checksExpectations: purpose.checksExpectations)
    if purpose.checksCoverage { lint.checkCoverage() }
    batch.complainIfExhausted(root: root)
    let library = ContractLibrary(
      upstreams: upstreams, consumers: consumers, findings: batch.findings,
      files: batch.files.sorted())
    return (library, allowance.isExhausted)
  }

  /// The folder of this name, if it is one of an upstream.
  private func folder(_ name: String, _ batch: LoadingBatch) -> Folder? {
    let path = prefix + name
    do throws(Failure) {
      switch try files.kind(of: path) {
      case .folder: return list(name, at: path, batch)
      case nil:
        batch.complaints(for: path).add(
          .unexpectedFile, at: nil, "this link is broken",
          fix: "remove it, or point it to an existing file")
      case .file where name.hasSuffix(".json"):
        batch.complaints(for: path).add(
          .unexpectedFile, at: nil,
          "found a file beside the upstreams, expected only consumers.json and folders",
          fix: "move it to \(prefix)<upstream>/\(name)")
      default: break
      }
    } catch {
      // Files with other extensions are allowed anywhere and not read.
      if name.hasSuffix(".json") || (try? FileRoot.anywhere.kind(of: path)) != .file {
        batch.complaints(for: path).add(.unreadableFile, at: nil, error.message, fix: error.fix)
      }
    }
    return nil
  }

  /// Known names beside the upstreams that are not upstreams.
  private static func isKnown(_ name: String) -> Bool {
    ["consumers.json", "accepted.json"].contains(name) || name.hasSuffix(".schema.json")
  }

  private func readConsumers(_ batch: LoadingBatch) -> [Consumer] {
    let path = prefix + "consumers.json"
    return batch.parse(path).map {
      ConsumersReader(
        folder: ContractLibrary.root(ofFile: path), complaints: batch.complaints(for: path)
      ).read($0.root)
    } ?? []
  }

  /// Reports files that look like contracts but are not read.
  private func complainOfMisnamedFiles(_ names: [String], in folder: String, _ batch: LoadingBatch)
  {
    for name in names where !name.hasSuffix(".json") {
      let lowercased = name.lowercased()
      guard
        let suffix = [".json", ".jsonc", ".json5"].first(where: { lowercased.hasSuffix($0) })
      else { continue }
      batch.complaints(for: "\(folder)/\(name)").add(
        .unexpectedFile, at: nil, "found a file that is not read, expected a name ending in .json",
        fix: "rename it to \(name.dropLast(suffix.count)).json")
    }
  }

  /// The folder of an upstream, and the names of its contracts.
  private struct Folder: Sendable {
    let name: String
    let path: String
    let contractNames: [String]
    let hasUpstreamFile: Bool
  }

  /// Some contracts of one folder.
  private struct Portion: Sendable {
    static let countMax = 16

    let folder: Folder
    let upstream: Upstream
    let contractNames: ArraySlice<String>
  }

  /// `nil` for a folder without JSON, which is not an upstream.
  private func list(_ name: String, at path: String, _ batch: LoadingBatch) -> Folder? {
    let found: [String]
    do throws(Failure) {
      found = try files.names(in: path)
    } catch {
      batch.complaints(for: path).add(.unreadableFile, at: nil, error.message, fix: error.fix)
      return nil
    }
    complainOfMisnamedFiles(found, in: path, batch)
    let names = found.filter { $0.hasSuffix(".json") }
    guard !names.isEmpty else { return nil }
    complainOfDeepFiles(below: found, in: path, batch)
    let contractNames = names.filter { $0 != "upstream.json" }.map {
      String($0.dropLast(".json".count))
    }
    return Folder(
      name: name, path: path, contractNames: contractNames,
      hasUpstreamFile: contractNames.count < names.count)
  }

  /// By folder, sorted by name. Each is checked as soon as it is read.
  private func readContracts(
    of folders: some Sequence<(Folder, Upstream)>, _ names: LibraryNames, _ batch: LoadingBatch
  ) -> [[Contract]] {
    let portions = folders.flatMap { folder, upstream in
      stride(from: 0, to: folder.contractNames.count, by: Portion.countMax).map { start in
        Portion(
          folder: folder, upstream: upstream,
          contractNames: folder.contractNames[start...].prefix(Portion.countMax))
      }
    }
    let run = batch.run
    let read = AllProcessors.map(portions, threadCountMax: batch.threadCountMax) { [self] portion in
      let open = files.open(folder: portion.folder.path)
      return portion.contractNames.map { name -> Noted<Contract?> in
        let complaints = Complaints(file: "\(portion.folder.path)/\(name).json", run: run)
        guard let contract = readContract(name, in: portion.folder, open, complaints) else {
          return Noted(nil, complaints)
        }
        let lint = ContractLint(
          contract: contract, upstream: portion.upstream, names: names,
          checksExpectations: purpose.checksExpectations, complaints: complaints)
        lint.check()
        return Noted(purpose == .serving ? contract.forServing() : contract, complaints)
      }
    }
    var contracts = batch.add(Array(read.joined()))[...]
    return folders.map { folder, _ in
      for name in folder.contractNames { batch.add(file: "\(folder.path)/\(name).json") }
      defer { contracts = contracts.dropFirst(folder.contractNames.count) }
      return contracts.prefix(folder.contractNames.count).compactMap(\.self).sorted {
        $0.name < $1.name
      }
    }
  }

  /// An upstream without contracts and scenarios, and its file.
  private func readUpstream(
    _ folder: Folder, _ upstreamNames: Set<String>, _ batch: LoadingBatch
  ) -> (upstream: Upstream, root: JSONValue?) {
    let upstreamFile = "\(folder.path)/upstream.json"
    let complaints = batch.complaints(for: upstreamFile)
    let reader = UpstreamReader(
      name: folder.name, upstreamNames: upstreamNames, complaints: complaints)
    guard folder.hasUpstreamFile else {
      complaints.add(
        .unreadableFile, at: nil, "contracts without an upstream.json beside them",
        fix: "write \(upstreamFile): { \"summary\": \"…\", \"baseURL\": \"https://…\" }")
      return (reader.read(nil), nil)
    }
    let document = batch.parse(upstreamFile)
    if folder.contractNames.isEmpty {
      complaints.add(
        .noContract, at: nil, "this upstream has no contract",
        fix: "add \(folder.path)/<endpoint>.json")
    }
    return (reader.read(document?.root), document?.root)
  }

  /// Reports contracts in subfolders, which would silently be ignored.
  private func complainOfDeepFiles(below names: [String], in folder: String, _ batch: LoadingBatch)
  {
    for name in names where name != "files" && !name.hasSuffix(".json") {
      let inner = "\(folder)/\(name)"
      guard (try? files.kind(of: inner)) == .folder, let found = try? files.names(in: inner)
      else { continue }
      for file in found where file.hasSuffix(".json") {
        batch.complaints(for: inner).add(
          .unexpectedFile, at: nil, "\(file) is two folders deep, where contracts are not read",
          fix: "move it to \(folder)/\(file), or into \(folder)/files if it is a body")
      }
    }
  }

  private func readContract(
    _ name: String, in folder: Folder, _ open: OpenFolder?, _ complaints: Complaints
  ) -> Contract? {
    let document = complaints.parse { () throws(Failure) in
      // It follows no links, and the other way says what is wrong.
      if let bytes = try? open?.read("\(name).json") { return bytes }
      return try files.read(complaints.file, within: nil)
    }
    guard let document else { return nil }
    let reader = ContractReader(
      upstreamName: folder.name, name: name, complaints: complaints
    ) { file in
      guard !file.isEmpty, !file.hasPrefix("/"), !file.split(separator: "/").contains("..")
      else {
        return .failure(
          Failure(
            message: "found file \"\(file)\", expected one inside \(folder.path)",
            fix: "copy it to \(folder.path)/files"))
      }
      return Result { () throws(Failure) in
        try files.read("\(folder.path)/\(file)", within: folder.path)
      }
    }
    return reader.read(document.root)
  }
}

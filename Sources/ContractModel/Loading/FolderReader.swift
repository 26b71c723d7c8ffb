import Diagnostics
import JSON

/// Reads a folder of contracts: consumers, upstreams and their contracts.
struct FolderReader {
  let root: String
  var files: any FileStore = Disk()

  private var prefix: String { root == "." ? "" : root == "/" ? "/" : "\(root)/" }

  func read() throws(LoadError) -> ContractLibrary {
    let names: [String]
    switch files.names(in: root) {
    case .success(let found): names = found
    case .failure(let error): throw LoadError(message: error.message, fix: error.fix)
    }
    let batch = Batch(files)
    let consumers = readConsumers(batch)
    var upstreams: [Upstream] = []
    for name in names {
      let path = prefix + name
      switch files.kind(of: path) {
      case .folder:
        if let upstream = readUpstream(name, at: path, batch) { upstreams.append(upstream) }
      case nil: complainOfNothing(at: path, batch)
      case .file where name.hasSuffix(".json"):
        if name != "consumers.json", name != "accepted.json", !name.hasSuffix(".schema.json") {
          batch.complaints(for: path).add(
            .unexpectedFile, at: nil,
            "found a file beside the upstreams, expected consumers.json and folders here",
            fix: "move it to \(prefix)<upstream>/\(name)")
        }
      default: break
      }
    }
    CrossLint(
      upstreams: upstreams, consumers: consumers, consumersFile: prefix + "consumers.json",
      batch: batch
    ).check()
    return ContractLibrary(
      upstreams: upstreams, consumers: consumers, diagnostics: batch.diagnostics,
      files: batch.files.sorted())
  }

  private func readConsumers(_ batch: Batch) -> [Consumer] {
    let path = prefix + "consumers.json"
    guard files.kind(of: path) != nil else { return [] }
    return batch.parse(path).map {
      ConsumersReader(complaints: batch.complaints(for: path)).read($0.root)
    } ?? []
  }

  /// A name that is in the folder leads nowhere, or nobody may look where.
  private func complainOfNothing(at path: String, _ batch: Batch) {
    let complaints = batch.complaints(for: path)
    if let obstacle = FileSystem.obstacle(to: path) {
      complaints.add(.unreadableFile, at: nil, obstacle.message, fix: obstacle.fix)
    } else {
      complaints.add(
        .unexpectedFile, at: nil, "found a link that leads nowhere",
        fix: "remove it, or point it at what is there")
    }
  }

  /// Files that somebody takes for contracts, and that are not read.
  private func complainOfMisnamedFiles(_ names: [String], in folder: String, _ batch: Batch) {
    for name in names where !name.hasSuffix(".json") {
      let lowercased = name.lowercased()
      guard
        let suffix = [".json", ".jsonc", ".json5"].first(where: { lowercased.hasSuffix($0) })
      else { continue }
      batch.complaints(for: "\(folder)/\(name)").add(
        .unexpectedFile, at: nil, "found a file that is not read, expected one that ends in .json",
        fix: "rename it to \(name.dropLast(suffix.count)).json")
    }
  }

  /// `nil` for a folder that holds no JSON, and so is no upstream.
  private func readUpstream(_ name: String, at folder: String, _ batch: Batch) -> Upstream? {
    let upstreamFile = "\(folder)/upstream.json"
    let names: [String]
    switch files.names(in: folder) {
    case .success(let found):
      names = found.filter { $0.hasSuffix(".json") }
      complainOfMisnamedFiles(found, in: folder, batch)
      if !names.isEmpty { complainOfDeepFiles(beneath: found, in: folder, batch) }
    case .failure(let error):
      batch.complaints(for: folder).add(.unreadableFile, at: nil, error.message, fix: error.fix)
      return nil
    }
    guard !names.isEmpty else { return nil }
    let contracts = names.filter { $0 != "upstream.json" }.compactMap { file in
      readContract(String(file.dropLast(".json".count)), in: folder, upstream: name, batch)
    }.sorted { $0.name < $1.name }
    let complaints = batch.complaints(for: upstreamFile)
    guard names.contains("upstream.json") else {
      complaints.add(
        .unreadableFile, at: nil, "found contracts without an upstream.json beside them",
        fix: "write \(upstreamFile): { \"summary\": \"…\", \"baseURL\": \"https://…\" }")
      return UpstreamReader(name: name, complaints: complaints).read(nil, contracts: contracts)
    }
    let document = batch.parse(upstreamFile)
    if names.count == 1 {
      complaints.add(
        .missingKey, at: nil, "found an upstream without a contract",
        fix: "add \(folder)/<endpoint>.json")
    }
    return UpstreamReader(name: name, complaints: complaints).read(
      document?.root, contracts: contracts)
  }

  /// A contract in a folder of its own would be neither read nor missed.
  private func complainOfDeepFiles(beneath names: [String], in folder: String, _ batch: Batch) {
    for name in names where name != "files" && !name.hasSuffix(".json") {
      let inner = "\(folder)/\(name)"
      guard files.kind(of: inner) == .folder,
        case .success(let found) = files.names(in: inner)
      else { continue }
      for file in found where file.hasSuffix(".json") {
        batch.complaints(for: inner).add(
          .unexpectedFile, at: nil, "found \(file) two folders deep, where no contract is read",
          fix: "move it to \(folder)/\(file), or beneath \(folder)/files if it is a body")
      }
    }
  }

  private func readContract(
    _ name: String, in folder: String, upstream: String, _ batch: Batch
  ) -> Contract? {
    let path = "\(folder)/\(name).json"
    guard let document = batch.parse(path) else { return nil }
    let reader = ContractReader(
      upstreamName: upstream, name: name, complaints: batch.complaints(for: path)
    ) { file in
      guard !file.isEmpty, !file.hasPrefix("/"), !file.split(separator: "/").contains(".."),
        !FileSystem.leadsOutside("\(folder)/\(file)", of: folder)
      else {
        return .failure(
          FileError(
            message: "found file \"\(file)\", expected one beneath \(folder)",
            fix: "copy it to \(folder)/files"))
      }
      return files.read("\(folder)/\(file)")
    }
    return reader.read(document.root)
  }
}

/// The files of one load, and the complaints about each.
final class Batch {
  private(set) var files: [String] = []
  private let store: any FileStore
  private var complaintsByFile: [String: Complaints] = [:]

  init(_ store: any FileStore) {
    self.store = store
  }

  /// Sorted by place.
  var diagnostics: [Diagnostic] {
    complaintsByFile.values.flatMap(\.diagnostics).sorted()
  }

  func complaints(for file: String) -> Complaints {
    if let complaints = complaintsByFile[file] { return complaints }
    let complaints = Complaints(file: file)
    complaintsByFile[file] = complaints
    return complaints
  }

  /// `nil`, with a complaint, when the file cannot be read or is no JSON.
  func parse(_ file: String) -> JSONDocument? {
    files.append(file)
    let complaints = complaints(for: file)
    switch store.read(file) {
    case .failure(let error):
      complaints.add(.unreadableFile, at: nil, error.message, fix: error.fix)
      return nil
    case .success(let bytes):
      do {
        let document = try JSONDocument(parsing: bytes)
        SecretScan(complaints: complaints).scan(document)
        return document
      } catch {
        complaints.add(.invalidJSON, at: error.position, error.message, fix: error.fix)
        return nil
      }
    }
  }
}

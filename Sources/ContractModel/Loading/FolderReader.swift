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

  private var prefix: String { root == "." ? "" : root == "/" ? "/" : "\(root)/" }

  func read() throws(Failure) -> ContractLibrary {
    let names = try files.names(in: root)
    let batch = Batch(files, StepAllowance(stepsMax: schemaStepsMax))
    // Later users of the schemas have a limit for each validation.
    defer { batch.allowance.lift() }
    let consumers = names.contains("consumers.json") ? readConsumers(batch) : []
    var upstreams: [Upstream] = []
    for name in names where !Self.isKnown(name) {
      let path = prefix + name
      do throws(Failure) {
        switch try files.kind(of: path) {
        case .folder:
          if let upstream = readUpstream(name, at: path, batch) { upstreams.append(upstream) }
        case nil:
          batch.complaints(for: path).add(
            .unexpectedFile, at: nil, "found a broken link",
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
        if !name.hasSuffix(".json"), (try? FileRoot.anywhere.kind(of: path)) == .file { continue }
        batch.complaints(for: path).add(.unreadableFile, at: nil, error.message, fix: error.fix)
      }
    }
    CrossLint(
      upstreams: upstreams, consumers: consumers, consumersFile: prefix + "consumers.json",
      batch: batch
    ).check()
    batch.complainIfExhausted(root: root)
    return ContractLibrary(
      upstreams: upstreams, consumers: consumers, findings: batch.findings,
      files: batch.files.sorted())
  }

  /// Known names beside the upstreams that are not upstreams.
  private static func isKnown(_ name: String) -> Bool {
    ["consumers.json", "accepted.json"].contains(name) || name.hasSuffix(".schema.json")
  }

  private func readConsumers(_ batch: Batch) -> [Consumer] {
    let path = prefix + "consumers.json"
    return batch.parse(path).map {
      ConsumersReader(
        folder: ContractLibrary.root(ofFile: path), complaints: batch.complaints(for: path)
      ).read($0.root)
    } ?? []
  }

  /// Reports files that look like contracts but are not read.
  private func complainOfMisnamedFiles(_ names: [String], in folder: String, _ batch: Batch) {
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

  /// `nil` for a folder without JSON, which is not an upstream.
  private func readUpstream(_ name: String, at folder: String, _ batch: Batch) -> Upstream? {
    let upstreamFile = "\(folder)/upstream.json"
    let found: [String]
    do throws(Failure) {
      found = try files.names(in: folder)
    } catch {
      batch.complaints(for: folder).add(.unreadableFile, at: nil, error.message, fix: error.fix)
      return nil
    }
    complainOfMisnamedFiles(found, in: folder, batch)
    let names = found.filter { $0.hasSuffix(".json") }
    guard !names.isEmpty else { return nil }
    complainOfDeepFiles(beneath: found, in: folder, batch)
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

  /// Reports contracts in subfolders, which would silently be ignored.
  private func complainOfDeepFiles(beneath names: [String], in folder: String, _ batch: Batch) {
    for name in names where name != "files" && !name.hasSuffix(".json") {
      let inner = "\(folder)/\(name)"
      guard (try? files.kind(of: inner)) == .folder, let found = try? files.names(in: inner)
      else { continue }
      for file in found where file.hasSuffix(".json") {
        batch.complaints(for: inner).add(
          .unexpectedFile, at: nil, "found \(file) two folders deep, where contracts are not read",
          fix: "move it to \(folder)/\(file), or into \(folder)/files if it is a body")
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
      guard !file.isEmpty, !file.hasPrefix("/"), !file.split(separator: "/").contains("..")
      else {
        return .failure(
          Failure(
            message: "found file \"\(file)\", expected one inside \(folder)",
            fix: "copy it to \(folder)/files"))
      }
      return Result { () throws(Failure) in
        try files.read("\(folder)/\(file)", within: folder)
      }
    }
    return reader.read(document.root)
  }
}

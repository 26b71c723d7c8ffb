import Diagnostics
import JSON

/// Why there are no contracts at all.
package struct LoadError: Error, Hashable, Sendable, CustomStringConvertible {
  package let message: String
  package let fix: String?

  package var description: String {
    fix.map { "\(message)\n  fix: \($0)" } ?? message
  }
}

extension ContractLibrary {
  /// Loads folders of contracts, upstreams, or single files.
  ///
  /// A file or an upstream is loaded with the folder of contracts around it, since whether it is
  /// right depends on the others; what is kept is what was asked for.
  package static func load(_ paths: [String]) throws(LoadError) -> ContractLibrary {
    var selections: [(root: String, selected: [String])] = []
    for path in paths {
      let root = try root(around: path)
      if let index = selections.firstIndex(where: { $0.root == root }) {
        selections[index].selected.append(normalized(path))
      } else {
        selections.append((root, [normalized(path)]))
      }
    }
    var merged = ContractLibrary(upstreams: [], consumers: [], diagnostics: [], fileCount: 0)
    for (root, selected) in selections {
      let library = try FolderReader(root: root).read()
      merged = merged.joined(
        with: selected.contains(root) ? library : library.selecting(selected))
    }
    guard merged.fileCount > 0 else {
      throw LoadError(
        message: "found no contracts in \(paths.joined(separator: ", "))",
        fix: "a contract is a file such as Contracts/my-upstream/my-endpoint.json")
    }
    return merged
  }

  private static func normalized(_ path: String) -> String {
    var path = path[...]
    while path.count > 1, path.hasSuffix("/") { path.removeLast() }
    while path.hasPrefix("./"), path.count > 2 { path = path.dropFirst(2) }
    return String(path)
  }

  private static func root(around path: String) throws(LoadError) -> String {
    let path = normalized(path)
    switch FileSystem.kind(of: path) {
    case nil:
      throw LoadError(
        message: "no such file or folder: \(path)",
        fix: "name a folder of contracts, one of its upstreams, or a contract file")
    case .folder:
      return FileSystem.kind(of: "\(path)/upstream.json") == nil ? path : parent(of: path)
    default:
      let folder = parent(of: path)
      if path.hasSuffix("/consumers.json") || path == "consumers.json" { return folder }
      guard FileSystem.kind(of: "\(folder)/upstream.json") != nil else {
        throw LoadError(
          message: "\(path) stands in no upstream: there is no \(folder)/upstream.json",
          fix: "move it to Contracts/<upstream>/, beside an upstream.json")
      }
      return parent(of: folder)
    }
  }

  private static func parent(of path: String) -> String {
    guard let slash = path.lastIndex(of: "/") else { return path == "." ? ".." : "." }
    return slash == path.startIndex ? "/" : String(path[..<slash])
  }

  private func joined(with other: ContractLibrary) -> ContractLibrary {
    ContractLibrary(
      upstreams: (upstreams + other.upstreams).sorted { $0.name < $1.name },
      consumers: consumers + other.consumers,
      diagnostics: (diagnostics + other.diagnostics).sorted(),
      fileCount: fileCount + other.fileCount)
  }

  /// Only what lies at or beneath these paths.
  private func selecting(_ paths: [String]) -> ContractLibrary {
    func isSelected(_ file: String) -> Bool {
      paths.contains { file == $0 || file.hasPrefix("\($0)/") }
    }
    let kept = upstreams.compactMap { upstream -> Upstream? in
      let contracts = upstream.contracts.filter { isSelected($0.file) }
      guard !contracts.isEmpty || isSelected(upstream.file) else { return nil }
      return upstream.with(contracts: contracts)
    }
    let files = kept.flatMap { $0.contracts.map(\.file) + [$0.file] }.filter(isSelected)
    let found = diagnostics.filter { isSelected($0.file) }
    return ContractLibrary(
      upstreams: kept, consumers: consumers, diagnostics: found,
      fileCount: Set(files + found.map(\.file) + paths.filter { $0.hasSuffix(".json") }).count)
  }
}

import UnderstudyContractModel
import UnderstudyCore
import UnderstudyFindings
import UnderstudySystem

/// JSON reports of earlier runs.
enum ReportFile {
  static func read(_ path: String) throws(Failure) -> Report {
    try Report(parsing: FileRoot(around: path).read(path), file: path)
  }

  /// The files that paths name, each once. Folders are searched for .json files recursively, since
  /// CI systems put the files of each machine in a folder.
  static func files(_ paths: [String]) throws(Failure) -> [String] {
    var files: [String] = []
    for path in paths {
      // Other errors are reported when the file is read.
      guard (try? FileRoot(around: path).kind(of: path)) == .folder else {
        files.append(path)
        continue
      }
      let found = try jsonFiles(in: path, depthMax: 1)
      guard !found.isEmpty else { throw .noReport(in: path) }
      files += found
    }
    var known: Set<String> = []
    return files.filter { known.insert($0).inserted }
  }

  private static func jsonFiles(
    in folder: String, depthMax: Int
  ) throws(Failure) -> [String] {
    let root = FileRoot(around: folder)
    let inner = try root.names(in: folder).map { name throws(Failure) in
      let path = folder.hasSuffix("/") ? folder + name : "\(folder)/\(name)"
      return (path, try root.kind(of: path))
    }
    var files: [String] = []
    for (path, kind) in inner {
      switch kind {
      case .folder where depthMax > 0:
        files += try jsonFiles(in: path, depthMax: depthMax - 1)
      case .file where path.hasSuffix(".json"): files.append(path)
      default: break
      }
    }
    return files
  }
}

extension Failure {
  fileprivate static func noReport(in folder: String) -> Self {
    Self(
      message: "no .json file in \(folder) or its folders, expected the reports of all shards",
      fix: "name the folder with the files written by --report json=PATH")
  }
}

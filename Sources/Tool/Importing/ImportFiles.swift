import UnderstudyCore
import UnderstudyInterchange
import UnderstudySystem

/// Reads the files that a user names for an import, and the folders.
enum ImportFiles {
  private static let depthMax = 20

  /// - Parameter paths: of files, or of folders whose JSON files are all read; beneath a folder with
  ///   `mappings`, as WireMock has it, only those.
  static func source(_ paths: [String]) throws(Failure) -> ImportSource {
    var files: [String] = []
    for path in paths {
      let root = FileRoot(around: path)
      guard try root.kind(of: path) == .folder else {
        files.append(path)
        continue
      }
      let mappings = "\(path)/mappings"
      let folder = try root.kind(of: mappings) == .folder ? mappings : path
      let found = try jsonFiles(in: folder, root, depth: 0)
      guard !found.isEmpty else {
        throw Failure(
          at: Place(folder), message: "found no JSON files, expected stub mappings",
          fix: "name a file, or a folder of stub mappings")
      }
      files += found
    }
    return ImportSource(documents: try files.map(document), reading: file)
  }

  private static func file(at path: String, in folder: String) throws(Failure) -> [UInt8] {
    try FileRoot(folder).read("\(folder)/\(path)")
  }

  private static func document(_ file: String) throws(Failure) -> ForeignDocument {
    try ForeignDocument(reading: FileRoot(around: file).read(file), file: file)
  }

  /// The stubs of a folder as WireMock has it, if there are any.
  ///
  /// - Parameter onlyInMappings: whether other JSON files of the folder are not stubs.
  static func stubs(
    in folder: String, onlyInMappings: Bool = false
  ) throws(Failure) -> [ForeignDocument] {
    let root = FileRoot(around: folder)
    guard try root.kind(of: folder) == .folder else {
      throw Failure(
        message: "no such folder: \(folder)", fix: "name the folder that has mappings and __files")
    }
    let mappings = "\(folder)/mappings"
    let hasMappings = try root.kind(of: mappings) == .folder
    guard hasMappings || !onlyInMappings else { return [] }
    return try jsonFiles(in: hasMappings ? mappings : folder, root, depth: 0).map(document)
  }

  private static func jsonFiles(
    in folder: String, _ root: FileRoot, depth: Int
  ) throws(Failure) -> [String] {
    guard depth <= depthMax else {
      throw Failure(
        at: Place(folder), message: "found folders more than \(depthMax) levels deep",
        fix: "name the folder that has the files; a link may lead back to a folder above it")
    }
    var files: [String] = []
    for name in try root.names(in: folder) {
      let path = "\(folder)/\(name)"
      switch try root.kind(of: path) {
      case .folder: files += try jsonFiles(in: path, root, depth: depth + 1)
      case .file where name.lowercased().hasSuffix(".json"): files.append(path)
      default: continue
      }
    }
    return files
  }
}

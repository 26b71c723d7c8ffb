import UnderstudyCore
import UnderstudyInterchange
import UnderstudySystem

/// Reads the files that a user names for an import, and the folders.
enum ImportFiles {
  private static let depthMax = 20

  /// - Parameter paths: of files, or of folders. Of these, all JSON, YAML and HAR is read that is of a
  ///   known format, except `__files`; where they have folders named `mappings`, as WireMock has them, only
  ///   what is in those.
  static func source(_ paths: [String]) throws(Failure) -> ImportSource {
    var documents: [ForeignDocument] = []
    var folders: [String] = []
    var notes: [ImportNote] = []
    for path in paths {
      let root = FileRoot(around: path)
      guard try root.kind(of: path) == .folder else {
        documents.append(try document(path))
        continue
      }
      let found = try ImportFolder(path, root)
      folders.append(path)
      documents += found.documents
      notes += found.notes
    }
    return ImportSource(documents: documents, in: folders, notes: notes, reading: file)
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
    return try files(in: hasMappings ? mappings : folder, root).filter(\.isJSONFile).map(document)
  }

  /// All files of a folder and the folders beneath it, except the bodies of stubs.
  static func files(
    in folder: String, _ root: FileRoot, depth: Int = 0
  ) throws(Failure) -> [String] {
    guard depth <= depthMax else {
      throw Failure(
        at: Place(folder), message: "folders are more than \(depthMax) levels deep",
        fix: "name the folder that has the files; a link may lead back to a folder above it")
    }
    var found: [String] = []
    for name in try root.names(in: folder) where name != "__files" {
      let path = "\(folder)/\(name)"
      switch try root.kind(of: path) {
      case .folder: found += try files(in: path, root, depth: depth + 1)
      case .file: found.append(path)
      default: continue
      }
    }
    return found
  }
}

/// What an import reads of a folder, and what it does not.
private struct ImportFolder {
  private(set) var documents: [ForeignDocument] = []
  private(set) var notes: [ImportNote] = []

  init(_ folder: String, _ root: FileRoot) throws(Failure) {
    let mappings = "\(folder)/mappings"
    let hasMappings = try root.kind(of: mappings) == .folder
    let files = try ImportFiles.files(in: hasMappings ? mappings : folder, root)
    let stubs = files.filter { $0.isJSONFile && $0.isBeneathMappings(of: folder) }
    let others = files.filter { $0.isJSONFile || $0.isYAMLFile || $0.isHARFile }
    for file in stubs.isEmpty ? others : stubs { try read(file, root, isStub: !stubs.isEmpty) }
    if !stubs.isEmpty, !hasMappings {
      for file in others where !file.isBeneathMappings(of: folder) {
        note(.skipped, at: Place(file), "it is not in a folder named mappings")
      }
    }
    guard documents.isEmpty else { return }
    let first = notes.first.map { "; \($0.place): \($0.reason)" } ?? ""
    throw Failure(
      at: Place(folder), message: "no stub mappings, HAR or OpenAPI document\(first)",
      fix: "name a file, or a folder of stub mappings")
  }

  /// - Parameter isStub: whether it is where WireMock looks for stubs.
  private mutating func read(_ file: String, _ root: FileRoot, isStub: Bool) throws(Failure) {
    let bytes = try root.read(file)
    do throws(Failure) {
      let document = try ForeignDocument(reading: bytes, file: file)
      try document.checkIsForeign()
      if ImportFormat(of: document) != nil {
        documents.append(document)
      } else {
        note(isStub ? .leftOut : .skipped, at: Place(file), "import does not know its format")
      }
    } catch {
      note(isStub ? .leftOut : .skipped, at: error.place ?? Place(file), error.message)
    }
  }

  private mutating func note(_ kind: ImportNote.Kind, at place: Place, _ reason: String) {
    notes.append(ImportNote(kind, place.file, at: place, "", because: reason))
  }
}

extension String {
  fileprivate var isJSONFile: Bool { lowercased().hasSuffix(".json") }

  fileprivate var isHARFile: Bool { lowercased().hasSuffix(".har") }

  fileprivate var isYAMLFile: Bool {
    let name = lowercased()
    return name.hasSuffix(".yaml") || name.hasSuffix(".yml")
  }

  fileprivate func isBeneathMappings(of folder: String) -> Bool {
    dropFirst(folder.count).split(separator: "/").dropLast().contains("mappings")
  }
}

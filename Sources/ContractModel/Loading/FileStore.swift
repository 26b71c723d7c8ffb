/// Where a library's files come from: a disk, or memory in tests.
protocol FileStore {
  /// `nil` when there is nothing at the path.
  func kind(of path: String) -> FileSystem.Kind?
  /// The names in a folder, sorted, without hidden ones.
  func names(in folder: String) -> Result<[String], FileError>
  func read(_ path: String) -> Result<[UInt8], FileError>
}

/// The files of the machine.
struct Disk: FileStore {
  func kind(of path: String) -> FileSystem.Kind? { FileSystem.kind(of: path) }
  func names(in folder: String) -> Result<[String], FileError> { FileSystem.names(in: folder) }
  func read(_ path: String) -> Result<[UInt8], FileError> { FileSystem.read(path) }
}

/// The files of the machine as they would be with some written anew.
struct DraftedDisk: FileStore {
  private let files: [String: [UInt8]]
  private var namesByFolder: [String: Set<String>] = [:]

  init(_ files: [String: [UInt8]]) {
    self.files = files
    for path in files.keys {
      var rest = path[...]
      while let slash = rest.lastIndex(of: "/") {
        let folder = String(rest[..<slash])
        namesByFolder[folder, default: []].insert(String(rest[rest.index(after: slash)...]))
        rest = rest[..<slash]
      }
      if !path.hasPrefix("/") { namesByFolder[".", default: []].insert(String(rest)) }
    }
  }

  func kind(of path: String) -> FileSystem.Kind? {
    if files[path] != nil { return .file }
    return FileSystem.kind(of: path) ?? (namesByFolder[path] == nil ? nil : .folder)
  }

  func names(in folder: String) -> Result<[String], FileError> {
    let drafted = namesByFolder[folder] ?? []
    if !drafted.isEmpty, FileSystem.kind(of: folder) == nil { return .success(drafted.sorted()) }
    return FileSystem.names(in: folder).map { Set($0).union(drafted).sorted() }
  }

  func read(_ path: String) -> Result<[UInt8], FileError> {
    files[path].map { .success($0) } ?? FileSystem.read(path)
  }
}

/// Texts by path, and the folders these paths speak of; the one around them all is `.`.
struct MemoryFiles: FileStore {
  private let texts: [String: String]
  private var namesByFolder: [String: Set<String>] = [".": []]

  init(_ texts: [String: String]) {
    self.texts = texts
    for path in texts.keys {
      var folder = "."
      for name in path.split(separator: "/").map(String.init) {
        namesByFolder[folder, default: []].insert(name)
        folder = folder == "." ? name : "\(folder)/\(name)"
      }
    }
  }

  func kind(of path: String) -> FileSystem.Kind? {
    if texts[path] != nil { return .file }
    return namesByFolder[path] == nil ? nil : .folder
  }

  func names(in folder: String) -> Result<[String], FileError> {
    guard let names = namesByFolder[folder] else { return .failure(.missing(folder)) }
    return .success(names.filter { !$0.hasPrefix(".") }.sorted())
  }

  func read(_ path: String) -> Result<[UInt8], FileError> {
    texts[path].map { .success(Array($0.utf8)) } ?? .failure(.missing(path))
  }
}

extension FileError {
  fileprivate static func missing(_ path: String) -> FileError {
    FileError(message: "there is no \(path) among the files given", fix: "check the spelling")
  }
}

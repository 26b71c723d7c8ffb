import UnderstudyCore
import UnderstudySystem

/// Where a library's files come from: a disk, or memory in tests.
protocol FileStore: Sendable {
  /// `nil` when nothing exists at the path.
  func kind(of path: String) throws(Failure) -> FileRoot.Kind?
  /// The names in a folder, sorted, without hidden ones.
  func names(in folder: String) throws(Failure) -> [String]
  /// - Parameter folder: a folder that symbolic links in the path must not leave.
  func read(_ path: String, within folder: String?) throws(Failure) -> [UInt8]
  /// A folder that is opened once to read many of its files; `nil` if `read` is to be used instead.
  func open(folder: String) -> OpenFolder?
}

extension FileStore {
  func open(folder: String) -> OpenFolder? { nil }
}

extension FileRoot: FileStore {
  func open(folder: String) -> OpenFolder? { try? openFolder(folder) }
}

/// The files of a folder as if some had been rewritten.
struct DraftedFiles: FileStore {
  private let root: FileRoot
  private let files: [String: [UInt8]]
  private var namesByFolder: [String: Set<String>] = [:]

  init(_ files: [String: [UInt8]], in root: FileRoot) {
    self.root = root
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

  func kind(of path: String) throws(Failure) -> FileRoot.Kind? {
    let kind = try root.kind(of: path)
    if files[path] != nil { return .file }
    return kind ?? (namesByFolder[path] == nil ? nil : .folder)
  }

  func names(in folder: String) throws(Failure) -> [String] {
    let drafted = namesByFolder[folder] ?? []
    if !drafted.isEmpty, try root.kind(of: folder) == nil { return drafted.sorted() }
    return Set(try root.names(in: folder)).union(drafted).sorted()
  }

  func read(_ path: String, within folder: String?) throws(Failure) -> [UInt8] {
    guard let bytes = files[path] else { return try root.read(path, within: folder) }
    try root.checkStays(path, within: folder)
    guard bytes.count <= FileRoot.byteCountMax else { throw .tooLarge(path) }
    return bytes
  }
}

/// Files by path, and the folders of these paths; the outermost folder is `.`.
struct MemoryFiles: FileStore {
  private let files: [String: [UInt8]]
  private var namesByFolder: [String: Set<String>] = [".": []]
  /// What to do about a file that is not there.
  private let fix: String

  init(_ files: [String: [UInt8]], fix: String = "check the spelling") {
    self.files = files
    self.fix = fix
    for path in files.keys {
      var folder = "."
      for name in path.split(separator: "/").map(String.init) {
        namesByFolder[folder, default: []].insert(name)
        folder = folder == "." ? name : "\(folder)/\(name)"
      }
    }
  }

  func kind(of path: String) -> FileRoot.Kind? {
    if files[path] != nil { return .file }
    return namesByFolder[path] == nil ? nil : .folder
  }

  func names(in folder: String) throws(Failure) -> [String] {
    guard let names = namesByFolder[folder] else { throw missing(folder) }
    return names.filter { !$0.hasPrefix(".") }.sorted()
  }

  func read(_ path: String, within _: String?) throws(Failure) -> [UInt8] {
    guard let bytes = files[path] else { throw missing(path) }
    return bytes
  }

  private func missing(_ path: String) -> Failure {
    Failure(message: "there is no \(path) among the files given", fix: fix)
  }
}

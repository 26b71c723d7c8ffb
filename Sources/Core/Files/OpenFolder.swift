import UnderstudySystem

/// A folder that stays open while many files beneath it are read or written. For one caller at a
/// time.
///
/// Paths are relative to it, and links on them are not followed. A file is replaced as a whole, but
/// without waiting for the disk, so this is for files that may be lost in a power failure.
package final class OpenFolder {
  private let folder: OpenFile
  /// The folders on the way to the last file, which neighbours share.
  private var way: [(name: String, folder: OpenFile)] = []

  init(_ folder: OpenFile) { self.folder = folder }

  /// Where a file is before it has its name.
  private static let temporaryName = ".understudy-new.tmp"

  package func read(_ path: String) throws(Failure) -> [UInt8] {
    let end = try end(of: path, to: "read", makesFolders: false)
    return try Self.open(end, to: "read", .doesNotWait).read(byteCountMax: FileRoot.byteCountMax)
  }

  /// Creates missing folders around the file.
  package func write(_ bytes: [UInt8], to path: String) throws(Failure) {
    let end = try end(of: path, to: "write", makesFolders: true)
    let new = FileRoot.End(folder: end.folder, name: Self.temporaryName)
    do throws(Failure) {
      try Self.open(new, to: "write", [.writes, .creates, .empties]).write(bytes)
      do throws(Errno) {
        try end.folder.descriptor.rename(new.name, to: end.name)
      } catch {
        throw .system("write", end.folder.path(of: end.name), error)
      }
    } catch {
      try? end.folder.descriptor.remove(new.name)
      throw error
    }
  }

  /// The folder of a file, which stays open for its neighbours.
  private func end(
    of path: String, to verb: String, makesFolders: Bool
  ) throws(Failure) -> FileRoot.End {
    do throws(Errno) {
      try Errno.check(path)
    } catch {
      throw .system(verb, folder.path(of: path).visible, error)
    }
    var names = path.utf8.split(separator: .slash).map { String(Substring($0)) }
    guard let last = names.popLast(), last != "..", !names.contains("..") else {
      throw .system(verb, folder.path(of: path), .notFound)
    }
    let shared = zip(way, names).prefix { $0.name == $1 }.count
    way.removeSubrange(shared...)
    for name in names[shared...] {
      let outer = way.last?.folder ?? folder
      if makesFolders { _ = outer.descriptor.makeFolder(name) }
      let inner = FileRoot.End(folder: outer, name: name)
      way.append((name, try Self.open(inner, to: verb, FileRoot.folderAccess)))
    }
    return FileRoot.End(folder: way.last?.folder ?? folder, name: last)
  }

  private static func open(
    _ end: FileRoot.End, to verb: String, _ access: Descriptor.Access
  ) throws(Failure) -> OpenFile {
    try FileRoot.open(end, end.folder.path(of: end.name), to: verb, access)
  }
}

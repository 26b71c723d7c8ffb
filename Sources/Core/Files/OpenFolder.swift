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

  /// For a file that is read whole.
  private static let byteCountMax = 64 << 20

  init(_ folder: OpenFile) { self.folder = folder }

  /// Where a file is before it has its name.
  private static let temporaryName = ".understudy-new.tmp"

  package func read(_ path: String) throws(Failure) -> [UInt8] {
    let end = try end(of: path, to: "read", makesFolders: false)
    return try Self.open(end.name, in: end.folder, to: "read", .doesNotWait)
      .read(byteCountMax: Self.byteCountMax)
  }

  /// Creates missing folders around the file.
  package func write(_ bytes: [UInt8], to path: String) throws(Failure) {
    let end = try end(of: path, to: "write", makesFolders: true)
    let new = Self.temporaryName
    let access: Descriptor.Access = [.writes, .creates, .empties]
    try Self.open(new, in: end.folder, to: "write", access).write(bytes)
    do throws(Errno) {
      try end.folder.descriptor.rename(new, to: end.name)
    } catch {
      throw .system("write", end.folder.path(of: end.name), error)
    }
  }

  /// The folder of a file, which stays open for its neighbours.
  private func end(
    of path: String, to verb: String, makesFolders: Bool
  ) throws(Failure) -> (folder: OpenFile, name: String) {
    var names = path.split(separator: "/").map(String.init)
    guard let last = names.popLast(), last != "..", !names.contains("..") else {
      throw .system(verb, folder.path(of: path), .notFound)
    }
    let shared = zip(way, names).prefix { $0.name == $1 }.count
    way.removeSubrange(shared...)
    for name in names[shared...] {
      let outer = way.last?.folder ?? folder
      if makesFolders { _ = outer.descriptor.makeFolder(name) }
      way.append((name, try Self.open(name, in: outer, to: verb, [.onlyPlace, .onlyFolder])))
    }
    return (way.last?.folder ?? folder, last)
  }

  private static func open(
    _ name: String, in folder: OpenFile, to verb: String, _ access: Descriptor.Access
  ) throws(Failure) -> OpenFile {
    let path = folder.path(of: name)
    do throws(Errno) {
      return OpenFile(try Descriptor(name, in: folder.descriptor, access.union(.noLink)), path)
    } catch {
      throw .system(verb, path, error)
    }
  }
}

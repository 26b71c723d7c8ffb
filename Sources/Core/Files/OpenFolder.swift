import UnderstudySystem

/// A folder that stays open while many files beneath it are read or written. For one caller at a
/// time.
///
/// Paths are relative to it, and links on them are not followed. Files are written in place and
/// without waiting for the disk, so this is for files that may be lost in a power failure and that
/// nothing reads meanwhile.
package final class OpenFolder {
  private let folder: OpenFile
  /// The folders on the way to the last file, which neighbours share.
  private var way: [(name: String, folder: OpenFile)] = []

  /// For a file that is read whole.
  private static let byteCountMax = 64 << 20

  init(_ folder: OpenFile) { self.folder = folder }

  package func read(_ path: String) throws(Failure) -> [UInt8] {
    try open(path, to: "read", .doesNotWait).read(byteCountMax: Self.byteCountMax)
  }

  /// Creates missing folders around the file.
  package func write(_ bytes: [UInt8], to path: String) throws(Failure) {
    try open(path, to: "write", [.writes, .creates, .empties]).write(bytes)
  }

  private func open(
    _ path: String, to verb: String, _ access: Descriptor.Access
  ) throws(Failure) -> OpenFile {
    var names = path.split(separator: "/").map(String.init)
    guard let last = names.popLast(), last != "..", !names.contains("..") else {
      throw .system(verb, folder.path(of: path), .notFound)
    }
    let shared = zip(way, names).prefix { $0.name == $1 }.count
    way.removeSubrange(shared...)
    for name in names[shared...] {
      let outer = way.last?.folder ?? folder
      if access.contains(.creates) { _ = outer.descriptor.makeFolder(name) }
      way.append((name, try Self.open(name, in: outer, to: verb, [.onlyPlace, .onlyFolder])))
    }
    return try Self.open(last, in: way.last?.folder ?? folder, to: verb, access)
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

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif
import Synchronization

/// An open file or folder, closed when the last reference is released.
///
/// Other programs do not inherit it, and a name with a NUL is refused before the C library can cut
/// it. A lock ends with the descriptor, even if a process that is being started still has the file.
///
/// The folder has files, pipes and events of folders, as the kernel knows them; `FileRoot` in
/// `Core` is what the rest of the package reads and writes files with. Read this file, then
/// `FolderEvents` with its two forms, `InotifyEvents` and `FolderScan`, then `Pipe` and
/// `StandardStream`.
package final class Descriptor: Sendable {
  package let number: Int32
  private let isLocked = Atomic(false)

  init(_ number: Int32) { self.number = number }

  deinit {
    // A process that is being started may still have the file, and would keep the lock.
    if isLocked.load(ordering: .relaxed) { _ = flock(number, LOCK_UN) }
    close(number)
  }

  /// How a file is opened. Other programs do not inherit it.
  package struct Access: OptionSet, Sendable {
    package let rawValue: Int32

    package init(rawValue: Int32) { self.rawValue = rawValue }

    package static let writes = Access(rawValue: O_WRONLY)
    package static let readsAndWrites = Access(rawValue: O_RDWR)
    package static let appends = Access(rawValue: O_APPEND)
    package static let creates = Access(rawValue: O_CREAT)
    /// Only a file that does not exist yet.
    package static let onlyNew = Access(rawValue: O_EXCL)
    package static let empties = Access(rawValue: O_TRUNC)
    /// Does not wait for a writer.
    package static let doesNotWait = Access(rawValue: O_NONBLOCK)
    package static let onlyFolder = Access(rawValue: O_DIRECTORY)
    /// Fails if the last name is a link.
    package static let noLink = Access(rawValue: O_NOFOLLOW)
    /// Only locates a folder. Linux needs no permission to read it; Glibc hides the name of that
    /// flag unless `_GNU_SOURCE` is defined.
    package static let onlyPlace = Access(rawValue: SystemCalls.chosen == .fast ? 0o10_000_000 : 0)
  }

  package convenience init(_ path: String, _ access: Access) throws(Errno) {
    try Errno.check(path)
    let number = open(path, access.rawValue | O_CLOEXEC, 0o666)
    guard number >= 0 else { throw .last }
    self.init(number)
  }

  /// Opens a name in a folder.
  ///
  /// - Parameter mode: the permissions of a new file, of which the process may withhold some.
  package convenience init(
    _ name: String, in folder: Descriptor, _ access: Access, mode: UInt32 = 0o666
  ) throws(Errno) {
    try Errno.check(name)
    let number = openat(
      folder.number, name, access.rawValue | O_CLOEXEC, mode_t(truncatingIfNeeded: mode))
    guard number >= 0 else { throw .last }
    self.init(number)
  }

  /// What the file system knows of a file, as far as others need it.
  package struct Status: Sendable {
    /// What is at a path. Sockets, devices and the like are all `other`: none of them is read as a
    /// file.
    package enum Kind: Sendable {
      case file, folder, other
    }

    package let kind: Kind
    package let byteCount: Int
    /// The permissions.
    package let mode: UInt32
    /// The number of hard links.
    package let nameCount: Int
    /// Whether it belongs to the user of this process.
    package let isOwn: Bool
    let identity: FileIdentity
    /// Nanoseconds since 1970.
    let modifiedAt: Int64

    fileprivate init(_ status: stat) {
      kind =
        switch status.st_mode & S_IFMT {
        case S_IFREG: .file
        case S_IFDIR: .folder
        default: .other
        }
      byteCount = Int(status.st_size)
      mode = UInt32(status.st_mode & 0o7777)
      nameCount = Int(status.st_nlink)
      isOwn = status.st_uid == geteuid()
      identity = FileIdentity(status)
      #if canImport(Darwin)
        let time = status.st_mtimespec
      #else
        let time = status.st_mtim
      #endif
      modifiedAt = Int64(time.tv_sec) &* 1_000_000_000 &+ Int64(time.tv_nsec)
    }
  }

  package func status() throws(Errno) -> Status {
    var status = stat()
    guard fstat(number, &status) == 0 else { throw .last }
    return Status(status)
  }

  /// Appends the next bytes of the file to the array; returns how many there were, 0 at the end.
  package func read(onto bytes: inout [UInt8], byteCountMax: Int) throws(Errno) -> Int {
    let start = bytes.count
    bytes.append(contentsOf: repeatElement(0, count: byteCountMax))
    while true {
      let count = bytes.withUnsafeMutableBytes { buffer in
        // SAFETY: the buffer has byteCountMax bytes from start, and read() writes no more.
        systemRead(number, buffer.baseAddress?.advanced(by: start), byteCountMax)
      }
      let code = Errno.last
      if count < 0, code == .interrupted { continue }
      bytes.removeLast(byteCountMax - max(0, count))
      guard count >= 0 else { throw code }
      return count
    }
  }

  package func read(byteCountMax: Int, at offset: Int) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: byteCountMax)
    let count = pread(number, &bytes, bytes.count, off_t(offset))
    return Array(bytes.prefix(max(0, count)))
  }

  /// Writes until everything is written.
  package func write(_ bytes: UnsafeRawBufferPointer) throws(Errno) {
    if let code = StandardStream.write(bytes, to: number) { throw code }
  }

  package func write(_ bytes: [UInt8]) throws(Errno) {
    if let code = bytes.withUnsafeBytes({ StandardStream.write($0, to: number) }) { throw code }
  }

  /// Writes everything at an offset, without moving the position.
  package func write(_ bytes: ArraySlice<UInt8>, at offset: Int) throws(Errno) {
    var rest = bytes
    while !rest.isEmpty {
      let place = off_t(offset + (rest.startIndex - bytes.startIndex))
      // SAFETY: the slice has as many bytes as pwrite() is told.
      let count = rest.withUnsafeBytes { pwrite(number, $0.baseAddress, $0.count, place) }
      let code = count == 0 ? .noSpace : Errno.last
      if count > 0 {
        rest = rest.dropFirst(count)
      } else if code != .interrupted {
        throw code
      }
    }
  }

  /// Makes the file this long.
  package func cut(to byteCount: Int) { ftruncate(number, off_t(byteCount)) }

  package func setMode(_ mode: UInt32) { fchmod(number, mode_t(truncatingIfNeeded: mode)) }

  /// Waits until the data is on the disk. Does nothing for a pipe and file systems that cannot
  /// sync.
  package func sync() throws(Errno) {
    while fsync(number) != 0 {
      switch Errno.last.rawValue {
      case EINTR: continue
      case EINVAL, ENOSYS, EOPNOTSUPP, EROFS: return
      case let code: throw Errno(rawValue: code)
      }
    }
  }

  /// How a file is locked against other processes.
  package enum Lock: Sendable {
    case shared, exclusive
    /// Fails when the lock is taken, instead of waiting.
    case exclusiveAtOnce

    fileprivate var operation: Int32 {
      switch self {
      case .shared: LOCK_SH
      case .exclusive: LOCK_EX
      case .exclusiveAtOnce: LOCK_EX | LOCK_NB
      }
    }
  }

  /// Locks the file until it is closed. False when another process holds the lock.
  package func lock(_ lock: Lock) throws(Errno) -> Bool {
    while flock(number, lock.operation) != 0 {
      switch Errno.last {
      case .interrupted: continue
      case .wouldBlock: return false
      case let code: throw code
      }
    }
    isLocked.store(true, ordering: .relaxed)
    return true
  }
}

// MARK: - Folders

extension Descriptor {
  /// The target of the link with this name; `nil` when it is not a link.
  package func link(_ name: String) -> String? {
    var buffer = [CChar](repeating: 0, count: Int(PATH_MAX))
    let count = readlinkat(number, name, &buffer, buffer.count)
    return count < 0
      ? nil : String(decoding: buffer.prefix(count).map(UInt8.init(bitPattern:)), as: UTF8.self)
  }

  /// The status of the name itself, even if it is a link.
  package func status(of name: String) throws(Errno) -> Status {
    var status = stat()
    guard fstatat(number, name, &status, AT_SYMLINK_NOFOLLOW) == 0 else { throw .last }
    return Status(status)
  }

  package func mayWrite(_ name: String) -> Bool { faccessat(number, name, W_OK, AT_EACCESS) == 0 }

  /// What a folder's list says about a name: a link, for one, may lead to anything.
  package enum EntryKind: Sendable {
    case file, folder, unknown
  }

  /// The names in the folder of this name, including hidden ones.
  package func names(in name: String) throws(Errno) -> [String] {
    try entries(in: name).map(\.name)
  }

  /// The names in the folder of this name with what is known of their kinds, including hidden ones.
  package func entries(in name: String) throws(Errno) -> [(name: String, kind: EntryKind)] {
    let folder = openat(number, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
    guard folder >= 0 else { throw .last }
    guard let stream = fdopendir(folder) else {
      defer { close(folder) }
      throw .last
    }
    defer { closedir(stream) }
    var entries: [(name: String, kind: EntryKind)] = []
    while let entry = readdir(stream) {
      // SAFETY: d_name is a NUL-terminated string inside the entry, which lives until the next
      // readdir() on this stream.
      let name = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
        String(cString: UnsafeRawPointer(pointer).assumingMemoryBound(to: CChar.self))
      }
      guard name != ".", name != ".." else { continue }
      let kind: EntryKind =
        switch Int(entry.pointee.d_type) {
        case Int(DT_REG): .file
        case Int(DT_DIR): .folder
        default: .unknown
        }
      entries.append((name, kind))
    }
    return entries
  }

  /// Whether the folder was created, because the name was free.
  package func makeFolder(_ name: String, mode: UInt32 = 0o777) -> Bool {
    mkdirat(number, name, mode_t(truncatingIfNeeded: mode)) == 0
  }

  package func remove(_ name: String) throws(Errno) {
    guard unlinkat(number, name, 0) == 0 else { throw .last }
  }

  package func removeFolder(_ name: String) { unlinkat(number, name, AT_REMOVEDIR) }

  /// Renames one name to another, replacing it.
  package func rename(_ name: String, to other: String) throws(Errno) {
    guard renameat(number, name, number, other) == 0 else { throw .last }
  }

  /// Waits until the names in the folder are on the disk, where supported.
  package func syncNames() {
    let folder = openat(number, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard folder >= 0 else { return }
    fsync(folder)
    close(folder)
  }

  /// Removes a file, if it exists.
  package static func remove(_ path: String) { unlink(path) }

  package static func move(_ path: String, to other: String) throws(Errno) {
    guard systemRename(path, other) == 0 else { throw .last }
  }

  /// The folder that relative paths start from.
  package static func workingFolder() throws(Errno) -> String {
    guard let folder = getcwd(nil, 0) else { throw .last }
    defer { free(folder) }
    return String(cString: folder)
  }

  /// A path without links or `..`; `nil` if nothing exists there.
  package static func realPath(_ path: String) -> String? {
    guard (try? Errno.check(path)) != nil, let real = realpath(path, nil) else { return nil }
    defer { free(real) }
    return String(cString: real)
  }
}

/// The identity of a file, equal for every path that leads to it.
package struct FileIdentity: Hashable, Sendable {
  private let device: UInt64
  private let number: UInt64

  /// `nil` if nothing exists there.
  package init?(of path: String) {
    var status = stat()
    guard (try? Errno.check(path)) != nil, stat(path, &status) == 0 else { return nil }
    self.init(status)
  }

  fileprivate init(_ status: stat) {
    (device, number) = (UInt64(truncatingIfNeeded: status.st_dev), UInt64(status.st_ino))
  }
}

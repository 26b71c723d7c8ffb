import Glibc

/// An open file or folder, closed when the last reference goes.
package final class Descriptor: Sendable {
  package let number: Int32

  init(_ number: Int32) { self.number = number }

  deinit { close(number) }

  /// How a file is opened. No other program gets it.
  package struct Access: OptionSet, Sendable {
    package let rawValue: Int32

    package init(rawValue: Int32) { self.rawValue = rawValue }

    package static let writes = Access(rawValue: O_WRONLY)
    package static let readsAndWrites = Access(rawValue: O_RDWR)
    package static let appends = Access(rawValue: O_APPEND)
    package static let creates = Access(rawValue: O_CREAT)
    /// Only a file that is not there yet.
    package static let onlyNew = Access(rawValue: O_EXCL)
    package static let empties = Access(rawValue: O_TRUNC)
    /// What nobody writes to is not waited for.
    package static let doesNotWait = Access(rawValue: O_NONBLOCK)
    package static let onlyFolder = Access(rawValue: O_DIRECTORY)
    /// No link in place of the last name.
    package static let noLink = Access(rawValue: O_NOFOLLOW)
    /// Says where a folder is, and asks for no right to read it. Glibc keeps the name of this flag
    /// from those who do not define `_GNU_SOURCE`.
    package static let onlyPlace = Access(rawValue: 0o10_000_000)
  }

  package convenience init(_ path: String, _ access: Access) throws(Errno) {
    let number = Glibc.open(path, access.rawValue | O_CLOEXEC, 0o666)
    guard number >= 0 else { throw .last }
    self.init(number)
  }

  /// A name in a folder.
  package convenience init(
    _ name: String, in folder: Descriptor, _ access: Access
  ) throws(Errno) {
    let number = openat(folder.number, name, access.rawValue | O_CLOEXEC, 0o666)
    guard number >= 0 else { throw .last }
    self.init(number)
  }

  package struct Status: Sendable {
    package enum Kind: Sendable {
      case file, folder, other
    }

    package let kind: Kind
    package let byteCount: Int
    /// Who may do what with it.
    package let mode: UInt32
    /// How many names it has.
    package let nameCount: Int
    fileprivate init(_ status: stat) {
      kind =
        switch status.st_mode & S_IFMT {
        case S_IFREG: .file
        case S_IFDIR: .folder
        default: .other
        }
      byteCount = Int(status.st_size)
      mode = status.st_mode & 0o7777
      nameCount = Int(status.st_nlink)
    }
  }

  package func status() throws(Errno) -> Status {
    var status = stat()
    guard fstat(number, &status) == 0 else { throw .last }
    return Status(status)
  }

  /// Reads on, behind what the array has already; how many bytes there were, none at the end.
  package func read(onto bytes: inout [UInt8], byteCountMax: Int) throws(Errno) -> Int {
    let start = bytes.count
    bytes.append(contentsOf: repeatElement(0, count: byteCountMax))
    while true {
      let count = bytes.withUnsafeMutableBytes { buffer in
        // SAFETY: the buffer has byteCountMax bytes from start, and read() writes no more.
        Glibc.read(number, buffer.baseAddress?.advanced(by: start), byteCountMax)
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

  /// Writes on until all is written.
  package func write(_ bytes: some Collection<UInt8>) throws(Errno) {
    if let code = StandardStream.write(Array(bytes), to: number) { throw code }
  }

  package func empty() { ftruncate(number, 0) }

  package func setMode(_ mode: UInt32) { fchmod(number, mode) }

  /// Waits until the disk has what was written. A pipe and some file systems cannot be asked.
  package func sync() throws(Errno) {
    while fsync(number) != 0 {
      switch Errno.last.rawValue {
      case EINTR: continue
      case EINVAL, ENOSYS, EOPNOTSUPP, EROFS: return
      case let code: throw Errno(rawValue: code)
      }
    }
  }

  package enum Lock: Sendable {
    case shared, exclusive
    /// Fails when somebody else has it, rather than to wait.
    case exclusiveAtOnce

    fileprivate var operation: Int32 {
      switch self {
      case .shared: LOCK_SH
      case .exclusive: LOCK_EX
      case .exclusiveAtOnce: LOCK_EX | LOCK_NB
      }
    }
  }

  /// Locks the file until it is closed. False when somebody else has it.
  package func lock(_ lock: Lock) throws(Errno) -> Bool {
    while flock(number, lock.operation) != 0 {
      switch Errno.last {
      case .interrupted: continue
      case .wouldBlock: return false
      case let code: throw code
      }
    }
    return true
  }
}

// MARK: - Folders

extension Descriptor {
  /// Where the link of this name leads; `nil` when there is none.
  package func link(_ name: String) -> String? {
    var buffer = [CChar](repeating: 0, count: Int(PATH_MAX))
    let count = readlinkat(number, name, &buffer, buffer.count)
    return count < 0
      ? nil : String(decoding: buffer.prefix(count).map(UInt8.init(bitPattern:)), as: UTF8.self)
  }

  /// Of what has this name, were it a link.
  package func status(of name: String) throws(Errno) -> Status {
    var status = stat()
    guard fstatat(number, name, &status, AT_SYMLINK_NOFOLLOW) == 0 else { throw .last }
    return Status(status)
  }

  package func mayWrite(_ name: String) -> Bool { faccessat(number, name, W_OK, AT_EACCESS) == 0 }

  /// The names in the folder of this name, hidden ones too.
  package func names(in name: String) throws(Errno) -> [String] {
    let folder = openat(number, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
    guard folder >= 0, let stream = fdopendir(folder) else { throw .last }
    defer { closedir(stream) }
    var names: [String] = []
    while let entry = readdir(stream) {
      // SAFETY: d_name is a NUL-terminated string inside the entry, which lives until the next
      // readdir() on this stream.
      let name = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
        String(cString: UnsafeRawPointer(pointer).assumingMemoryBound(to: CChar.self))
      }
      if name != ".", name != ".." { names.append(name) }
    }
    return names
  }

  /// Whether there was none of this name before.
  package func makeFolder(_ name: String) -> Bool { mkdirat(number, name, 0o777) == 0 }

  package func remove(_ name: String) throws(Errno) {
    guard unlinkat(number, name, 0) == 0 else { throw .last }
  }

  package func removeFolder(_ name: String) { unlinkat(number, name, AT_REMOVEDIR) }

  /// Puts what has a name in the place of another.
  package func rename(_ name: String, to other: String) throws(Errno) {
    guard renameat(number, name, number, other) == 0 else { throw .last }
  }

  /// Waits until the disk knows the names in the folder, as far as it can be asked.
  package func syncNames() {
    let folder = openat(number, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard folder >= 0 else { return }
    fsync(folder)
    close(folder)
  }

  /// Removes what is at a path, if it is there.
  package static func remove(_ path: String) { unlink(path) }

  package static func move(_ path: String, to other: String) throws(Errno) {
    guard Glibc.rename(path, other) == 0 else { throw .last }
  }

  /// The folder that relative paths begin at.
  package static func workingFolder() throws(Errno) -> String {
    guard let folder = getcwd(nil, 0) else { throw .last }
    defer { free(folder) }
    return String(cString: folder)
  }

  /// A path without links and without `..`; `nil` where nothing is.
  package static func realPath(_ path: String) -> String? {
    guard let real = realpath(path, nil) else { return nil }
    defer { free(real) }
    return String(cString: real)
  }
}

/// What a path leads to, the same for every spelling of the path.
package struct FileIdentity: Hashable, Sendable {
  private let device: UInt64
  private let number: UInt64

  /// `nil` where nothing is.
  package init?(of path: String) {
    var status = stat()
    guard stat(path, &status) == 0 else { return nil }
    (device, number) = (UInt64(status.st_dev), UInt64(status.st_ino))
  }
}

import Glibc

/// Why a file or folder could not be read, in words.
package struct FileError: Error, Hashable, Sendable {
  package let message: String
  package let fix: String?

  package init(message: String, fix: String?) {
    self.message = message
    self.fix = fix
  }
}

/// The few questions loading asks of a disk.
package enum FileSystem {
  package enum Kind: Sendable {
    case file, folder, other
  }

  /// `nil` when there is nothing at the path.
  package static func kind(of path: String) -> Kind? {
    var status = stat()
    guard stat(path, &status) == 0 else { return nil }
    return switch status.st_mode & S_IFMT {
    case S_IFREG: .file
    case S_IFDIR: .folder
    default: .other
    }
  }

  /// Why it cannot be told what is at a path; `nil` when it can, even that there is nothing.
  static func obstacle(to path: String) -> FileError? {
    var status = stat()
    guard stat(path, &status) != 0, errno != ENOENT, errno != ENOTDIR else { return nil }
    return .system("read", path)
  }

  /// What a path leads to, the same for every spelling of the path.
  struct Identity: Hashable {
    let device: UInt64
    let node: UInt64
  }

  static func identity(of path: String) -> Identity? {
    var status = stat()
    guard stat(path, &status) == 0 else { return nil }
    return Identity(device: UInt64(status.st_dev), node: UInt64(status.st_ino))
  }

  /// Whether links on the way to a file lead out of a folder; not when there is no such file.
  static func leadsOutside(_ path: String, of folder: String) -> Bool {
    guard let target = resolved(path), let folder = resolved(folder) else { return false }
    return !target.starts(with: folder == "/" ? folder : "\(folder)/")
  }

  /// The path without links.
  private static func resolved(_ path: String) -> String? {
    guard let resolved = realpath(path, nil) else { return nil }
    defer { free(resolved) }
    return String(cString: resolved)
  }

  package static func read(_ path: String, byteCountMax: Int = 64 << 20) -> Result<
    [UInt8], FileError
  > {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else { return .failure(.system("read", path)) }
    defer { close(descriptor) }
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { return .failure(.system("read", path)) }
    guard status.st_mode & S_IFMT == S_IFREG else {
      return .failure(FileError(message: "\(path) is no file", fix: "name a file"))
    }
    var bytes: [UInt8] = []
    while true {
      let start = bytes.count
      // The size is looked at before there is memory for it, and what was read in case it grew.
      guard max(start, Int(status.st_size)) <= byteCountMax else {
        return .failure(
          FileError(message: "\(path) is larger than \(byteCountMax >> 20) MiB", fix: nil))
      }
      let chunkByteCount = max(4096, Int(status.st_size) - start + 1)
      bytes.append(contentsOf: repeatElement(0, count: chunkByteCount))
      let count = bytes.withUnsafeMutableBytes { buffer in
        // SAFETY: the buffer has chunkByteCount bytes from start, and read() writes no more.
        Glibc.read(descriptor, buffer.baseAddress?.advanced(by: start), chunkByteCount)
      }
      bytes.removeLast(chunkByteCount - max(0, count))
      if count == 0 { return .success(bytes) }
      if count < 0, errno != EINTR { return .failure(.system("read", path)) }
    }
  }

  /// Makes the folders around a file that are not there.
  package static func makeFolders(around path: String) {
    guard let end = path.lastIndex(of: "/"), end > path.startIndex else { return }
    let folder = String(path[..<end])
    guard mkdir(folder, 0o777) != 0, errno == ENOENT else { return }
    makeFolders(around: folder)
    mkdir(folder, 0o777)
  }

  /// The names in a folder, sorted, without hidden ones.
  package static func names(in folder: String) -> Result<[String], FileError> {
    guard let stream = opendir(folder) else { return .failure(.system("read", folder)) }
    defer { closedir(stream) }
    var names: [String] = []
    while let entry = readdir(stream) {
      // SAFETY: d_name is a NUL-terminated string inside the entry, which lives until the next
      // readdir() on this stream.
      let name = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
        String(cString: UnsafeRawPointer(pointer).assumingMemoryBound(to: CChar.self))
      }
      if !name.hasPrefix(".") { names.append(name) }
    }
    return .success(names.sorted())
  }
}

extension FileError {
  static func system(_ verb: String, _ path: String) -> FileError {
    let code = errno
    let reason = String(cString: strerror(code)).lowercased()
    return FileError(
      message: "cannot \(verb) \(path): \(reason)",
      fix: code == ENOENT
        ? "check the spelling, and the folder you are in"
        : code == EACCES
          ? "allow reading it with chmod: r for the file, r and x for the folders around it" : nil)
  }
}

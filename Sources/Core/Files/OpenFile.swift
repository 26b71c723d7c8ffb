import Glibc

/// An open file or folder, closed when the last reference to it goes.
package final class OpenFile: Sendable {
  package let descriptor: Int32
  /// As messages show it.
  let path: String

  init(_ descriptor: Int32, _ path: String) {
    self.descriptor = descriptor
    self.path = path
  }

  deinit { close(descriptor) }

  /// All bytes from where the file is now.
  package func read(byteCountMax: Int) throws(Failure) -> [UInt8] {
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { throw .system("read", path) }
    guard status.st_mode & S_IFMT == S_IFREG else {
      throw Failure(message: "\(path) is no file", fix: "name a file")
    }
    var bytes: [UInt8] = []
    while true {
      let start = bytes.count
      // The size is looked at before there is memory for it, and what was read in case it grew.
      guard max(start, Int(status.st_size)) <= byteCountMax else {
        throw Failure(message: "\(path) is larger than \(byteCountMax >> 20) MiB", fix: nil)
      }
      let chunkByteCount = max(4096, Int(status.st_size) - start + 1)
      bytes.append(contentsOf: repeatElement(0, count: chunkByteCount))
      let count = bytes.withUnsafeMutableBytes { buffer in
        // SAFETY: the buffer has chunkByteCount bytes from start, and read() writes no more.
        Glibc.read(descriptor, buffer.baseAddress?.advanced(by: start), chunkByteCount)
      }
      let code = errno
      bytes.removeLast(chunkByteCount - max(0, count))
      if count == 0 { return bytes }
      if count < 0, code != EINTR { throw .system("read", path, code) }
    }
  }

  package func write(_ bytes: [UInt8]) throws(Failure) {
    var start = 0
    while start < bytes.count {
      let count = bytes.withUnsafeBytes { buffer in
        // SAFETY: the buffer has bytes.count - start bytes from start, and write() reads no more.
        Glibc.write(descriptor, buffer.baseAddress?.advanced(by: start), bytes.count - start)
      }
      if count > 0 {
        start += count
      } else if count == 0 || errno != EINTR {
        throw .system("write", path, count == 0 ? ENOSPC : errno)
      }
    }
  }

  /// Waits until the disk has what was written. A pipe and some file systems cannot be asked.
  package func sync() throws(Failure) {
    while fsync(descriptor) != 0 {
      switch errno {
      case EINTR: continue
      case EINVAL, ENOSYS, EOPNOTSUPP, EROFS: return
      case let code: throw .system("write", path, code)
      }
    }
  }

  /// Locks the file until it is closed, by an operation of `flock`. False when somebody else has it
  /// and the operation does not wait.
  package func lock(_ operation: Int32) throws(Failure) -> Bool {
    while flock(descriptor, operation) != 0 {
      switch errno {
      case EINTR: continue
      case EWOULDBLOCK: return false
      case let code:
        throw Failure.system("lock", path, code)
          .fixed(by: "put it on a file system that has locks")
      }
    }
    return true
  }
}

/// What a folder that is open is asked; its descriptor need not be one that can be read.
extension OpenFile {
  func path(of name: String) -> String {
    path == "." ? name : path.hasSuffix("/") ? path + name : "\(path)/\(name)"
  }

  /// Where the link of this name leads; `nil` when there is none.
  func link(_ name: String) -> String? {
    var buffer = [CChar](repeating: 0, count: Int(PATH_MAX))
    let count = readlinkat(descriptor, name, &buffer, buffer.count)
    return count < 0
      ? nil : String(decoding: buffer.prefix(count).map(UInt8.init(bitPattern:)), as: UTF8.self)
  }

  /// `nil`, with the reason in `errno`, when there is nothing of this name.
  func status(of name: String) -> stat? {
    var status = stat()
    return fstatat(descriptor, name, &status, AT_SYMLINK_NOFOLLOW) == 0 ? status : nil
  }

  /// The names in the folder of this name, hidden ones too; `nil`, with the reason in `errno`, when
  /// it cannot be read.
  func names(in name: String) -> [String]? {
    let folder = openat(descriptor, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
    guard folder >= 0, let stream = fdopendir(folder) else { return nil }
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

  /// Waits until the disk knows the names in the folder, as far as it can be asked.
  func syncNames() {
    let folder = openat(descriptor, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard folder >= 0 else { return }
    fsync(folder)
    close(folder)
  }
}

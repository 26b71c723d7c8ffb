import ContractModel
import Glibc

/// Files that commands leave behind.
enum OutputFile {
  /// Makes a folder, and those around it that are not there.
  static func makeFolder(_ path: String) throws(CommandLineError) {
    FileSystem.makeFolders(around: path)
    guard mkdir(path, 0o777) == 0 || errno == EEXIST else { throw .cannotWrite(path) }
  }

  /// Writes a file, and makes the folders around it that are not there.
  ///
  /// It is the old file or the new one at any moment: the new one is written beside it and takes its
  /// place when it is whole. What is no file, such as a pipe, and what may not be replaced is written
  /// as it is.
  static func write(_ bytes: [UInt8], to path: String) throws(CommandLineError) {
    FileSystem.makeFolders(around: path)
    guard let target = Target(path) else {
      return try write(bytes, into: descriptor(path), of: path)
    }
    let temporaryPath = target.temporaryPath
    let file = descriptor(temporaryPath, O_EXCL)
    guard file >= 0 else {
      // A folder in which nothing may be made can have files that may be written.
      return try write(bytes, into: descriptor(path), of: path)
    }
    if let mode = target.mode { fchmod(file, mode) }
    do throws(CommandLineError) {
      try write(bytes, into: file, of: path)
    } catch {
      unlink(temporaryPath)
      throw error
    }
    guard rename(temporaryPath, target.path) != 0 else { return }
    let reason = errno
    unlink(temporaryPath)
    // One that is mounted by itself cannot be replaced.
    guard reason == EBUSY else { throw .cannotWrite(path, reason) }
    try write(bytes, into: descriptor(path), of: path)
  }

  static func remove(_ path: String) throws(CommandLineError) {
    guard unlink(path) == 0 || errno == ENOENT else {
      throw CommandLineError(
        message: "cannot remove \(path): \(String(cString: strerror(errno)).lowercased())",
        fix: "remove it by hand: no contract needs it any more")
    }
  }

  private static func descriptor(_ path: String, _ flag: Int32 = O_TRUNC) -> Int32 {
    open(path, O_WRONLY | O_CREAT | O_CLOEXEC | flag, 0o666)
  }

  private static func write(
    _ bytes: [UInt8], into descriptor: Int32, of path: String
  ) throws(CommandLineError) {
    guard descriptor >= 0, let file = fdopen(descriptor, "w") else { throw .cannotWrite(path) }
    let written = fwrite(bytes, 1, bytes.count, file)
    // What was kept in memory is written only now.
    let isClosed = fclose(file) == 0
    guard written == bytes.count, isClosed else { throw .cannotWrite(path) }
  }

  /// A file that another can take the place of, there or not yet.
  private struct Target {
    /// Where links lead.
    let path: String
    /// `nil` when it is not there yet.
    let mode: mode_t?

    init?(_ path: String) {
      // Behind these stands a file that somebody else is writing, too.
      guard !path.hasPrefix("/dev/"), !path.hasPrefix("/proc/") else { return nil }
      var info = stat()
      guard lstat(path, &info) == 0 else {
        guard errno == ENOENT else { return nil }
        self.path = path
        mode = nil
        return
      }
      guard let resolved = realpath(path, nil) else { return nil }
      defer { free(resolved) }
      self.path = String(cString: resolved)
      guard stat(self.path, &info) == 0, info.st_mode & S_IFMT == S_IFREG,
        // One that may not be written is not replaced either.
        access(self.path, W_OK) == 0
      else { return nil }
      mode = info.st_mode & 0o7777
    }

    /// Beside it, and nothing that a folder of contracts is read for.
    var temporaryPath: String {
      let slash = path.lastIndex(of: "/")
      let folder = slash.map { path[...$0] } ?? ""
      let name = slash.map { path[path.index(after: $0)...] } ?? path[...]
      let chance = String(UInt64.random(in: 0 ... .max), radix: 36)
      // A name can have 255 bytes.
      return "\(folder).\(name.prefix(40)).\(chance).tmp"
    }
  }
}

extension CommandLineError {
  fileprivate static func cannotWrite(_ path: String, _ reason: Int32 = errno) -> Self {
    Self(message: "cannot write \(path): \(String(cString: strerror(reason)))")
  }
}

import Glibc

extension FileRoot {
  /// Writes a file, and makes the folders around it that are not there.
  ///
  /// It is the old file or the new one at any moment, also when the machine goes down: the new one is
  /// written beside it and takes its place when the disk has all of it. Where a link leads to the
  /// file, the link stays. What is no file, such as a pipe, and what may not be replaced is written as
  /// it is.
  package func write(_ bytes: [UInt8], to path: String) throws(Failure) {
    // Behind these stands a file that somebody else is writing, too.
    if self == .anywhere, path.hasPrefix("/dev/") || path.hasPrefix("/proc/") {
      let file = Glibc.open(path, O_WRONLY | O_TRUNC | O_CLOEXEC)
      guard file >= 0 else { throw .system("write", path) }
      return try OpenFile(file, path).write(bytes)
    }
    let end = try end(of: path, to: "write", makesFolders: true)
    guard let mode = end.replaceableMode, let new = end.makeTemporaryFile(for: path) else {
      return try overwrite(end, path, bytes)
    }
    do throws(Failure) {
      if let mode { fchmod(new.file.descriptor, mode) }
      try new.file.write(bytes)
      try new.file.sync()
    } catch {
      unlinkat(end.folder.descriptor, new.name, 0)
      throw error
    }
    guard renameat(end.folder.descriptor, new.name, end.folder.descriptor, end.name) != 0 else {
      return end.folder.syncNames()
    }
    let code = errno
    unlinkat(end.folder.descriptor, new.name, 0)
    // One that is mounted by itself cannot be replaced.
    guard code == EBUSY else { throw .system("write", path, code) }
    try overwrite(end, path, bytes)
  }

  private func overwrite(_ end: End, _ path: String, _ bytes: [UInt8]) throws(Failure) {
    let file = try open(end, path, to: "write", O_WRONLY | O_CREAT | O_TRUNC)
    try file.write(bytes)
    try file.sync()
  }

  /// Removes a file, or a link and not what it leads to. One that is not there is removed already.
  package func remove(_ path: String) throws(Failure) {
    let end: End
    do throws(Failure) {
      end = try self.end(of: path, to: "remove", followsLast: false)
    } catch {
      guard error.isMissing else { throw error }
      return
    }
    guard unlinkat(end.folder.descriptor, end.name, 0) == 0 || errno == ENOENT else {
      throw Failure.system("remove", path).fixed(by: "remove it by hand")
    }
  }

  /// Removes a folder with all in it, as far as it can be removed.
  package func removeFolder(_ path: String) {
    guard let end = try? end(of: path, to: "remove", followsLast: false) else { return }
    if unlinkat(end.folder.descriptor, end.name, 0) == 0 { return }
    for name in end.folder.names(in: end.name) ?? [] { removeFolder("\(path)/\(name)") }
    unlinkat(end.folder.descriptor, end.name, AT_REMOVEDIR)
  }
}

extension FileRoot.End {
  /// Of the file that is there, or of none; `nil` when another file cannot take its place.
  fileprivate var replaceableMode: mode_t?? {
    guard let status = folder.status(of: name) else {
      return errno == ENOENT ? .some(nil) : .none
    }
    guard status.st_mode & S_IFMT == S_IFREG,
      // One that may not be written is not replaced either.
      faccessat(folder.descriptor, name, W_OK, AT_EACCESS) == 0
    else { return .none }
    return status.st_mode & 0o7777
  }

  /// A new file in the same folder, under a name that nothing reads; `nil` where none can be made.
  ///
  /// It is locked for as long as its writer lives, so that the next writer can tell it from one that
  /// was left by a process that was killed.
  fileprivate func makeTemporaryFile(for path: String) -> (file: OpenFile, name: String)? {
    let (start, end) = (".understudy-", ".tmp")
    for left in folder.names(in: ".") ?? [] where left.hasPrefix(start) && left.hasSuffix(end) {
      let descriptor = openat(folder.descriptor, left, O_RDONLY | O_NOFOLLOW | O_CLOEXEC)
      guard descriptor >= 0 else { continue }
      let file = OpenFile(descriptor, left)
      if (try? file.lock(LOCK_EX | LOCK_NB)) == true { unlinkat(folder.descriptor, left, 0) }
    }
    while true {
      let name = start + String(UInt64.random(in: 0 ... .max), radix: 36) + end
      let descriptor = openat(
        folder.descriptor, name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o666)
      guard descriptor >= 0 else { return nil }
      let file = OpenFile(descriptor, path)
      // Where there are no locks nobody takes it for left behind.
      _ = try? file.lock(LOCK_EX)
      // Who looked before it was locked has removed it.
      var status = stat()
      if fstat(descriptor, &status) != 0 || status.st_nlink > 0 { return (file, name) }
    }
  }
}

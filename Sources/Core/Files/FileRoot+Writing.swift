import UnderstudySystem

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
      let file: Descriptor
      do throws(Errno) {
        file = try Descriptor(path, [.writes, .empties])
      } catch {
        throw .system("write", path, error)
      }
      return try OpenFile(file, path).write(bytes)
    }
    let end = try end(of: path, to: "write", makesFolders: true)
    guard let mode = end.replaceableMode, let new = end.makeTemporaryFile(for: path) else {
      return try overwrite(end, path, bytes)
    }
    let folder = end.folder.descriptor
    do throws(Failure) {
      if let mode { new.file.descriptor.setMode(mode) }
      try new.file.write(bytes)
      try new.file.sync()
    } catch {
      try? folder.remove(new.name)
      throw error
    }
    do throws(Errno) {
      try folder.rename(new.name, to: end.name)
      folder.syncNames()
    } catch {
      try? folder.remove(new.name)
      // One that is mounted by itself cannot be replaced.
      guard error == .busy else { throw .system("write", path, error) }
      try overwrite(end, path, bytes)
    }
  }

  private func overwrite(_ end: End, _ path: String, _ bytes: [UInt8]) throws(Failure) {
    let file = try open(end, path, to: "write", [.writes, .creates, .empties])
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
    do throws(Errno) {
      try end.folder.descriptor.remove(end.name)
    } catch {
      guard error != .notFound else { return }
      throw Failure.system("remove", path, error).fixed(by: "remove it by hand")
    }
  }

  /// Removes a folder with all in it, as far as it can be removed.
  package func removeFolder(_ path: String) {
    guard let end = try? end(of: path, to: "remove", followsLast: false) else { return }
    let folder = end.folder.descriptor
    if (try? folder.remove(end.name)) != nil { return }
    for name in (try? folder.names(in: end.name)) ?? [] { removeFolder("\(path)/\(name)") }
    folder.removeFolder(end.name)
  }
}

extension FileRoot.End {
  /// Of the file that is there, or of none; `nil` when another file cannot take its place.
  fileprivate var replaceableMode: UInt32?? {
    do throws(Errno) {
      let status = try folder.descriptor.status(of: name)
      // One that may not be written is not replaced either.
      return status.kind == .file && folder.descriptor.mayWrite(name) ? status.mode : .none
    } catch {
      return error == .notFound ? .some(nil) : .none
    }
  }

  /// A new file in the same folder, under a name that nothing reads; `nil` where none can be made.
  ///
  /// It is locked for as long as its writer lives, so that the next writer can tell it from one that
  /// was left by a process that was killed.
  fileprivate func makeTemporaryFile(for path: String) -> (file: OpenFile, name: String)? {
    let (start, end) = (".understudy-", ".tmp")
    let folder = folder.descriptor
    for left in (try? folder.names(in: ".")) ?? []
    where left.hasPrefix(start) && left.hasSuffix(end) {
      let file = try? Descriptor(left, in: folder, .noLink)
      if (try? file?.lock(.exclusiveAtOnce)) == true { try? folder.remove(left) }
    }
    while true {
      let name = start + String(UInt64.random(in: 0 ... .max), radix: 36) + end
      guard let file = try? Descriptor(name, in: folder, [.writes, .creates, .onlyNew]) else {
        return nil
      }
      // Where there are no locks nobody takes it for left behind.
      _ = try? file.lock(.exclusive)
      // Who looked before it was locked has removed it.
      if (try? file.status().nameCount) != 0 { return (OpenFile(file, path), name) }
    }
  }
}

import UnderstudySystem

extension FileRoot {
  /// Writes a file and creates missing folders around it.
  ///
  /// At any moment, even after a power failure, the file is either the old one or the new one: the
  /// new one is written beside it and replaces it once it is on the disk. A link to the file is
  /// kept. Anything that is not a regular file, such as a pipe, or that cannot be replaced is
  /// written in place.
  package func write(_ bytes: [UInt8], to path: String) throws(Failure) {
    // These paths refer to files that other programs also write to.
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
      // A file that is its own mount point cannot be replaced.
      guard error == .busy else { throw .system("write", path, error) }
      try overwrite(end, path, bytes)
    }
  }

  private func overwrite(_ end: End, _ path: String, _ bytes: [UInt8]) throws(Failure) {
    let file = try Self.open(end, path, to: "write", [.writes, .creates, .empties])
    try file.write(bytes)
    try file.sync()
  }

  /// Removes a file, or a link without its target. Does nothing if it does not exist.
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

  /// Removes a folder with its contents, as far as possible.
  package func removeFolder(_ path: String) {
    guard let end = try? end(of: path, to: "remove", followsLast: false) else { return }
    let folder = end.folder.descriptor
    if (try? folder.remove(end.name)) != nil { return }
    for name in (try? folder.names(in: end.name)) ?? [] { removeFolder("\(path)/\(name)") }
    folder.removeFolder(end.name)
  }
}

extension FileRoot.End {
  /// The mode of the existing file, or none if there is no file; `nil` if the file cannot be
  /// replaced.
  fileprivate var replaceableMode: UInt32?? {
    do throws(Errno) {
      let status = try folder.descriptor.status(of: name)
      // A file without write permission is not replaced either.
      return status.kind == .file && folder.descriptor.mayWrite(name) ? status.mode : .none
    } catch {
      return error == .notFound ? .some(nil) : .none
    }
  }

  /// Creates a file in the same folder, under a name that nothing reads; `nil` where that is
  /// impossible.
  ///
  /// Its writer keeps it locked, so that the next writer can tell it from one that a killed process
  /// left behind.
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
      // Where locks are not supported, no file is treated as left behind.
      _ = try? file.lock(.exclusive)
      // Another writer may have removed it before it was locked.
      if (try? file.status().nameCount) != 0 { return (OpenFile(file, path), name) }
    }
  }
}

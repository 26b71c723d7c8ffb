import UnderstudySystem

extension FileRoot {
  /// Writes a file and creates missing folders around it.
  ///
  /// At any moment, even after a power failure, the file is either the old one or the new one: the
  /// new one is written beside it and replaces it once it is on the disk. A link to the file is
  /// kept. The new one may not be found after a power failure until the system has written its
  /// journal: waiting for the name, too, would take as long as writing the file. Anything that is
  /// not a regular file, such as a pipe, and a file that may be written but not replaced is written
  /// in place, if there is room for it. Whatever else fails leaves the old file as it is.
  ///
  /// - Parameter isPrivate: whether no other user can read the file, if it is new.
  package func write(
    _ bytes: [UInt8], to path: String, isPrivate: Bool = false
  ) throws(Failure) {
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
    let new: (file: OpenFile, name: String)?
    do throws(Errno) {
      new = try end.makeReplacement(for: path, isPrivate: isPrivate)
    } catch {
      throw .system("write", path, error)
    }
    guard let new else { return try overwrite(end, path, bytes) }
    let folder = end.folder.descriptor
    do throws(Failure) {
      try new.file.write(bytes)
      try new.file.sync()
    } catch {
      try? folder.remove(new.name)
      throw error
    }
    do throws(Errno) {
      try folder.rename(new.name, to: end.name)
    } catch {
      try? folder.remove(new.name)
      guard error.leavesWritingInPlace else { throw .system("write", path, error) }
      try overwrite(end, path, bytes)
    }
  }

  private func overwrite(_ end: End, _ path: String, _ bytes: [UInt8]) throws(Failure) {
    try Self.open(end, path, to: "write", [.writes, .creates]).overwrite(bytes)
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
  /// A new file with the permissions of the existing one, to take its place; `nil` where the
  /// existing one is written in place.
  fileprivate func makeReplacement(
    for path: String, isPrivate: Bool
  ) throws(Errno) -> (file: OpenFile, name: String)? {
    var mode: UInt32?
    do throws(Errno) {
      let status = try folder.descriptor.status(of: name)
      // A file without write permission is not replaced either.
      guard status.kind == .file, folder.descriptor.mayWrite(name) else { return nil }
      mode = status.mode
    } catch {
      guard error == .notFound else { throw error }
    }
    do throws(Errno) {
      let new = try makeTemporaryFile(for: path, mode: isPrivate ? 0o600 : 0o666)
      if let mode { new.file.descriptor.setMode(mode) }
      return new
    } catch {
      guard error.leavesWritingInPlace else { throw error }
      return nil
    }
  }

  /// Creates a file in the same folder, under a name that nothing reads.
  ///
  /// Its writer keeps it locked, so that the next writer can tell it from one that a killed process
  /// left behind. Writers at the same time take the next numbers: the folder, which may have many
  /// files, is not listed.
  private func makeTemporaryFile(
    for path: String, mode: UInt32
  ) throws(Errno) -> (file: OpenFile, name: String) {
    let folder = folder.descriptor
    var number = 0
    while true {
      let name = ".understudy-\(number).tmp"
      let file: Descriptor
      do throws(Errno) {
        file = try Descriptor(name, in: folder, [.writes, .creates, .onlyNew], mode: mode)
      } catch {
        guard error == .exists else { throw error }
        if !Self.removeLeftover(name, in: folder) { number += 1 }
        continue
      }
      // Where locks are not supported, no file is treated as left behind.
      _ = try? file.lock(.exclusive)
      // Another writer may have removed it before it was locked.
      if (try? file.status().nameCount) != 0 { return (OpenFile(file, path), name) }
    }
  }

  /// Returns whether the name is free again: its writer has ended.
  private static func removeLeftover(_ name: String, in folder: Descriptor) -> Bool {
    guard let file = try? Descriptor(name, in: folder, .noLink) else { return false }
    guard (try? file.lock(.exclusiveAtOnce)) == true else { return false }
    // Whoever had the lock before may have removed it, and the name may be of a new file.
    guard (try? file.status().nameCount) != 0 else { return true }
    do throws(Errno) {
      try folder.remove(name)
      return true
    } catch {
      return false
    }
  }
}

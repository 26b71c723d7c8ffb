package import UnderstudySystem

/// A folder and everything beneath it. Reads and writes through this type stay inside.
///
/// Paths start with the folder's own path, as shown in messages: `Contracts/joke/random.json`. The
/// folder itself may be a link. Links beneath it are followed if they are relative and stay beneath
/// it: an absolute link differs from machine to machine.
///
/// Outside of `System` files are opened, replaced and removed in this folder; only `BodySink` of
/// the client opens one itself. Read this file, then `FileRoot+Writing`, which replaces a file as a
/// whole; `OpenFile` and `OpenFolder` are for those who read or write many times. A failure names
/// the path as the user knows it.
package struct FileRoot: Hashable, Sendable {
  /// What is at a path, for targets that do not import `System`.
  package typealias Kind = Descriptor.Status.Kind

  /// The limit for a file that is read whole.
  package static let byteCountMax = 64 << 20

  package let path: String

  package init(_ path: String) {
    self.path = path
  }

  /// The whole machine: all links are followed.
  package static let anywhere = FileRoot("/")

  /// The root for a path given by the user. Paths beneath the working folder may be part of a
  /// checkout with links made by strangers, so links there must not lead out; elsewhere they are
  /// followed.
  package init(around path: String) {
    let isBeneath = !path.hasPrefix("/") && !path.split(separator: "/").contains("..")
    self = isBeneath ? FileRoot(".") : .anywhere
  }

  /// `nil` when nothing exists at the path, or only a dangling link.
  package func kind(of path: String) throws(Failure) -> Kind? {
    let end: End
    do throws(Failure) {
      end = try self.end(of: path, to: "read")
    } catch {
      guard error.isMissing else { throw error }
      return nil
    }
    do throws(Errno) {
      return try end.folder.descriptor.status(of: end.name).kind
    } catch {
      guard error == .notFound else { throw .system("read", path, error) }
      return nil
    }
  }

  /// The names in a folder, sorted, without hidden files.
  package func names(in folder: String) throws(Failure) -> [String] {
    let end = try end(of: folder, to: "read")
    do throws(Errno) {
      return try end.folder.descriptor.names(in: end.name).filter { !$0.hasPrefix(".") }.sorted()
    } catch {
      throw .system("read", folder, error)
    }
  }

  /// The names of the folders in a folder, sorted, without hidden ones; links to folders included.
  package func folders(in folder: String) throws(Failure) -> [String] {
    let end = try end(of: folder, to: "read")
    let entries: [(name: String, kind: Descriptor.EntryKind)]
    do throws(Errno) {
      entries = try end.folder.descriptor.entries(in: end.name)
    } catch {
      throw .system("read", folder, error)
    }
    return entries.filter { name, kind in
      switch kind {
      case _ where name.hasPrefix("."): false
      case .file: false
      case .folder: true
      case .unknown: (try? self.kind(of: "\(folder)/\(name)")) == .folder
      }
    }.map(\.name).sorted()
  }

  /// - Parameter folder: a folder that links on the way must not leave either.
  package func read(_ path: String, within folder: String? = nil) throws(Failure) -> [UInt8] {
    let end = try end(of: path, to: "read", within: folder)
    let file = try Self.open(end, path, to: "read", .doesNotWait)
    return try file.read(byteCountMax: Self.byteCountMax)
  }

  /// Fails if a link makes the path lead out. The file need not exist yet.
  package func checkStays(_ path: String, within folder: String?) throws(Failure) {
    do throws(Failure) {
      _ = try end(of: path, to: "write", within: folder)
    } catch {
      guard error.isMissing else { throw error }
    }
  }

  /// Opens a file. If creating it is allowed, also creates the folders around it.
  package func open(
    _ path: String, to verb: String, _ access: Descriptor.Access
  ) throws(Failure) -> OpenFile {
    let end = try end(of: path, to: verb, makesFolders: access.contains(.creates))
    let file = try Self.open(end, path, to: verb, access)
    if access.contains(.creates) { end.folder.descriptor.syncNames() }
    return file
  }

  static func open(
    _ end: End, _ path: String, to verb: String, _ access: Descriptor.Access
  ) throws(Failure) -> OpenFile {
    do throws(Errno) {
      let file = try Descriptor(end.name, in: end.folder.descriptor, access.union(.noLink))
      return OpenFile(file, path)
    } catch {
      throw .system(verb, path, error)
    }
  }
}

// MARK: - The way down

extension FileRoot {
  /// The end of a path: an open folder, and a name in it that is not a link.
  struct End {
    let folder: OpenFile
    let name: String
  }

  private static let linkCountMax = 40
  static let folderAccess: Descriptor.Access = [.onlyPlace, .onlyFolder]

  /// Walks to the end of a path. Each folder is opened by its name in the previous one and never
  /// through a link, so that concurrent changes to the files cannot lead elsewhere.
  ///
  /// - Parameters:
  ///   - verb: what is done there, for messages.
  ///   - inner: a folder on the way that must not be left either.
  func end(
    of path: String, to verb: String, within inner: String? = nil, followsLast: Bool = true,
    makesFolders: Bool = false
  ) throws(Failure) -> End {
    var folders = [try top(path, verb, makes: makesFolders)]
    var pending = try names(of: path, verb)
    if let inner {
      let start = try names(of: inner, verb)
      guard pending.starts(with: start) else { throw .outside(path, verb, nil, inner) }
      let end = try end(of: inner, to: verb)
      folders = [try Self.folder(end.name, in: end.folder, path, verb)]
      pending.removeFirst(start.count)
    }
    pending.reverse()
    var links: [(path: String, target: String)] = []
    while let name = pending.popLast() {
      let folder = folders[folders.count - 1]
      if name == ".." {
        if folders.count > 1 {
          folders.removeLast()
        } else if self != .anywhere {
          throw .outside(path, verb, links.last, folder.path)
        }
        continue
      }
      if followsLast || !pending.isEmpty, let target = folder.descriptor.link(name) {
        links.append((folder.path(of: name), target))
        guard links.count <= Self.linkCountMax else { throw .system(verb, path, .tooManyLinks) }
        if target.hasPrefix("/") {
          guard self == .anywhere else { throw .outside(path, verb, links.last, folders[0].path) }
          folders = [folders[0]]
        }
        pending += Self.names(target).reversed()
        continue
      }
      if pending.isEmpty { return End(folder: folder, name: name) }
      folders.append(try Self.folder(name, in: folder, path, verb, makes: makesFolders))
    }
    return End(folder: folders[folders.count - 1], name: ".")
  }

  /// Opens the root.
  private func top(
    _ path: String, _ verb: String, makes: Bool
  ) throws(Failure) -> OpenFile {
    do throws(Errno) {
      return OpenFile(try Descriptor(self.path, Self.folderAccess), self.path)
    } catch {
      guard error == .notFound, makes else { throw .system(verb, path, error) }
    }
    try Self.anywhere.makeFolder(self.path)
    return try top(path, verb, makes: false)
  }

  private static func folder(
    _ name: String, in folder: OpenFile, _ path: String, _ verb: String, makes: Bool = false,
    isPrivate: Bool = false
  ) throws(Failure) -> OpenFile {
    do throws(Errno) {
      let inner = try Descriptor(name, in: folder.descriptor, folderAccess.union(.noLink))
      return OpenFile(inner, folder.path(of: name))
    } catch {
      guard error == .notFound, makes else { throw .system(verb, path, error) }
    }
    // Another process may have created it meanwhile.
    if folder.descriptor.makeFolder(name, mode: isPrivate ? 0o700 : 0o777) {
      folder.descriptor.syncNames()
    }
    return try self.folder(name, in: folder, path, verb)
  }

  /// Creates a folder and missing folders around it.
  ///
  /// - Parameter isPrivate: whether no other user can enter it, if it is created.
  package func makeFolder(_ path: String, isPrivate: Bool = false) throws(Failure) {
    let end = try end(of: path, to: "write", makesFolders: true)
    _ = try Self.folder(
      end.name, in: end.folder, path, "write", makes: true, isPrivate: isPrivate)
  }

  /// Opens a folder for many files beneath it.
  package func openFolder(
    _ path: String, makesFolders: Bool = false
  ) throws(Failure) -> OpenFolder {
    let verb = makesFolders ? "write" : "read"
    let end = try end(of: path, to: verb, makesFolders: makesFolders)
    return OpenFolder(
      try Self.folder(end.name, in: end.folder, path, verb, makes: makesFolders))
  }

  /// The names that lead from the root to a path.
  private func names(of path: String, _ verb: String) throws(Failure) -> [String] {
    do throws(Errno) {
      try Errno.check(path, self.path)
    } catch {
      throw .system(verb, path.visible, error)
    }
    var names = Self.names(path)
    let own = Self.names(self.path)
    if self == .anywhere, !path.hasPrefix("/") {
      do throws(Errno) {
        names = Self.names(try Descriptor.workingFolder()) + names
      } catch {
        throw .system(verb, path, error)
      }
    } else if path.hasPrefix("/") != self.path.hasPrefix("/") || !names.starts(with: own) {
      throw .outside(path, verb, nil, self.path)
    }
    return Array(names.dropFirst(own.count))
  }

  private static func names(_ path: String) -> [String] {
    // An array of bytes is split many times faster than a string.
    Array(path.utf8).split(separator: .slash).filter { !$0.elementsEqual([.period]) }
      .map { String(decoding: $0, as: UTF8.self) }
  }
}

extension Failure {
  /// - Parameter link: the link on the way that leads out.
  fileprivate static func outside(
    _ path: String, _ verb: String, _ link: (path: String, target: String)?, _ root: String
  ) -> Failure {
    let root = root == "." ? "the working folder" : root
    guard let link else {
      return Failure(
        message: "cannot \(verb) \(path): it is outside \(root)",
        fix: "name a path inside, without \"..\"")
    }
    let place = link.path == path ? "it" : link.path
    let expected = link.target.hasPrefix("/") ? "a relative link that" : "a link that"
    return Failure(
      message: "cannot \(verb) \(path): \(place) is a link to \(link.target.visible), expected"
        + " \(expected) stays below \(root)",
      fix: "replace the link with its target")
  }
}

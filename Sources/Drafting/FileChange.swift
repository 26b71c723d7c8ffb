package import UnderstudyCore

/// A change to a file in the contracts folder.
package enum FileChange: Sendable {
  case write(RecordedFile)
  case remove(path: String)

  package var path: String {
    switch self {
    case .write(let file): file.path
    case .remove(let path): path
    }
  }

  /// Whether the folder is already as this change would leave it.
  package func isDone(in root: FileRoot) -> Bool {
    switch self {
    case .write(let file): (try? root.read(file.path)) == file.bytes
    case .remove(let path): (try? root.kind(of: path)) == .some(nil)
    }
  }

  package func apply(to root: FileRoot) throws(Failure) {
    switch self {
    case .write(let file): try root.write(file.bytes, to: file.path)
    case .remove(let path): try root.remove(path)
    }
  }
}

extension [FileChange] {
  /// Applies the changes in order; without a folder, none. `tell` is called after each.
  package func apply(to root: FileRoot?, tell: (FileChange) -> Void = { _ in }) throws(Failure) {
    for change in self {
      if let root { try change.apply(to: root) }
      tell(change)
    }
  }
}

extension Recording {
  package var changes: [FileChange] {
    files.map(FileChange.write) + removals.map(FileChange.remove)
  }
}

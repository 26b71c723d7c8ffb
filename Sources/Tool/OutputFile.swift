import UnderstudyContractModel

/// What commands leave behind. Without a root, a path is one that somebody has named.
enum OutputFile {
  /// Makes a folder, and those around it that are not there; itself it may be a link.
  static func makeFolder(_ path: String) throws(CommandLineError) {
    do throws(FileError) {
      try FileRoot.anywhere.makeFolder(path)
    } catch {
      throw CommandLineError(error)
    }
  }

  static func write(
    _ bytes: [UInt8], to path: String, in root: FileRoot? = nil
  ) throws(CommandLineError) {
    do throws(FileError) {
      try (root ?? FileRoot(around: path)).write(bytes, to: path)
    } catch {
      throw CommandLineError(error)
    }
  }

  static func remove(_ path: String, in root: FileRoot) throws(CommandLineError) {
    do throws(FileError) {
      try root.remove(path)
    } catch {
      throw CommandLineError(error)
    }
  }
}

extension CommandLineError {
  init(_ error: FileError) {
    self.init(message: error.message, fix: error.fix)
  }
}

import ContractModel
import Glibc

/// Files that commands leave behind.
enum OutputFile {
  /// Makes a folder, and those around it that are not there.
  static func makeFolder(_ path: String) throws(CommandLineError) {
    for end in path.indices where path[end] == "/" && end > path.startIndex {
      mkdir(String(path[..<end]), 0o777)
    }
    guard mkdir(path, 0o777) == 0 || errno == EEXIST else { throw .cannotWrite(path) }
  }

  /// Writes a file, and makes the folders around it that are not there.
  static func write(_ bytes: [UInt8], to path: String) throws(CommandLineError) {
    FileSystem.makeFolders(around: path)
    guard let file = fopen(path, "w") else { throw .cannotWrite(path) }
    let written = fwrite(bytes, 1, bytes.count, file)
    // What was kept in memory is written only now.
    let isClosed = fclose(file) == 0
    guard written == bytes.count, isClosed else { throw .cannotWrite(path) }
  }
}

extension CommandLineError {
  fileprivate static func cannotWrite(_ path: String) -> Self {
    Self(message: "cannot write \(path): \(String(cString: strerror(errno)))")
  }
}

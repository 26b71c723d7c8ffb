import Synchronization
import UnderstudyContractModel
import UnderstudyCore
import UnderstudyFindings
import UnderstudySystem

/// The folders of contracts in tests, each read once per process.
enum ContractFolder {
  private static let libraries = Mutex<[String: Result<ContractLibrary, FakeError>]>([:])

  /// The folder at this path, relative to the file's folder unless it starts with a slash; without
  /// a path, the nearest `Contracts` in a folder above the file.
  static func find(_ path: String?, from file: String) throws(FakeError) -> String {
    var folder = file[..<(file.lastIndex(of: "/") ?? file.startIndex)]
    if let path { return path.hasPrefix("/") ? path : "\(folder)/\(path)" }
    while true {
      if (try? FileRoot.anywhere.kind(of: "\(folder)/Contracts")) == .folder {
        return "\(folder)/Contracts"
      }
      guard let slash = folder.lastIndex(of: "/") else { throw .noFolder(above: file) }
      folder = folder[..<slash]
    }
  }

  static func library(in folder: String) throws(FakeError) -> ContractLibrary {
    try libraries.withLock { libraries in
      if let library = libraries[folder] { return library }
      let library = read(folder)
      libraries[folder] = library
      return library
    }.get()
  }

  private static func read(_ folder: String) -> Result<ContractLibrary, FakeError> {
    do throws(Failure) {
      let library = try ContractLibrary.load([folder], for: .reading)
      let errors = library.findings.filter { $0.severity == .error }
      guard errors.isEmpty else { return .failure(.broken(folder, errors.map(\.description))) }
      return .success(library)
    } catch {
      return .failure(FakeError(message: error.message, fix: error.fix))
    }
  }
}

internal import Foundation

/// A folder of a test's own, which goes with it.
package final class TemporaryFolder: Sendable {
  /// With a space, which nothing may trip over.
  package let path = FileManager.default.temporaryDirectory
    .appendingPathComponent("understudy \(UUID().uuidString)").path

  package init() throws {
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }

  package func write(_ name: String, _ text: String) throws {
    try write(name, bytes: Array(text.utf8))
  }

  package func write(_ name: String, bytes: [UInt8]) throws {
    let url = URL(fileURLWithPath: "\(path)/\(name)")
    try FileManager.default.createDirectory(
      at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
    try Data(bytes).write(to: url)
  }

  package func read(_ name: String) throws -> String {
    try String(contentsOfFile: "\(path)/\(name)", encoding: .utf8)
  }

  package func remove(_ name: String) throws {
    try FileManager.default.removeItem(atPath: "\(path)/\(name)")
  }

  /// The names of all files in it, sorted.
  package var files: [String] {
    let names = FileManager.default.enumerator(atPath: path)?.compactMap { $0 as? String } ?? []
    var isFolder: ObjCBool = false
    return names.filter { name in
      FileManager.default.fileExists(atPath: "\(path)/\(name)", isDirectory: &isFolder)
        && !isFolder.boolValue
    }.sorted()
  }
}

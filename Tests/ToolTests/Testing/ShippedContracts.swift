import Foundation

/// The contracts of this repository in a folder of their own, where a test may change them.
final class ShippedContracts: Sendable {
  let folder = FileManager.default.temporaryDirectory
    .appendingPathComponent("shipped contracts \(UUID().uuidString)")

  init() throws {
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    try FileManager.default.copyItem(
      at: Checkout.root.appendingPathComponent("Contracts"),
      to: folder.appendingPathComponent("Contracts"))
  }

  deinit {
    try? FileManager.default.removeItem(at: folder)
  }

  func edit(_ path: String, _ old: String, _ new: String) throws {
    let file = folder.appendingPathComponent(path)
    let text = try String(contentsOf: file, encoding: .utf8)
    try text.replacing(old, with: new).write(to: file, atomically: true, encoding: .utf8)
  }

  func read(_ path: String) throws -> String {
    try String(contentsOf: folder.appendingPathComponent(path), encoding: .utf8)
  }

  /// What a command says here, of the executable that has our services.
  func run(
    _ words: [String], of executable: URL = Checkout.showcase
  ) async throws -> ProcessRun {
    let folder = folder
    return try await offPool { try ProcessRun(executable.path, words, directory: folder) }
  }
}

extension ProcessRun {
  /// The output, but for how long something took.
  var timelessOutput: String { Self.timeless(output) }
  var timelessErrors: String { Self.timeless(errors) }

  private static func timeless(_ text: String) -> String {
    text.replacing(/\d+(\.\d)? m?s\b/, with: "TIME")
  }
}

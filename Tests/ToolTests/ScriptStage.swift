import Foundation

/// A folder to run the scripts of `ci` in, with stand-ins first on the `PATH`.
final class ScriptStage: Sendable {
  let folder = FileManager.default.temporaryDirectory
    .appendingPathComponent("understudy script \(UUID().uuidString)")

  init(_ programs: [String: String] = [:]) async throws {
    try FileManager.default.createDirectory(
      at: folder.appendingPathComponent("bin"), withIntermediateDirectories: true)
    for (name, script) in programs {
      try write("texts/\(name)", "#!/usr/bin/env bash\n" + script)
      // A program that this process has written could be busy: another test may just be forking.
      let words = ["-m", "755", "texts/\(name)", "bin/\(name)"]
      let stage = folder
      _ = try await offPool { try ProcessRun("/usr/bin/install", words, directory: stage) }
    }
  }

  deinit { try? FileManager.default.removeItem(at: folder) }

  func write(_ path: String, _ text: String) throws {
    let file = folder.appendingPathComponent(path)
    try FileManager.default.createDirectory(
      at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
    try text.write(to: file, atomically: true, encoding: .utf8)
  }

  func read(_ path: String) -> String? {
    try? String(contentsOf: folder.appendingPathComponent(path), encoding: .utf8)
  }

  func run(
    _ script: String, _ words: [String] = [], in directory: String = ".",
    environment: [String: String] = [:]
  ) async throws -> ProcessRun {
    let path = ProcessInfo.processInfo.environment["PATH"] ?? ""
    let stage = folder
    return try await offPool {
      try ProcessRun(
        Checkout.root.appendingPathComponent("ci/deploy/\(script)").path, words,
        directory: stage.appendingPathComponent(directory),
        environment: [
          "PATH": "\(stage.appendingPathComponent("bin").path):\(path)", "UNDERSTUDY": "",
          "GITHUB_STEP_SUMMARY": "", "STAGE": stage.path,
        ].merging(environment) { $1 })
    }
  }

  func git(_ words: [String], in directory: String = ".") async throws -> ProcessRun {
    let directory = folder.appendingPathComponent(directory)
    return try await offPool {
      try ProcessRun(
        "/usr/bin/env", ["git", "-c", "init.defaultBranch=main"] + words, directory: directory)
    }
  }
}

import Foundation
import Testing
import UnderstudyCore

@Suite struct GitApplyTests {
  private static let text = "{\n  \"a\": 1,\n  \"b\": 2,\n  \"c\": 3\n}\n"

  @Test(
    "git and patch apply a diff of a file and give its new text",
    arguments: [
      ("api/thing.json", text, text.replacing("2", with: "[\n    2\n  ]")),
      ("api/a thing.json", text, text.replacing("3", with: "4")),
      ("api/thing.json", "{ }", "{ \"a\": 1 }"),
      ("api/thing.json", "{ }", "{ }\n"),
      ("api/thing.json", "{ }\n", "{\n}"),
      (
        "api/thing.json", text.replacing("\n", with: "\r\n"),
        text.replacing("\n", with: "\r\n") + "\r\n"
      ),
      ("api/thing.json", "\"e\u{301}\"\n", "\"\u{E9}\"\n"),
    ],
    [
      ["git", "apply", "--whitespace=nowarn", "p.diff"],
      ["patch", "-p1", "-i", "p.diff"],
    ])
  func applies(change: (file: String, old: String, new: String), command: [String]) async throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    let file = folder.appending(path: change.file)
    try FileManager.default.createDirectory(
      at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    try Data(change.old.utf8).write(to: file)
    let diff = TextDiff.patch(of: change.file, change.old, change.new)
    try Data(diff.utf8).write(to: folder.appending(path: "p.diff"))
    let code = try await run(command, in: folder)
    #expect(code == 0, "\(diff)")
    let found = try Data(contentsOf: file)
    #expect(found == Data(change.new.utf8))
  }

  private func run(_ command: [String], in folder: URL) async throws -> Int32 {
    let process = Process()
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments = command
    process.currentDirectoryURL = folder
    process.standardOutput = FileHandle.nullDevice
    return try await withCheckedThrowingContinuation { continuation in
      process.terminationHandler = { continuation.resume(returning: $0.terminationStatus) }
      do { try process.run() } catch { continuation.resume(throwing: error) }
    }
  }
}

import Foundation

@testable import UnderstudyTool

/// A folder of contracts for one test, removed with it.
final class SampleContracts: Sendable {
  let folder = FileManager.default.temporaryDirectory
    .appendingPathComponent("sample contracts \(UUID().uuidString)")

  /// Sound contracts, with `files` put in their place or beside them.
  convenience init(_ files: [String: String] = [:]) throws {
    try self.init(only: Self.sound.merging(files, uniquingKeysWith: { $1 }))
  }

  init(only files: [String: String]) throws {
    for (path, text) in files { try write(path, text) }
  }

  func write(_ path: String, _ text: String) throws {
    let file = folder.appendingPathComponent(path)
    try FileManager.default.createDirectory(
      at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
    try text.write(to: file, atomically: true, encoding: .utf8)
  }

  func read(_ path: String) throws -> String {
    try String(contentsOf: folder.appendingPathComponent(path), encoding: .utf8)
  }

  func remove(_ path: String) throws {
    let target = folder.appendingPathComponent("removed")
    try FileManager.default.moveItem(at: folder.appendingPathComponent(path), to: target)
    try FileManager.default.removeItem(at: target)
  }

  deinit {
    try? FileManager.default.removeItem(at: folder)
  }

  /// Runs a command on these contracts; in what it says, their folder is left out of paths.
  func run(
    _ words: [String], of root: Command = Understudy.command, isColoured: Bool = false
  ) -> CommandLineRun {
    let run = CommandLineRun(
      words: words + [folder.appendingPathComponent("Contracts").path], of: root,
      isColoured: isColoured)
    return CommandLineRun(
      code: run.code, output: run.output.replacing("\(folder.path)/", with: ""),
      errors: run.errors.replacing("\(folder.path)/", with: ""))
  }

  private static let sound = [
    "Contracts/consumers.json": """
    {
      "images.random": {
        "upstreams": ["dog-ceo"],
        "errors": { "connectivity": null, "invalidData": null, "unexpectedStatus": "integer" }
      }
    }
    """,
    "Contracts/dog-ceo/upstream.json": """
    { "summary": "Pictures of dogs", "baseURL": "https://dog.ceo/api" }
    """,
    "Contracts/dog-ceo/random-images.json": """
    {
      "summary": "A picture at random",
      "request": {
        "method": "GET", "path": "/breed/{name}/images/random",
        "parameters": { "path.name": { "example": "hound" } }
      },
      "cases": {
        "ok": {
          "summary": "An address",
          "status": 200, "headers": { "Content-Type": "application/json" },
          "body": { "message": "https://images.dog.ceo/1.jpg" },
          "schema": { "type": "object", "required": ["message"] },
          "live": {},
          "expect": { "images.random": { "value": "https://images.dog.ceo/1.jpg" } }
        },
        "not-found": {
          "status": 404, "text": "",
          "expect": { "images.random": { "error": { "unexpectedStatus": 404 } } }
        },
        "cut-short": {
          "like": "ok", "malform": { "truncateAt": 5 },
          "expect": { "images.random": { "error": "invalidData" } }
        },
        "slow": {
          "like": "ok", "delay": { "fixed": "2s" },
          "expect": { "images.random": { "like": "ok" } }
        },
        "reset": {
          "fault": "CONNECTION_RESET_BY_PEER",
          "expect": { "images.random": { "error": "connectivity", "transport": "reset" } }
        }
      }
    }
    """,
  ]
}

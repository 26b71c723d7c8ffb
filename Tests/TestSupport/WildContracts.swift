internal import Foundation

/// Contracts for `jokes.wild`, the service in `Tests/WrongConsumers` that does what its response
/// says, in a folder of their own.
package final class WildContracts: Sendable {
  /// All services of `Tests/WrongConsumers`.
  package static let consumers = ["none", "crash", "hang", "undeclared", "silence", "wild"].map {
    "jokes.\($0)"
  }

  /// Where the folder `Contracts` is.
  package let folder: String

  /// - Parameter setups: of the jokes, each in a case of this name with a number before it.
  package init(_ setups: [String]) throws {
    let cases = setups.enumerated().map { place, setup in
      """
      "\(place)-\(setup)": { "status": 200, "body": { "id": 7, "setup": "\(setup)" },
        "expect": { "jokes.wild": { "value": { "id": 7, "setup": "\(setup)" } } } }
      """
    }
    let declarations = Self.consumers.map {
      #""\#($0)": { "upstreams": ["joke"], "errors": { "invalidData": null } }"#
    }
    let files = [
      "consumers.json": "{ \(declarations.joined(separator: ", ")) }",
      "joke/upstream.json": #"{ "summary": "Jokes", "baseURL": "https://jokes.example/v1" }"#,
      "joke/random.json": """
      { "summary": "A joke", "request": { "method": "GET", "path": "/random" },
        "cases": { \(cases.joined(separator: ",\n")) } }
      """,
    ]
    let folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("wild contracts \(UUID().uuidString)")
    self.folder = folder.path
    for (path, text) in files {
      let file = folder.appendingPathComponent("Contracts/\(path)")
      try FileManager.default.createDirectory(
        at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
      try text.write(to: file, atomically: true, encoding: .utf8)
    }
  }

  deinit { try? FileManager.default.removeItem(atPath: folder) }

  /// A pipe there by which tests and services tell each other that something has happened; both
  /// ends are open.
  package func pipe(_ name: String) throws -> Int32 {
    let path = "\(folder)/\(name)"
    guard mkfifo(path, 0o600) == 0 else { throw ProgramError("cannot make \(path)") }
    return open(path, O_RDWR | O_CLOEXEC)
  }
}

import Foundation
import UnderstudyTestSupport

/// Six cases of one contract for one of the consumers in `Tests/WrongConsumers`, which does what
/// they say.
///
/// Of three machines the first has `five` and `six`, the second `four` and `three`, the third `one`
/// and `two`: they are dealt by name, since none takes longer.
final class SmallSuite: Sendable {
  static let names = ["one", "two", "three", "four", "five", "six"]
  static let tool = Checkout.products.appendingPathComponent("wrong-consumers")

  private let samples: SampleContracts
  var folder: URL { samples.folder }

  /// - Parameter wrong: the cases of which the contract expects what does not come.
  init(wrong: String...) throws {
    let declarations = WildContracts.consumers.map {
      #"  "\#($0)": { "upstreams": ["joke"], "errors": {} }"#
    }
    samples = try SampleContracts(only: [
      "Contracts/consumers.json": "{\n\(declarations.joined(separator: ",\n"))\n}\n",
      "Contracts/joke/upstream.json":
        #"{ "summary": "Jokes", "baseURL": "https://jokes.example/v1" }"#,
    ])
    try expect(Self.names, wrong: wrong)
  }

  /// Rewrites the contract, to these cases.
  func expect(_ names: [String] = SmallSuite.names, wrong: [String] = []) throws {
    let cases = names.map { name in
      """
          "\(name)": { "status": 200, "body": { "id": 7, "setup": "Why?" },
            "expect": { "jokes.none": { "value": { "id": \(wrong.contains(name) ? 8 : 7), "setup": "Why?" } } } }
      """
    }
    try samples.write(
      "Contracts/joke/random.json",
      """
      { "summary": "A joke", "request": { "method": "GET", "path": "/random" },
        "cases": {
      \(cases.joined(separator: ",\n")) } }
      """)
  }

  func write(_ path: String, _ text: String) throws { try samples.write(path, text) }

  func read(_ path: String) throws -> String { try samples.read(path) }

  func run(_ words: [String], environment: [String: String] = [:]) async throws -> ProcessRun {
    let folder = folder
    return try await offPool {
      try ProcessRun(Self.tool.path, words, directory: folder, environment: environment)
    }
  }

  /// Runs a share and leaves its report in `shards`.
  func run(shard index: Int, _ more: String...) async throws -> ProcessRun {
    try await run(
      ["test", "--shard", "\(index)/3", "--report", "json=shards/\(index).json"] + more)
  }
}

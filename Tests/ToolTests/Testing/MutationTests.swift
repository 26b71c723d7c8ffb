import Foundation
import Testing
import UnderstudyCore
import UnderstudyTestSupport

@testable import UnderstudyTool

/// `understudy test --mutate`, for services that do well and for each way to do badly.
@Suite struct MutationTests {
  struct Wrong: CustomTestStringConvertible, Sendable {
    let testDescription: String
    /// Of the report; without the lines about the run.
    let failures: String
    let score: String
    var code: Int32 = 1

    var summary: String { code == 0 ? "1 check: 1 passed" : "1 check: 1 failed" }
  }

  private static let wrong = [
    Wrong(
      testDescription: "none", failures: "",
      score: "jokes.none handled 37 of 37 mutants correctly (100%)", code: 0),
    Wrong(
      testDescription: "crash",
      failures: """
        failed joke/random#ok, jokes.crash
          Contracts/joke/random.json:8:34: error: empty: crashed: Fatal error: a joke has no id [crash]
            fix: run it alone: wrong-consumers test --mutant 'joke/random#ok,jokes.crash,empty'
          Contracts/joke/random.json:8:34: error: missing/id: crashed: Fatal error: a joke has no id [crash]
            fix: run it alone: wrong-consumers test --mutant 'joke/random#ok,jokes.crash,missing/id'


        """,
      score: "jokes.crash handled 35 of 37 mutants correctly (94%)"),
    Wrong(
      testDescription: "hang",
      failures: """
        failed joke/random#ok, jokes.hang
          Contracts/joke/random.json:8:33: error: empty/setup: no outcome within 2.0 s [hang]
            fix: run it alone: wrong-consumers test --mutant 'joke/random#ok,jokes.hang,empty/setup'


        """,
      score: "jokes.hang handled 36 of 37 mutants correctly (97%)"),
    Wrong(
      testDescription: "undeclared",
      failures: """
        failed joke/random#ok, jokes.undeclared
          Contracts/joke/random.json:8:39: error: empty: found an error without a name: NoSetup(), expected a declared error [outcome]
            fix: run it alone: wrong-consumers test --mutant 'joke/random#ok,jokes.undeclared,empty'
          Contracts/joke/random.json:8:39: error: missing/setup: found an error without a name: NoSetup(), expected a declared error [outcome]
            fix: run it alone: wrong-consumers test --mutant 'joke/random#ok,jokes.undeclared,missing/setup'


        """,
      score: "jokes.undeclared handled 35 of 37 mutants correctly (94%)"),
    Wrong(
      testDescription: "silence",
      failures: """
        failed joke/random#ok, jokes.silence
          Contracts/joke/random.json:8:36: error: null/setup: found another value, expected a declared error [mutant-survived]
            fix: run it alone: wrong-consumers test --mutant 'joke/random#ok,jokes.silence,null/setup'
          Contracts/joke/random.json:8:36: error: empty/setup: found another value, expected a declared error [mutant-survived]
            fix: run it alone: wrong-consumers test --mutant 'joke/random#ok,jokes.silence,empty/setup'


        """,
      score: "jokes.silence handled 35 of 37 mutants correctly (94%)"),
  ]

  @Test("says what a service does wrong with which mutant, and continues", arguments: wrong)
  func report(wrong: Wrong) async throws {
    let contracts = try JokeContracts(consumer: "jokes.\(wrong.testDescription)")
    let run = try await contracts.run("test", "--mutate")
    let output = """
      \(wrong.failures)the run as a whole
        note: \(wrong.score) [mutation-score]

      wrong-consumers test --mutate 0.1.0, seed 0, TIME
      \(wrong.summary)
      coverage: 1 of 1

      """
    #expect(TextDiff.unified(output, run.report) == "")
    #expect(run.errors == "")
    #expect(run.code == wrong.code)
  }

  @Test("serves one mutant by its id")
  func one() async throws {
    let contracts = try JokeContracts(consumer: "jokes.crash")
    let run = try await contracts.run("test", "--mutant", "joke/random#ok,jokes.crash,missing/id")
    let output = """
      failed joke/random#ok, jokes.crash
        Contracts/joke/random.json:8:34: error: missing/id: crashed: Fatal error: a joke has no id [crash]
          fix: run it alone: wrong-consumers test --mutant 'joke/random#ok,jokes.crash,missing/id'

      the run as a whole
        note: jokes.crash handled 0 of 1 mutants correctly (0%) [mutation-score]

      wrong-consumers test --mutate 0.1.0, seed 0, TIME
      1 check: 1 failed
      coverage: 1 of 1

      """
    #expect(TextDiff.unified(output, run.report) == "")
    #expect(run.code == 1)
  }

  @Test("accepts a value where the contract tolerates it")
  func tolerated() async throws {
    let contracts = try JokeContracts(
      consumer: "jokes.silence", #""tolerates": { "/setup": ["null", "empty"] }, "#)
    let run = try await contracts.run("test", "--mutate")
    #expect(run.output.contains("handled 37 of 37 mutants"))
    #expect(run.code == 0)
  }

  @Test("chooses the same mutants for the same seed, as many as requested")
  func drawn() async throws {
    let contracts = try JokeContracts(consumer: "jokes.none")
    let run = try await contracts.run("test", "--mutants", "5", "--seed", "7")
    let again = try await contracts.run("test", "--mutants", "5", "--seed", "7")
    #expect(run.output.contains("handled 5 of 5 mutants"))
    #expect(run.report == again.report)
  }

  @Test("refuses mutants that do not exist")
  func refused() async throws {
    let run = try await JokeContracts(consumer: "jokes.none").run("test", "--mutant", "joke#ok")
    let errors = """
      understudy: error: no mutant of the selected cases has the id "joke#ok"
        fix: copy its id from a report of "wrong-consumers test --mutate"

      """
    #expect(TextDiff.unified(errors, run.errors) == "")
    #expect(run.code == 2)
  }

  @Test("our own services handle every mutant correctly")
  func shipped() async throws {
    let contracts = try ShippedContracts()
    let run = try await contracts.run(["test", "--mutate"])
    #expect(run.code == 0, "\(run.output)\(run.errors)")
    #expect(run.output.matches(of: /handled (\d+) of \1 mutants/).count == 9, "\(run.output)")
  }
}

/// One good case for one of the consumers in `Tests/WrongConsumers`.
private final class JokeContracts: Sendable {
  private let folder = FileManager.default.temporaryDirectory
    .appendingPathComponent("joke contracts \(UUID().uuidString)")

  /// - Parameter more: members of what is expected.
  init(consumer: String, _ more: String = "") throws {
    let declarations = WildContracts.consumers.map {
      #"  "\#($0)": { "upstreams": ["joke"], "errors": { "invalidData": null } }"#
    }
    let files = [
      "consumers.json": "{\n\(declarations.joined(separator: ",\n"))\n}\n",
      "joke/upstream.json": #"{ "summary": "Jokes", "baseURL": "https://jokes.example/v1" }"#,
      "joke/random.json": """
      {
        "summary": "A joke",
        "request": { "method": "GET", "path": "/random" },
        "cases": {
          "ok": {
            "status": 200,
            "body": { "id": 7, "setup": "Why?" },
            "expect": { "\(consumer)": { \(more)"value": { "id": 7, "setup": "Why?" } } }
          }
        }
      }
      """,
    ]
    for (path, text) in files {
      let file = folder.appendingPathComponent("Contracts/\(path)")
      try FileManager.default.createDirectory(
        at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
      try text.write(to: file, atomically: true, encoding: .utf8)
    }
  }

  deinit {
    try? FileManager.default.removeItem(at: folder)
  }

  func run(_ words: String...) async throws -> ProcessRun {
    let tool = Checkout.products.appendingPathComponent("wrong-consumers").path
    return try await offPool { [folder] in try ProcessRun(tool, words, directory: folder) }
  }
}

extension ProcessRun {
  /// The output, but for how long the run took.
  fileprivate var report: String { output.replacing(/, \d+(\.\d)? m?s\n/, with: ", TIME\n") }
}

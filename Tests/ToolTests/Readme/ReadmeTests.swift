import Foundation
import Testing
import UnderstudyCore

@testable import UnderstudyTool

/// The README's first contract does what the README says, word for word.
@Suite struct ReadmeTests {
  private static func blocks(of language: String) throws -> [String] {
    try DocumentationPage("README.md").blocks(of: language)
  }

  /// What the console shows, for these commands on the README's three files.
  private static func session(
    _ verbs: [String], edit: (String) -> String = { $0 }
  ) throws -> String {
    let files = try blocks(of: "json")
    try #require(files.count == 3)
    let samples = try SampleContracts(
      only: [
        "Contracts/consumers.json": files[0], "Contracts/jokes/upstream.json": files[1],
        "Contracts/jokes/random.json": edit(files[2]),
      ])
    return verbs.map { verb in
      let run = samples.run([verb])
      return "$ understudy \(verb)\n\(run.output)\(run.errors)"
    }.joined()
  }

  @Test("the first contract is sound and listed as shown")
  func sound() throws {
    let console = try #require(Self.blocks(of: "console").first)
    #expect(TextDiff.unified(console, try Self.session(["list", "lint"])) == "")
  }

  @Test(
    "shows the files of the example package",
    arguments: [
      ("json", 0, "Contracts/consumers.json"), ("json", 1, "Contracts/jokes/upstream.json"),
      ("json", 2, "Contracts/jokes/random.json"), ("swift", 0, "Sources/jokes-tool/main.swift"),
      ("swift", 1, "Tests/JokesTests/JokeTests.swift"),
      ("swift", 2, "Tests/JokesTests/JokeXCTests.swift"),
    ])
  func example(language: String, number: Int, path: String) throws {
    let file = Checkout.root.appendingPathComponent("Tests/Example/\(path)")
    let block = try #require(Self.blocks(of: language).dropFirst(number).first)
    #expect(TextDiff.unified(try String(contentsOf: file, encoding: .utf8), block) == "")
  }

  @Test("its mistakes are found as shown")
  func mistakes() throws {
    let console = try #require(Self.blocks(of: "console").last)
    let found = try Self.session(["lint"]) { contract in
      contract.replacing(#""punchline": "Because.", "id""#, with: #""punch": "Because.", "id""#)
        .replacing(#""invalidData""#, with: #""invalidDate""#)
    }
    #expect(TextDiff.unified(console, found) == "")
  }

  /// Those that are no file of the example package, which `ci/suite` builds and runs.
  @Test(
    "a program by itself is one that compiles",
    .enabled(if: ProcessRun.find("swiftc") != nil, "there is no compiler"))
  func compiles() async throws {
    let source = FileManager.default.temporaryDirectory
      .appendingPathComponent("program \(UUID().uuidString)", isDirectory: true)
    try FileManager.default.createDirectory(at: source, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: source) }
    let file = source.appendingPathComponent("main.swift")
    try #require(Self.blocks(of: "swift").count == 4)
    try #require(Self.blocks(of: "swift").last)
      .write(to: file, atomically: true, encoding: .utf8)
    // As another package would: only what is public is seen.
    let modules = ["CCurl", "CLinux"].flatMap { name in
      ["-I", Checkout.root.appendingPathComponent("Sources/\(name)").path]
    }
    let compiler = try #require(ProcessRun.find("swiftc"))
    let run = try await offPool {
      try ProcessRun(
        compiler,
        ["-typecheck", "-swift-version", "6", "-I", Checkout.products.path + "/Modules"] + modules
          + [file.path])
    }
    #expect(run.errors == "")
    #expect(run.code == 0)
  }
}

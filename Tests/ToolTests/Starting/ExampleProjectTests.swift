import Foundation
import Testing
import UnderstudyTestSupport

@testable import UnderstudyTool

/// `understudy init --example`, by the real binary. What it shows of a live API is on the README.
@Suite struct ExampleProjectTests {
  private static func tool(_ words: String..., in folder: URL) async throws -> ProcessRun {
    try await offPool { try ProcessRun(Checkout.tool.path, words, directory: folder) }
  }

  @Test("an example is written into an empty folder, and found right by lint")
  func written() async throws {
    let files = try SampleContracts(only: ["notes.txt": ""])
    let folder = files.folder
    let dry = try await Self.tool("init", "--example", "jokes", "--dry-run", in: folder)
    let paths = StartingFiles.Example.jokes.files.map(\.path)
    #expect(dry.output == paths.map { "would write \($0)\n" }.joined() && dry.code == 0)
    let run = try await Self.tool("init", "--example", "jokes", in: folder)
    #expect(
      run.output == paths.map { "wrote \($0)\n" }.joined() + """

        next:
          understudy test                       run the client against every case
          understudy serve                      serve the cases at http://127.0.0.1:8080/joke/api
          understudy serve -C Live --port 8090  act as the live API
          understudy drift                      compare the live API with the contracts

        """)
    #expect(run.errors == "" && run.code == 0)
    let lint = try await Self.tool("lint", in: folder)
    #expect(lint.output.hasSuffix("5 cases: no problems\n") && lint.code == 0, "\(lint.output)")
    let live = try await Self.tool("list", "-C", "Live", in: folder)
    #expect(live.code == 0, "\(live.errors)")
  }

  /// What runs the client of each language, which may have to be built first.
  private static let programs: [String: (command: String, build: [String])] = [
    "python3": (#"["python3", "jokes.py"]"#, []),
    "node": (#"["node", "jokes.mjs"]"#, []),
    "swiftc": (#"["./jokes"]"#, ["jokes.swift", "-o", "jokes"]),
  ]

  @Test("its client is the same in every language", arguments: programs.keys.sorted())
  func clients(program: String) async throws {
    guard let path = ProcessRun.find(program), let client = Self.programs[program] else { return }
    let files = try SampleContracts(only: ["notes.txt": ""])
    let folder = files.folder
    #expect(try await Self.tool("init", "--example", "jokes", in: folder).code == 0)
    if !client.build.isEmpty {
      let built = try await offPool { try ProcessRun(path, client.build, directory: folder) }
      #expect(built.errors == "" && built.code == 0)
    }
    let consumers = folder.appending(path: "Contracts/consumers.json")
    let text = try String(contentsOf: consumers, encoding: .utf8)
    try text.replacing(#"["python3", "jokes.py"]"#, with: client.command)
      .write(to: consumers, atomically: true, encoding: .utf8)
    let test = try await Self.tool("test", "--time-scale", "0", in: folder)
    #expect(test.output.hasSuffix("5 checks: 5 passed\ncoverage: 5 of 5\n"), "\(test.output)")
    #expect(test.code == 0, "\(test.errors)")
  }

  @Test("it stands alone")
  func refused() async throws {
    let files = try SampleContracts()
    let folder = files.folder
    let taken = try await Self.tool("init", "--example", "jokes", in: folder)
    #expect(
      taken.errors == """
        understudy: error: Contracts: it is there already
          fix: write the example into an empty folder: mkdir jokes && cd jokes

        """)
    #expect(taken.code == 2)
    let other = try SampleContracts(only: ["jokes.py": ""])
    let kept = try await Self.tool("init", "--example", "jokes", in: other.folder)
    #expect(kept.errors.contains("jokes.py: it is there already") && kept.code == 2)
    let unknown = try await Self.tool("init", "--example", "joke", in: folder)
    #expect(unknown.errors.contains("expected jokes") && unknown.code == 2, "\(unknown.errors)")
    for words in [["shop"], ["--tests", "node"], ["--ci", "github"]] {
      let run = try await offPool {
        try ProcessRun(
          Checkout.tool.path, ["init", "--example", "jokes"] + words, directory: folder)
      }
      let name = words[0] == "shop" ? "NAME" : words[0]
      #expect(
        run.errors == """
          understudy: error: \(name) cannot be used with --example, which has its own files
            fix: leave one of them out

          """)
      #expect(run.code == 2)
    }
  }
}

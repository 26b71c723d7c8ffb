import Foundation
import Testing
import UnderstudyCore
import UnderstudyTestSupport

@testable import UnderstudyTool

/// `understudy init` in folders of its own, by the real binary, and the commands it names.
@Suite struct InitCommandTests {
  private static func tool(_ words: String..., in folder: URL) async throws -> ProcessRun {
    try await offPool { try ProcessRun(Checkout.tool.path, words, directory: folder) }
  }

  private static func text(_ path: String, in folder: URL) throws -> String {
    try String(contentsOf: folder.appending(path: path), encoding: .utf8)
  }

  @Test("an empty folder suggests it, and what it writes passes")
  func empty() async throws {
    let folder = try SampleContracts(only: ["notes.txt": ""])
    for command in ["lint", "test", "list", "serve", "drift"] {
      let run = try await Self.tool(command, in: folder.folder)
      #expect(run.errors.contains("fix: write the first contracts with \"understudy init\""))
      #expect(run.code == 2)
    }
    let run = try await Self.tool("init", in: folder.folder)
    #expect(
      run.output == """
        wrote Contracts/consumers.schema.json
        wrote Contracts/contract.schema.json
        wrote Contracts/upstream.schema.json
        wrote Contracts/api/upstream.json
        wrote Contracts/api/greeting.json
        wrote Contracts/consumers.json
        wrote .understudy/.gitignore

        next:
          understudy lint   check the contracts
          understudy test   run every consumer against every case
          understudy serve  serve the cases at http://127.0.0.1:8080/api

        """)
    #expect(run.errors == "")
    let lint = try await Self.tool("lint", in: folder.folder)
    #expect(lint.code == 0, "\(lint.output)")
    let test = try await Self.tool("test", "--time-scale", "0", in: folder.folder)
    #expect(test.output.contains("5 checks: 5 passed\n"), "\(test.output)\(test.errors)")
    #expect(test.code == 0)
  }

  @Test(
    "a project that has contracts gets only what it asks for",
    arguments: [
      (
        ["--tests", "pytest"],
        """
        kept .understudy/.gitignore
        wrote tests/understudy_pytest.py
        wrote tests/conftest.py

        """
      ),
      (
        ["--tests", "node", "--dry-run"],
        """
        kept .understudy/.gitignore
        would write test/understudy.mjs

        """
      ),
      (
        ["--tests", "swift"],
        """
        kept .understudy/.gitignore

        add to Package.swift, the second line to a test target:
        \(StartingFiles.dependencyLines)

        """
      ),
      (
        ["--tests", "node", "--force"],
        """
        wrote .understudy/.gitignore
        wrote test/understudy.mjs

        """
      ),
      (
        ["--ci", "gitlab", "--tests", "node"],
        """
        kept .understudy/.gitignore
        wrote test/understudy.mjs
        wrote .gitlab/contracts.yml

        .gitlab/contracts.yml uses a release of understudy, which is not published yet: OWNER is \
        whoever will publish it
        include it in .gitlab-ci.yml: include: { local: .gitlab/contracts.yml }

        """
      ),
    ])
  func addition(words: [String], output: String) async throws {
    let folder = try SampleContracts(only: ["notes.txt": ""])
    #expect(try await Self.tool("init", "shop", in: folder.folder).code == 0)
    let run = try await offPool {
      try ProcessRun(Checkout.tool.path, ["init"] + words, directory: folder.folder)
    }
    #expect(TextDiff.unified(output, run.output) == "")
    #expect(run.errors == "" && run.code == 0)
    let names = try FileManager.default.contentsOfDirectory(
      atPath: folder.folder.appending(path: "Contracts").path)
    #expect(!names.contains("api"))
  }

  @Test("it changes nothing that exists")
  func existing() async throws {
    let folder = try SampleContracts(only: ["notes.txt": ""])
    #expect(try await Self.tool("init", "shop", in: folder.folder).code == 0)
    let again = try await Self.tool("init", "shop", in: folder.folder)
    #expect(
      again.errors == """
        understudy: error: Contracts/shop: contracts are there already
          fix: name another API: understudy init NAME; or replace them: --force

        """)
    #expect(again.code == 2)
    let other = try await Self.tool("init", "news", in: folder.folder)
    #expect(other.output.contains("kept Contracts/consumers.json\n"))
    #expect(other.output.contains("say in Contracts/news/greeting.json what your"))
    #expect(try !Self.text("Contracts/news/greeting.json", in: folder.folder).contains("expect"))
    let lint = try await Self.tool("lint", in: folder.folder)
    #expect(lint.code == 0, "\(lint.output)")
  }

  @Test("--dry-run writes nothing, and --force replaces what exists")
  func replacing() async throws {
    let folder = try SampleContracts(only: ["notes.txt": ""])
    let dry = try await Self.tool("init", "--dry-run", "--tests", "node", in: folder.folder)
    #expect(
      dry.output == """
        would write Contracts/consumers.schema.json
        would write Contracts/contract.schema.json
        would write Contracts/upstream.schema.json
        would write Contracts/api/upstream.json
        would write Contracts/api/greeting.json
        would write Contracts/consumers.json
        would write .understudy/.gitignore
        would write test/understudy.mjs
        would write test/api.test.mjs

        """)
    #expect(dry.code == 0)
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: folder.folder.path) == ["notes.txt"])
    #expect(try await Self.tool("init", in: folder.folder).code == 0)
    let path = "Contracts/api/greeting.json"
    let written = try Self.text(path, in: folder.folder)
    try folder.write(path, "{}")
    let forced = try await Self.tool("init", "--force", in: folder.folder)
    #expect(forced.output.hasPrefix("wrote Contracts/consumers.schema.json\n"))
    #expect(forced.code == 0)
    #expect(try Self.text(path, in: folder.folder) == written)
  }

  @Test("--force keeps consumers.json, which may declare those of other upstreams")
  func keptConsumers() async throws {
    let folder = try SampleContracts(only: ["notes.txt": ""])
    #expect(try await Self.tool("init", "shop", in: folder.folder).code == 0)
    let consumers = #"{ "mine": { "upstreams": ["shop"], "command": ["true"] } }"#
    try folder.write("Contracts/consumers.json", consumers)
    let forced = try await Self.tool("init", "shop", "--force", in: folder.folder)
    #expect(forced.output.contains("kept Contracts/consumers.json\n"))
    #expect(forced.code == 0)
    #expect(try Self.text("Contracts/consumers.json", in: folder.folder) == consumers)
    let lint = try await Self.tool("lint", in: folder.folder)
    #expect(lint.code == 0, "\(lint.output)")
  }

  @Test("--ci, --tests and --base-url add their files")
  func options() async throws {
    let folder = try SampleContracts(only: ["notes.txt": ""])
    for (runner, files) in [
      ("pytest", ["tests/understudy_pytest.py", "tests/conftest.py", "tests/test_api.py"]),
      ("node", ["test/understudy.mjs", "test/api.test.mjs"]),
      ("swift", ["Tests/ContractTests/APITests.swift"]),
    ] {
      let run = try await Self.tool(
        "init", "a-\(runner)", "--tests", runner, "--ci", "github", "--base-url",
        "https://\(runner).example/api", in: folder.folder)
      for file in files { #expect(run.output.contains("wrote \(file)\n"), "\(run.errors)") }
    }
    let upstream = try Self.text("Contracts/a-node/upstream.json", in: folder.folder)
    #expect(upstream.contains(#""baseURL": "https://node.example/api""#))
    let workflow = try Self.text(".github/workflows/contracts.yml", in: folder.folder)
    #expect(workflow.contains("/understudy/ci/deploy/action@v"))
    #expect(workflow.contains("/understudy/.github/workflows/drift.yml@v"))
    let lint = try await Self.tool("lint", in: folder.folder)
    #expect(lint.code == 0, "\(lint.output)")
  }

  @Test("at run, the pipeline for GitLab passes until a case is live")
  func run() async throws {
    let folder = try SampleContracts(only: ["notes.txt": ""])
    let started = try await Self.tool(
      "init", "api", "--ci", "gitlab", "--base-url", "https://api.example", in: folder.folder)
    #expect(started.code == 0, "\(started.errors)")
    let pipeline = try Self.text(".gitlab/contracts.yml", in: folder.folder)
    let block = try #require(pipeline.split(separator: "    - |\n").last)
      .split(separator: "\n").prefix { $0.hasPrefix("      ") }.joined(separator: "\n")
    let script =
      "set -eo pipefail\nunderstudy() { '\(Checkout.tool.path)' \"$@\"; }\n\(block)\necho on"
    let run = {
      try await offPool { try ProcessRun("/bin/bash", ["-c", script], directory: folder.folder) }
    }
    #expect(try await run().output == "no case has \"live\" yet, so there is nothing to compare\n")
    let path = "Contracts/api/greeting.json"
    try folder.write(
      path,
      try folder.read(path).replacing(#""status": 404,"#, with: #""status": 404, "live": {},"#))
    #expect(try await run().output == "on\n")
    try folder.write(path, "{")
    #expect(try await run().code == 2)
  }

  @Test("what commands leave is out of the repository, except for what is wanted there")
  func ignored() async throws {
    let folder = try SampleContracts(only: ["notes.txt": ""])
    #expect(try await Self.tool("init", in: folder.folder).code == 0)
    let path = ".understudy/.gitignore"
    func kept(_ files: String...) async throws -> [Bool] {
      for file in files where file != path { try folder.write(file, "") }
      let run = try await offPool {
        try ProcessRun(
          "/usr/bin/env", ["git", "status", "--short", "--untracked-files=all"],
          directory: folder.folder)
      }
      #expect(run.code == 0, "\(run.errors)")
      return files.map { run.output.contains("?? \($0)\n") }
    }
    _ = try await offPool {
      try ProcessRun("/usr/bin/env", ["git", "init", "-q"], directory: folder.folder)
    }
    let (history, captures) = (".understudy/drift/history.jsonl", ".understudy/drift/captures/a")
    let reads = ".understudy/reads.json"
    #expect(try await kept(path, history, captures, reads) == [true, false, false, true])
    try folder.write(path, try folder.read(path).replacing("# !", with: "!"))
    #expect(try await kept(path, history, captures, reads) == [true, true, false, true])
  }

  @Test("--from records what an API responds, and the consumer expects it")
  func recorded() async throws {
    let folder = try SampleContracts(only: ["notes.txt": ""])
    let api = try ScriptedUpstream { _ in
      ScriptedUpstream.Message(
        status: 200, [["Content-Type", "application/json"], ["Content-Length", "9"]],
        body: #"{"id": 1}"#)
    }
    let run = try await Self.tool(
      "init", "jokes", "--from", "\(api.url)/random_joke", in: folder.folder)
    #expect(run.output.contains("wrote Contracts/jokes/random-joke.json\n"), "\(run.errors)")
    #expect(run.code == 0)
    let test = try await Self.tool("test", in: folder.folder)
    #expect(test.output.contains("4 checks: 4 passed\n"), "\(test.output)\(test.errors)")
  }

  @Test("--refresh updates copies, shows how, and says so where there are none")
  func refresh() async throws {
    let folder = try SampleContracts(only: ["notes.txt": ""])
    let none = try await Self.tool("init", "--refresh", in: folder.folder)
    #expect(none.errors.contains("no file that \"understudy init\" has copied"))
    #expect(none.code == 2)
    #expect(try await Self.tool("init", in: folder.folder).code == 0)
    let path = "Contracts/consumers.schema.json"
    let new = try Self.text(path, in: folder.folder)
    try new.replacing("\"Consumers\"", with: "\"Users\"")
      .write(to: folder.folder.appending(path: path), atomically: true, encoding: .utf8)
    let run = try await Self.tool("init", "--refresh", in: folder.folder)
    #expect(run.output.contains("-  \"title\": \"Users\",\n+  \"title\": \"Consumers\",\n"))
    #expect(run.output.contains("updated     \(path)\n"))
    #expect(run.output.contains("up to date  Contracts/contract.schema.json\n"))
    #expect(try Self.text(path, in: folder.folder) == new)
  }

  @Test(
    "wrong input is refused before anything is written",
    arguments: [
      (["Shop"], "found \"Shop\" for NAME, expected a name of small letters, digits and dashes"),
      (["--ci", "jenkins"], "found \"jenkins\" for --ci, expected github or gitlab"),
      (["--tests", "rspec"], "found \"rspec\" for --tests, expected swift, pytest or node"),
      (["--base-url", "shop"], "found \"shop\" for --base-url"),
      (
        ["--from", "http://127.0.0.1:1/x", "--tests", "node"],
        "--tests cannot be used with --from: the test is one of the example"
      ),
      (
        ["--refresh", "shop"], "NAME cannot be used with --refresh, which only updates copied files"
      ),
    ])
  func refused(words: [String], message: String) async throws {
    let folder = try SampleContracts(only: ["notes.txt": ""])
    let run = try await offPool {
      try ProcessRun(Checkout.tool.path, ["init"] + words, directory: folder.folder)
    }
    #expect(run.errors.contains(message), "\(run.errors)")
    #expect(run.code == 2)
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: folder.folder.path) == ["notes.txt"])
  }
}

import Foundation
import Testing
import UnderstudyCore

@testable import UnderstudyTool

/// What `understudy import` reads of a folder, and what it says of the rest.
@Suite struct ImportFolderTests {
  private func run(
    _ words: String..., files: [String: String]
  ) async throws -> (output: String, errors: String, code: Int32) {
    let samples = try SampleContracts(only: files)
    let run = try await offPool {
      try ProcessRun(Checkout.tool.path, ["import"] + words, directory: samples.folder)
    }
    return (run.output, run.errors, run.code)
  }

  private static func stub(_ path: String, _ response: String = "") -> String {
    #"{"request": {"method": "GET", "urlPath": "\#(path)"}, "response": {\#(response)}}"#
  }

  @Test("each folder with mappings is an upstream, with the bodies beside it")
  func roots() async throws {
    let run = try await run(
      "tests", "--strict", "--dry-run",
      files: [
        "tests/orders/res/mappings/v1/a.json": Self.stub("/a", #""bodyFileName": "a.json""#),
        "tests/orders/res/__files/a.json": "{{not JSON}}",
        "tests/users/res/mappings/a.json": Self.stub("/a"),
        "tests/users/res/mappings/cut.json": "{\"request\": ",
        "tests/users/res/mappings/ours.json": #"{"request": {}, "cases": {}}"#,
        "tests/users/res/mappings/pact.json": #"{"interactions": []}"#,
        "tests/package.json": "{}", "tests/notes.md": "# Notes",
      ])
    #expect(
      TextDiff.unified(
        """
        orders/a  GET /a
          ok  200
        users/a  GET /a
          ok  200
        left out, because found the end of the text, expected a value for the object opened at 1:1:
          tests/users/res/mappings/cut.json:1:13: tests/users/res/mappings/cut.json
        left out, because found a contract of Understudy, expected a file of another tool:
          tests/users/res/mappings/ours.json: tests/users/res/mappings/ours.json
        left out, because import does not know its format:
          tests/users/res/mappings/pact.json: tests/users/res/mappings/pact.json
        skipped, because it is not in a folder named mappings:
          tests/package.json: tests/package.json
        would write Contracts/orders/upstream.json
        would write Contracts/orders/a.json
        would write Contracts/users/upstream.json
        would write Contracts/users/a.json
        dry run: nothing was written

        """, run.output) == "")
    #expect(run.errors == "")
    #expect(run.code == 1)
  }

  @Test("bodies beside stubs are skipped")
  func bodies() async throws {
    let run = try await run(
      "stubs", "--strict",
      files: [
        "stubs/a.json": Self.stub("/a"), "stubs/body.json": "{{request.id}}",
        "stubs/other.json": "[1, 2]", "stubs/__files/b.json": "{",
      ])
    #expect(run.output.contains("wiremock/a  GET /a\n"))
    #expect(run.output.contains("skipped, because import does not know its format:\n"))
    #expect(run.output.contains("  stubs/body.json:1:2: stubs/body.json\n"))
    #expect(!run.output.contains("__files"))
    #expect(run.code == 0)
  }

  @Test("documents in YAML are read, with references to other files of the folder")
  func documents() async throws {
    let run = try await run(
      "api", "--strict",
      files: [
        "api/specs/pets.yaml": """
        openapi: 3.1.0
        info: { title: Pets, version: "1" }
        paths:
          /pets:
            get:
              responses:
                200:
                  description: All
                  content: { application/json: { schema: { $ref: ../common/pets.yml } } }
        """,
        "api/common/pets.yml": "{ type: array, items: { type: string } }",
      ])
    #expect(run.output.contains("pets/pets  GET /pets\n  ok         200\n"))
    #expect(run.output.contains("  api/common/pets.yml: api/common/pets.yml\n"))
    #expect(run.errors == "")
    #expect(run.code == 0)
  }

  @Test(
    "a contract needs no import",
    arguments: [
      #"{"request": {"method": "GET", "path": "/a"}, "cases": {}}"#,
      #"{"request": {}, "cases": {"ok": {"status": 200}}}"#,
    ], [["a.json"], ["wiremock", "a.json"], ["openapi", "a.json"]])
  func contract(text: String, words: [String]) async throws {
    let samples = try SampleContracts(only: ["a.json": text])
    let run = try await offPool {
      try ProcessRun(Checkout.tool.path, ["import"] + words, directory: samples.folder)
    }
    #expect(
      run.errors == """
        understudy: error: a.json: found a contract of Understudy, expected a file of another tool
          fix: copy it to Contracts/<upstream>/, beside an upstream.json

        """)
    #expect(run.code == 2)
  }

  @Test("what is said of many stubs is said once, with their number")
  func counted() async throws {
    let stubs = (1...5).map {
      Self.stub("/\($0)", #""headers": {"Content-Length": "0"}"#)
    }.joined(separator: ", ")
    let files = ["all.json": "{\"mappings\": [\(stubs)]}"]
    let run = try await run("all.json", files: files)
    #expect(
      run.output.contains("skipped 5 times, because the server frames its responses itself:\n"))
    #expect(run.output.contains("\n  and 2 more; --format json lists them\n"))
    let json = try await self.run("all.json", "--format", "json", files: files)
    #expect(json.output.split(separator: "the server frames its responses itself").count == 2)
    #expect(json.output.contains("\"count\": 5"))
  }
}

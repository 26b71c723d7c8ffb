import Foundation
import Testing
import UnderstudyCore

@testable import UnderstudyTool

/// `understudy import` as users run it, in a folder of its own.
@Suite struct ImportCommandTests {
  private static let entry = #"""
    {"request": {"method": "GET", "url": "https://api.example.com/users?token=s3cr3t-0f-m1ne"},
     "response": {"status": 200, "headers": [], "content": {"mimeType": "application/json", "text": "[1]"}}}
    """#
  private static let failed = #"""
    {"request": {"method": "GET", "url": "https://api.example.com/x"}, "response": {"status": 0}}
    """#
  private static let har = "{\"log\": {\"entries\": [\n\(entry),\n\(failed)\n]}}"

  private func run(
    _ words: String..., files: [String: String] = ["a.har": har]
  ) async throws -> (run: ProcessRun, samples: SampleContracts) {
    let samples = try SampleContracts(only: files)
    return (try await run(words, in: samples), samples)
  }

  private func run(_ words: [String], in samples: SampleContracts) async throws -> ProcessRun {
    let folder = samples.folder
    return try await offPool {
      try ProcessRun(Checkout.tool.path, ["import"] + words, directory: folder)
    }
  }

  private static let notes = """
    left out, because no response came:
      a.har:4:1: GET https://api.example.com/x

    """

  @Test(
    "shows, writes, and changes nothing the second time", arguments: [["a.har"], ["har", "a.har"]])
  func threeTimes(words: [String]) async throws {
    let samples = try SampleContracts(only: ["a.har": Self.har])
    let draft = """
      example/users  GET /users
        ok  200
        not requested by drift, which could not repeat the request: ok
        left out, since it is secret: the value of query.token
      \(Self.notes)
      """
    let shown = try await run(words + ["--dry-run"], in: samples)
    #expect(
      TextDiff.unified(
        draft + """
          would write Contracts/example/upstream.json
          would write Contracts/example/users.json
          dry run: nothing was written

          """, shown.output) == "")
    #expect(!samples.exists("Contracts"))
    let written = try await run(words, in: samples)
    #expect(
      TextDiff.unified(
        draft + """
          wrote Contracts/example/upstream.json
          wrote Contracts/example/users.json

          """, written.output) == "")
    let again = try await run(words, in: samples)
    #expect(TextDiff.unified(Self.notes + "nothing changed\n", again.output) == "")
    #expect([shown.code, written.code, again.code] == [0, 0, 0])
    #expect(shown.errors + written.errors + again.errors == "")
  }

  @Test("a later version of an OpenAPI document adds contracts that lint has nothing against")
  func later() async throws {
    func document(_ more: String) -> String {
      """
      { "openapi": "3.0.3", "info": { "title": "Pets", "version": "1" },
        "servers": [{ "url": "https://pets.example" }],
        "paths": { "/pets": { "get": { "responses": { "200": { "description": "All" } } } }\(more) } }
      """
    }
    let samples = try SampleContracts(only: [
      "a.json": document(""),
      "b.json": document(
        #", "/owners": { "post": { "responses": { "201": { "description": "Made" } } } }"#),
    ])
    for file in ["a.json", "b.json"] {
      #expect(try await run([file], in: samples).code == 0)
      #expect(CommandLineRun(words: ["lint", samples.folder.path + "/Contracts"]).code == .pass)
    }
    #expect(try await run(["b.json"], in: samples).output == "nothing changed\n")
  }

  @Test("--strict exits with 1 if something was left out, and writes the rest")
  func strict() async throws {
    let (run, samples) = try await run("a.har", "--strict")
    #expect(run.code == 1)
    #expect(samples.exists("Contracts/example/users.json"))
    let sound = "{\"log\": {\"entries\": [\(Self.entry)]}}"
    #expect(try await self.run("b.har", "--strict", files: ["b.har": sound]).run.code == 0)
  }

  @Test("prints the same as one object for programs")
  func json() async throws {
    let (run, _) = try await run("a.har", "--dry-run", "--format", "json")
    #expect(
      TextDiff.unified(
        """
        {
          "written": false,
          "drafts": [
            {
              "contract": "example/users",
              "method": "GET",
              "path": "/users",
              "fate": "new",
              "cases": [
                {
                  "case": "ok",
                  "status": 200
                }
              ],
              "remarks": [
                "not requested by drift, which could not repeat the request: ok",
                "left out, since it is secret: the value of query.token"
              ]
            }
          ],
          "changes": [
            {
              "file": "Contracts/example/upstream.json",
              "change": "write"
            },
            {
              "file": "Contracts/example/users.json",
              "change": "write"
            }
          ],
          "notes": [
            {
              "kind": "leftOut",
              "reason": "no response came",
              "count": 1,
              "places": [
                {
                  "file": "a.har",
                  "line": 4,
                  "column": 1,
                  "pointer": "/log/entries/1",
                  "subject": "GET https://api.example.com/x"
                }
              ]
            },
            {
              "kind": "masked",
              "reason": "it is secret",
              "count": 1,
              "places": [
                {
                  "file": "a.har",
                  "line": 2,
                  "column": 1,
                  "pointer": "/log/entries/0",
                  "subject": "example/users: query.token"
                }
              ]
            }
          ]
        }

        """, run.output) == "")
    #expect(run.code == 0)
  }

  @Test(
    "says in one message what is wrong, and writes nothing",
    arguments: [
      (
        ["none.har"],
        """
        understudy: error: cannot read none.har: no such file or directory
          fix: check the spelling, and the folder you are in

        """
      ),
      (
        ["folder"],
        """
        understudy: error: folder: no stub mappings, HAR or OpenAPI document
          fix: name a file, or a folder of stub mappings

        """
      ),
      (
        ["har"],
        """
        understudy: error: missing FILE after "har", expected a path
          fix: write understudy import har FILE, or ./har if that is the file

        """
      ),
      (
        ["a.har", "cut.har"],
        """
        understudy: error: cut.har:1:9: found the end of the text, expected a value for \
        the object opened at 1:1
          fix: export it again, completely, as JSON in UTF-8

        """
      ),
      (
        ["a.har", "--upstream", "../elsewhere"],
        """
        understudy: error: found "../elsewhere" for --upstream, expected a name of lower-case \
        letters, digits and dashes, or NAME=URL

        """
      ),
    ])
  func broken(words: [String], message: String) async throws {
    let samples = try SampleContracts(
      only: ["a.har": Self.har, "cut.har": "{\"log\": ", "folder/x": ""])
    let run = try await run(words, in: samples)
    #expect(TextDiff.unified(message, run.errors) == "")
    #expect(run.output == "")
    #expect(run.code == 2)
    #expect(!samples.exists("Contracts"))
  }
}

extension SampleContracts {
  fileprivate func exists(_ path: String) -> Bool {
    FileManager.default.fileExists(atPath: folder.appendingPathComponent(path).path)
  }
}

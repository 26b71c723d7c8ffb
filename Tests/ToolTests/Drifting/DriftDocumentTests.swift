import Foundation
import Testing
import UnderstudyCore
import UnderstudyJSON

@testable import UnderstudyTool

/// `understudy drift --against` as users get it, in a process of its own.
@Suite struct DriftDocumentTests {
  private static let document = """
    {
      "openapi": "3.1.0",
      "servers": [{ "url": "https://official-joke-api.appspot.com" }],
      "paths": {
        "/random_joke": {
          "get": {
            "responses": {
              "200": { "content": { "application/json": { "schema": {
                "type": "object",
                "required": ["type", "setup", "id"],
                "properties": {
                  "type": { "type": "string" },
                  "setup": { "type": "string" },
                  "punchline": { "type": "string" },
                  "id": { "type": "integer" }
                } } } } }
            }
          }
        },
        "/jokes/{id}": { "get": { "responses": { "200": {
          "content": { "application/json": {} } } } } },
        "/jokes": { "get": { "responses": { "200": {} } } }
      }
    }
    """

  private static func contracts(_ document: String = document) throws -> ShippedContracts {
    let contracts = try ShippedContracts()
    try Data(document.utf8).write(to: contracts.folder.appendingPathComponent("openapi.json"))
    return contracts
  }

  @Test("finds nothing right after an import, whatever requests the document forbids")
  func imported() throws {
    let document = #"""
      {"openapi": "3.1.0", "info": {"title": "Pets", "version": "1"},
       "servers": [{"url": "https://api.pets.example"}],
       "paths": {"/pets": {"post": {
         "parameters": [{"name": "page", "in": "query", "required": true, "schema": {"type": "integer"}}],
         "requestBody": {"required": true, "content": {"application/json": {"schema": {"type": "object"}}}},
         "responses": {"200": {"description": "done", "content": {"application/json": {"schema": {"type": "object"}}}}}}}}}
      """#
    let samples = try SampleContracts(only: ["pets.json": document])
    let path = samples.folder.appendingPathComponent("pets.json").path
    let into = samples.folder.appendingPathComponent("Contracts").path
    let imported = CommandLineRun(words: ["import", path, "--contracts", into])
    #expect(imported.output.contains("  invalid-body  400\n"), "\(imported.output)")
    let drift = CommandLineRun(words: ["drift", "--against", path, "--contracts", into])
    #expect(drift.code == .pass, "\(drift.output)\(drift.errors)")
    #expect(drift.output.contains("1 check: 1 passed"), "\(drift.output)")
  }

  @Test("shows what a document would break, for people")
  func text() async throws {
    let contracts = try Self.contracts()
    let run = try await contracts.run([
      "drift", "joke/random-joke#ok", "--against", "openapi.json",
    ])
    let output = """
      broken consumers
        jokes.random by joke/random-joke#ok: schema-field-removed at /punchline

      failed joke/random-joke#ok
        Contracts/joke/random-joke.json:22:21: error: missing "punchline", read by jokes.random (see \
      openapi.json:14:28) [schema-field-removed]
          at /punchline
          | -"punchline": "It gets jalapeño face."
          fix: make jokes.random handle it first, or correct openapi.json, or accept it with a reason
        owner: the official_joke_api project on GitHub

      failed joke/random-joke#ok, jokes.random
        Contracts/joke/random-joke.json:31:25: error: found the error invalidData (1:1: found object \
      with 3 members, expected a member "punchline"), expected a value (see openapi.json:8:18) \
      [consumer-broken]
          fix: make jokes.random handle such a response, ask the official_joke_api project on \
      GitHub to revert the change, or accept it with a reason
        owner: the official_joke_api project on GitHub

      showcase drift joke/random-joke#ok --against openapi.json 0.1.0, TIME
      2 checks: 2 failed
      coverage: 2 of 2

      """
    #expect(TextDiff.unified(output, run.timelessOutput) == "")
    #expect(run.errors == "")
    #expect(run.code == 1)
    // Neither responses nor history.
    let rest = contracts.folder.appendingPathComponent(".understudy").path
    #expect(!FileManager.default.fileExists(atPath: rest))
  }

  @Test("shows it for programs, and passes where nothing that is read has changed")
  func json() async throws {
    let document = Self.document.replacing(
      #""setup", "id"]"#, with: #""setup", "punchline", "id"]"#
    ).replacing(#"{id}": { "get": {"#, with: #"{id}": { "get": { "deprecated": true,"#)
    let contracts = try Self.contracts(document)
    let words = ["drift", "joke", "--against", "joke=openapi.json", "--format", "json"]
    let run = try await contracts.run(words)
    #expect(run.code == 0)
    let root = try JSONDocument(parsing: Array(run.output.utf8)).root
    let checks = try #require(root["checks"]?.elements)
    let found = checks.flatMap { $0["findings"].map { Array($0.elements) } ?? [] }
      .filter { $0["severity"]?.string == "warning" }
    #expect(found.contains { $0["type"]?.string == "deprecated" })
    let own = root["findings"]?.elements.map { $0["type"]?.string } ?? []
    #expect(own == ["status-undocumented", "operation-added"])
    let strict = try await contracts.run(words + ["--fail-on", "warning"])
    #expect(strict.code == 1)
  }

  @Test("every report can be written", arguments: ["junit", "sarif", "html", "markdown", "tap"])
  func reports(kind: String) async throws {
    let contracts = try Self.contracts()
    let run = try await contracts.run([
      "drift", "joke", "--against", "openapi.json", "--report", "\(kind)=report",
    ])
    #expect(run.code == 1)
    #expect(try contracts.read("report").contains("schema-field-removed"))
  }

  @Test(
    "refuses what it cannot do",
    arguments: [
      (
        ["--against", "openapi.json", "--update"],
        """
        --update cannot be used with --against, which sends no requests and changes no files
          fix: leave one of them out
        """
      ),
      (
        ["--against", "openapi.json", "--base-url", "joke=http://127.0.0.1:1"],
        """
        --base-url cannot be used with --against, which sends no requests and changes no files
          fix: leave one of them out
        """
      ),
      (
        ["--against", "openapi.json", "--certificate-days", "30"],
        """
        --certificate-days cannot be used with --against, which sends no requests and changes no files
          fix: leave one of them out
        """
      ),
      (
        ["--against", "jok=openapi.json"],
        """
        unknown upstream "jok" in --against
          fix: did you mean "joke"?
        """
      ),
      (
        ["--against", "openapi.json", "--against", "joke=./openapi.json"],
        """
        --against joke is given twice, as "openapi.json" and "./openapi.json"
          fix: keep one of them
        """
      ),
      (
        ["--against", "joke="],
        """
        found "joke=" for --against, expected the path of an OpenAPI document, or NAME=PATH
        """
      ),
      (
        ["--against", "missing.json"],
        """
        cannot read missing.json: no such file or directory
          fix: check the spelling, and the folder you are in
        """
      ),
      (
        ["--against", "elsewhere.json"],
        """
        elsewhere.json: no upstream whose "baseURL" is the first server of the document; \
        known: dog-ceo, dog-ceo-images, dogpatch, github, joke, restaurants
          fix: name it: --against dog-ceo=elsewhere.json
        """
      ),
      (
        ["--against", "swagger.json"],
        """
        swagger.json:1:14: found Swagger 2.0, expected OpenAPI 3.0 or 3.1
          fix: convert it first, for example with swagger2openapi or at editor.swagger.io
        """
      ),
      (
        ["--against", "object.json"],
        """
        object.json: no openapi, expected a version such as 3.0.3 or 3.1.0
          fix: is it an OpenAPI document? Its first key is "openapi": "3.1.0"
        """
      ),
      (
        ["--against", "reference.json"],
        """
        reference.json:1:50: this reference cannot be followed: its $ref "#/nowhere" points to nothing
          fix: write what it means into the document, or into a file beside it
        """
      ),
    ])
  func refusals(words: [String], errors: String) async throws {
    let contracts = try Self.contracts()
    for (name, text) in [
      ("elsewhere", #"{ "openapi": "3.1.0" }"#), ("swagger", #"{ "swagger": "2.0" }"#),
      ("object", "{}"),
      ("reference", ##"{ "openapi": "3.1.0", "paths": { "/a": { "$ref": "#/nowhere" } } }"##),
    ] {
      try Data(text.utf8).write(to: contracts.folder.appendingPathComponent("\(name).json"))
    }
    let run = try await contracts.run(["drift"] + words)
    #expect(TextDiff.unified("understudy: error: \(errors)\n", run.errors) == "")
    #expect(run.code == 2)
  }
}

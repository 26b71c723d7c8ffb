import Foundation
import Testing
import UnderstudyConsumers
import UnderstudyContractModel
import UnderstudyCore
import UnderstudyDrift
import UnderstudyFindings
import UnderstudyInterchange

/// Contracts that were imported from a document say what it says.
@Suite struct ImportedDocumentTests {
  private static let folder = "no-such-folder"

  private static func report(_ bytes: [UInt8]) async throws -> Report? {
    let document = try ForeignDocument(reading: bytes, file: "openapi.json")
    let source = ImportSource(documents: [document])
    var options = ImportOptions(folder: folder, differs: { $0.differs(from: $1, in: $2) })
    options.upstream = ("api", nil)
    let plan = try ImportFormat.plan(source, as: .openapi, options)
    var files: [String: [UInt8]] = [:]
    for case .write(let file) in plan.changes {
      files[String(file.path.dropFirst("\(folder)/".count))] = file.bytes
    }
    guard files.count > 1 else { return nil }
    var session = DocumentSession.Options()
    session.documents = [("api", try DocumentedAPI(document, from: source))]
    return try await DocumentSession(
      ContractLibrary(readingBytes: files), ConsumerRegistry([]), session
    ).report(toolVersion: "1.2.3")
  }

  private static func lines(_ report: Report) -> [String] {
    // A document may say nothing of its responses.
    (report.checks.flatMap(\.findings) + report.findings.filter { $0.type != .nothingExercised })
      .map {
        "\($0.type.rawValue) \($0.message)"
      }
  }

  @Test(
    "a response of any schema is found to be as it was",
    arguments: [
      #"""
      { "type": "array", "items": { "type": "object", "required": ["id"], "properties": {
          "id": { "type": "integer" }, "tag": { "type": ["string", "null"] } } } }
      """#,
      #"{ "type": "object", "additionalProperties": { "type": "integer" } }"#,
      #"""
      { "oneOf": [
          { "type": "object", "required": ["a"], "properties": { "a": { "const": 1 } } },
          { "type": "object", "required": ["b"], "properties": {
              "b": { "type": "string", "format": "uuid" } } }] }
      """#,
      #"""
      { "type": "object", "properties": {
          "kind": { "enum": ["a", "b", null] },
          "at": { "type": "string", "format": "date-time" } } }
      """#,
      ##"{ "$ref": "#/components/schemas/Node" }"##,
      #"""
      { "type": "object", "minProperties": 1, "properties": {
          "a": {}, "b": { "type": "number", "exclusiveMinimum": 0 } } }
      """#,
      #"""
      { "type": "array", "minItems": 1, "prefixItems": [
          { "type": "string" }, { "type": "integer" }] }
      """#,
      "true",
    ])
  func schemas(schema: String) async throws {
    let text = """
      { "openapi": "3.1.0", "paths": {
        "/a/{id}": {
          "parameters": [
            { "name": "id", "in": "path", "required": true, "schema": { "type": "integer" } },
            { "name": "q", "in": "query", "required": true, "schema": { "enum": ["x", "y"] } },
            { "name": "tags", "in": "query", "required": true,
              "schema": { "type": "array", "items": { "type": "string" } } }],
          "post": {
            "requestBody": { "required": true, "content": { "application/json": {
              "schema": \(schema) } } },
            "responses": {
              "200": {
                "headers": { "X-Rate": { "required": true, "schema": { "type": "integer" } } },
                "content": { "application/json": { "schema": \(schema) } } },
              "4XX": { "content": { "text/plain": { "example": "no" } } },
              "default": {} } } } },
        "components": { "schemas": { "Node": {
          "type": "object", "required": ["name"], "properties": {
            "name": { "type": "string" },
            "children": { "type": "array", "items": { "$ref": "#/components/schemas/Node" } },
            "parent": { "$ref": "#/components/schemas/Node" } } } } } }
      """
    let report = try #require(try await Self.report(Array(text.utf8)))
    #expect(Self.lines(report) == [])
    #expect(report.checks.count { $0.result == .pass } >= 3)
  }

  @Test(
    "what a document says beside its schemas is found to be as it was",
    arguments: [
      // Examples that say more than their schema.
      #"""
      "/a": { "get": { "responses": { "200": { "content": { "application/json": {
        "schema": { "type": "object", "required": ["id"], "properties": { "id": { "type": "integer" } } },
        "example": { "id": 1, "more": true, "nested": { "a": 1 } } } } } } } }
      """#,
      #"""
      "/a": { "get": { "responses": { "200": { "content": { "application/json": {
        "schema": { "type": "object", "properties": { "owner": {
          "type": "object", "properties": { "name": { "type": "string" } },
          "example": { "name": "n", "email": "e" } } } } } } } } } }
      """#,
      #"""
      "/a": { "get": { "responses": { "200": { "content": { "application/json": {
        "schema": { "type": "array", "items": {
          "type": "object", "properties": { "id": { "type": "integer" } } } },
        "examples": { "one": { "value": [{ "id": 1, "more": 1 }] } } } } } } } }
      """#,
      // Strings as examples.
      #"""
      "/a": { "get": { "responses": { "200": { "content": { "application/json": {
        "schema": { "type": "object", "properties": { "id": { "type": "integer" } } },
        "example": "{\"id\": 3, \"more\": 2}" } } } } } }
      """#,
      #"""
      "/a": { "get": { "responses": { "200": { "content": { "application/json": {
        "schema": { "type": "object" }, "example": "text" } } } } } }
      """#,
      #"""
      "/a/{id}": { "get": { "parameters": [
          { "name": "id", "in": "path", "required": true, "schema": { "type": "integer" },
            "example": "abc" },
          { "name": "on", "in": "query", "required": true, "example": "soon",
            "schema": { "type": "string", "format": "date" } },
          { "name": "X-H", "in": "header", "required": true, "example": "abc",
            "schema": { "type": "string", "pattern": "^[0-9]+$" } }],
        "responses": { "200": {} } } }
      """#,
      // Types, security and failures.
      #"""
      "/a": { "patch": {
        "security": [{ "key": [] }],
        "requestBody": { "content": { "application/merge-patch+json": { "schema": { "type": "object" } } } },
        "responses": {
          "200": { "content": { "application/hal+json": { "schema": { "type": "object" } } } },
          "4XX": {}, "default": { "content": { "application/json": { "schema": {
            "type": "object", "required": ["code"], "properties": { "code": {} } } } } } } } }
      """#,
    ])
  func rest(paths: String) async throws {
    let text = """
      { "openapi": "3.0.3", "servers": [{ "url": "https://api.example/v1" }], "paths": { \(paths) },
        "components": { "securitySchemes": {
          "key": { "type": "apiKey", "in": "header", "name": "X-Key" } } } }
      """
    let report = try #require(try await Self.report(Array(text.utf8)))
    #expect(Self.lines(report) == [])
  }

  private static let examples =
    ProcessInfo.processInfo.environment["UNDERSTUDY_CONFORMANCE"].map {
      URL(fileURLWithPath: $0).appendingPathComponent("openapi-examples")
    }

  @Test(
    "the examples of the OpenAPI Initiative are found to be as they were",
    .enabled(if: examples != nil, "UNDERSTUDY_CONFORMANCE is not set"), arguments: ["v3.0", "v3.1"])
  func published(version: String) async throws {
    let folder = try #require(Self.examples).appendingPathComponent(version)
    let files = try FileManager.default.contentsOfDirectory(atPath: folder.path)
      .filter { $0.hasSuffix(".json") }
    #expect(!files.isEmpty)
    for file in files {
      let bytes = try Data(contentsOf: folder.appendingPathComponent(file))
      let report = try await Self.report(Array(bytes))
      #expect(report.map(Self.lines) ?? [] == [], "\(file)")
    }
  }
}

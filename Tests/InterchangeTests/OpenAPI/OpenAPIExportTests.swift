import Foundation
import Testing
import UnderstudyContractModel
import UnderstudyCore
import UnderstudyJSON
import UnderstudyTestSupport

@testable import UnderstudyInterchange

struct OpenAPIExportTests {
  @Test("writes conditions as parameters, good cases as examples, and definitions once")
  func document() throws {
    let exported = try Self.exported([
      "things/upstream.json": #"""
      { "summary": "Things", "baseURL": "https://api.example.com/v1", "owner": "the things team",
        "secrets": { "Authorization": "Bearer {UNDERSTUDY_THINGS_TOKEN}" } }
      """#,
      "things/thing.json": ##"""
      {
        "summary": "A thing",
        "request": {
          "method": "GET", "path": "/things/{id}",
          "parameters": {
            "path.id": { "matches": "^[0-9]+$", "example": "7" },
            "query.lang": { "optional": true, "oneOf": ["en", "de"] },
            "query.*": { "absent": true }, "header.Accept": "application/json"
          }
        },
        "cases": {
          "ok": {
            "status": 200, "headers": { "Content-Type": "application/json", "ETag": "\"1\"" }, "body": { "id": 7 },
            "schema": { "$ref": "#/$defs/Thing", "$defs": { "Thing": { "properties": { "next": { "$ref": "#/$defs/Thing" } } } } }
          },
          "other": { "like": "ok", "summary": "Another", "body": { "id": 8 } },
          "not-found": { "status": 404, "text": "no" },
          "slow": { "like": "ok", "delay": { "fixed": "1s" } }
        }
      }
      """##,
    ])
    let root = try #require(exported.json.root)
    let origin = try #require(
      JSONPointer(parsing: "/paths/~1things~1{id}/get/x-understudy").flatMap(root.value))
    var draft = JSONDraft(of: root)
    try draft.remove(origin.pointer)
    try draft.remove(JSONPointer(["x-understudy"]))
    let text = try JSONDocument(parsing: draft.bytes).root.laidOut()
    let expected = ##"""
      {
        "openapi": "3.1.0",
        "info": { "title": "Things", "version": "1", "contact": { "name": "the things team" } },
        "servers": [{ "url": "https://api.example.com/v1" }],
        "security": [{ "token": [] }],
        "paths": {
          "/things/{id}": {
            "get": {
              "operationId": "thing",
              "summary": "A thing",
              "parameters": [
                {
                  "name": "id",
                  "in": "path",
                  "required": true,
                  "schema": { "type": "string", "pattern": "^[0-9]+$" },
                  "example": "7"
                },
                { "name": "lang", "in": "query", "schema": { "type": "string", "enum": ["en", "de"] } }
              ],
              "responses": {
                "200": {
                  "description": "Another",
                  "headers": { "ETag": { "schema": { "type": "string" }, "example": "\"1\"" } },
                  "content": {
                    "application/json": {
                      "schema": { "$ref": "#/components/schemas/Thing" },
                      "examples": {
                        "ok": { "value": { "id": 7 } },
                        "other": { "summary": "Another", "value": { "id": 8 } }
                      }
                    }
                  }
                },
                "404": {
                  "description": "not-found",
                  "content": { "text/plain": { "examples": { "not-found": { "value": "no" } } } }
                }
              }
            }
          }
        },
        "components": {
          "schemas": { "Thing": { "properties": { "next": { "$ref": "#/components/schemas/Thing" } } } },
          "securitySchemes": { "token": { "type": "http", "scheme": "bearer" } }
        }
      }
      """##
    #expect(TextDiff.unified(expected, text) == "")
  }

  @Test(
    "importing an export gives our own contracts back",
    arguments: ["dog-ceo", "dog-ceo-images", "dogpatch", "github", "joke", "restaurants"])
  func ours(upstream: String) throws {
    let tests = try #require(#filePath.range(of: "/Tests/"))
    let library = try ContractLibrary.load([
      "\(#filePath[..<tests.lowerBound])/Contracts/\(upstream)"
    ])
    let original = try #require(library.upstreams.first)
    let export = OpenAPIExport(original)
    #expect(export.operationCount == original.contracts.count)
    let made = try Self.imported(export.json)
    for contract in original.contracts {
      let again = try #require(made.first { $0.path.hasSuffix("/\(contract.name).json") })
      #expect(try JSONDocument(parsing: again.bytes).root.compact == contract.source.compact)
    }
  }

  @Test(
    "what was changed in the document is imported from it",
    arguments: [
      ("A thing", "A changed thing"), ("\"id\": 7", "\"id\": 9"), ("/things/{id}", "/stuff/{id}"),
    ])
  func change(old: String, new: String) throws {
    let library = ["api/upstream.json": "{}", "api/thing.json": Self.contract]
    let export = try Self.exported(library)
    let text = try #require(export.json.root).laidOut()
    let end = try #require(text.range(of: "\"x-understudy\""))
    let changed = text[..<end.lowerBound].replacing(old, with: new) + text[end.lowerBound...]
    #expect(try Self.cases(of: text).contains("\"limited\""))
    #expect(try !Self.cases(of: String(changed)).contains("\"limited\""))
  }

  @Test("contracts for the same requests are one operation, and come back as they were")
  func sameRequests() throws {
    let other = Self.contract.replacing(
      "\"path\": \"/things/{id}\"",
      with: #""path": "/things/{key}", "parameters": { "query.full": "yes" }"#)
    let export = try Self.exported([
      "api/upstream.json": "{}", "api/thing.json": Self.contract, "api/thing-full.json": other,
    ])
    #expect(export.operationCount == 1)
    let root = try #require(export.json.root)
    let operation = try #require(root["paths"]?["/things/{id}"]?["get"])
    #expect(operation["parameters"]?.elements.compactMap { $0["name"]?.string } == ["id", "full"])
    let examples = operation["responses"]?["200"]?["content"]?["application/json"]?["examples"]
    #expect(examples?.members.map(\.key) == ["thing-ok", "thing-full-ok"])
    #expect(
      try Set(Self.imported(export.json).map(\.path)) == [
        "none/api/upstream.json", "none/api/thing.json", "none/api/thing-full.json",
      ])
  }

  @Test(
    "an origin that leads elsewhere is ignored",
    arguments: [
      (#""name": "thing""#, #""name": "../thing""#), (#""name": "thing""#, #""name": "upstream""#),
    ])
  func escape(was: String, claim: String) throws {
    let text = try #require(
      Self.exported(["api/upstream.json": "{}", "api/thing.json": Self.contract]).json.root
    ).laidOut()
    let document = try ForeignDocument(
      reading: Array(text.replacing(was, with: claim).utf8), file: "a.json")
    let plan = try ImportFormat.plan(
      ImportSource(documents: [document]), as: .openapi, Self.options)
    #expect(
      plan.changes.map(\.path).sorted() == ["none/api/thing.json", "none/api/upstream.json"])
  }

  private static let contract = #"""
    {
      "summary": "A thing", "request": { "method": "GET", "path": "/things/{id}" },
      "cases": {
        "ok": { "status": 200, "body": { "id": 7 } },
        "limited": { "status": 429, "when": { "count": { "above": 3 } }, "delay": { "fixed": "1s" } }
      }
    }
    """#

  private static var options: ImportOptions {
    var options = ImportOptions(folder: "none", differs: { _, _, _ in false })
    options.upstream = ("api", nil)
    return options
  }

  private static func exported(_ files: [String: String]) throws -> OpenAPIExport {
    let library = ContractLibrary(reading: files)
    #expect(library.findings.filter { $0.severity == .error }.map(\.message) == [])
    return OpenAPIExport(try #require(library.upstreams.first))
  }

  /// The files of an import beside the consumers that our contracts name.
  private static func imported(_ json: JSONText) throws -> [(path: String, bytes: [UInt8])] {
    let document = try ForeignDocument(reading: json.bytes, file: "api.json")
    var operations: [(path: String, bytes: [UInt8])] = []
    let description = try OpenAPIDescription(document, from: ImportSource(documents: [document]))
    let schemas = OpenAPIOrigin.digest(ofSchemas: document.root["components"]?["schemas"])
    for (path, item) in description.root["paths"]?.members ?? [] {
      for (method, node) in item.members {
        let operation = try OpenAPIOperation(
          method.uppercased(), path, node, of: [item], in: description)
        let origin = try #require(OpenAPIOrigin(of: operation, schemas: schemas))
        operations += origin.originals.map { ("none/api/\($0.name).json", $0.text.bytes) }
      }
    }
    return operations + [("none/api/upstream.json", [])]
  }

  /// The cases of the contract that an import makes.
  private static func cases(of text: String) throws -> String {
    let document = try ForeignDocument(reading: Array(text.utf8), file: "api.json")
    let plan = try ImportFormat.plan(
      ImportSource(documents: [document]), as: .openapi, options)
    return plan.changes.compactMap { change in
      if case .write(let file) = change, file.path.hasSuffix("thing.json") {
        return String(decoding: file.bytes, as: UTF8.self)
      }
      return nil
    }.joined()
  }
}

import Testing
import UnderstudyCore
import UnderstudyJSON

@testable import UnderstudyInterchange

/// What a document says of an API, to be compared with contracts.
@Suite struct DocumentedAPITests {
  private static func api(
    _ text: String, others: [String: String] = [:]
  ) throws -> DocumentedAPI {
    let document = try ForeignDocument(reading: Array(text.utf8), file: "api/api.json")
    let source = ImportSource(
      documents: [document],
      reading: { path, folder throws(Failure) in
        guard let text = others[path] else {
          throw Failure(message: "cannot read \(folder)/\(path): no such file", fix: nil)
        }
        return Array(text.utf8)
      })
    return try DocumentedAPI(document, from: source)
  }

  private static func document(_ operation: String, others: String = "") -> String {
    #"{ "openapi": "3.1.0", "paths": { "/a": { "get": \#(operation) } }\#(others) }"#
  }

  @Test(
    "a response is found by its status, then by its range, then as the default",
    arguments: [
      (200, "200"), (201, "2XX"), (404, "404"), (410, "4xx"), (500, "default"),
    ])
  func responses(status: Int, key: String) throws {
    let api = try Self.api(
      Self.document(
        #"{ "responses": { "2XX": {}, "200": {}, "404": {}, "4xx": {}, "default": {} } }"#))
    #expect(api.operations.first?.response(for: status)?.key == key)
  }

  @Test("a status that the operation does not have has no response")
  func missing() throws {
    let api = try Self.api(Self.document(#"{ "responses": { "200": {}, "4XX": {} } }"#))
    #expect(api.operations.first?.response(for: 500) == nil)
    #expect(api.operations.first?.statuses.map(\.key) == ["200", "4XX"])
  }

  @Test(
    "knows where it is and what its paths come after",
    arguments: [
      ("[]", nil, nil), (#"[{ "url": "/" }]"#, nil, ""), (#"[{ "url": "/v1/" }]"#, nil, "/v1"),
      (#"[{ "url": "https://a.example/v1/" }]"#, "https://a.example/v1", "/v1"),
      (#"[{ "url": "v1" }]"#, nil, nil), ("[{}]", nil, nil), (#"[{ "url": 7 }]"#, nil, nil),
    ] as [(String, String?, String?)])
  func servers(servers: String, baseURL: String?, basePath: String?) throws {
    let api = try Self.api(Self.document("{}", others: #", "servers": \#(servers)"#))
    #expect(api.baseURL?.text == baseURL)
    #expect(api.basePath == basePath)
  }

  /// A document with this member, beneath which a reference leads nowhere.
  private static func followed(_ key: String, _ inner: String) -> String? {
    let text = Self.document(
      "{}", others: #", "components": { "\#(key)": { "\#(inner)": { "$ref": "none.json" } } }"#)
    let failure = #expect(throws: (any Error).self) {
      _ = try Self.api(text)
      throw Followed()
    }
    return (failure as? Failure)?.message
  }

  private struct Followed: Error {}

  @Test("references are followed below names, whatever these are, and not in data")
  func references() {
    let maps = """
      $defs callbacks content definitions dependentSchemas encoding headers links mapping parameters \
      pathItems paths patternProperties properties requestBodies responses schemas securitySchemes \
      variables webhooks
      """
    let data = ["example", "examples", "default", "enum", "const", "x-own"]
    let message = "cannot read api/none.json: no such file"
    for key in maps.split(separator: " ").map(String.init) {
      for name in data + ["other"] {
        #expect(Self.followed(key, name) == message, "\(key) \(name)")
      }
    }
    for key in ["other", "propertie", "items"] {
      for name in data { #expect(Self.followed(key, name) == nil, "\(key) \(name)") }
      #expect(Self.followed(key, "schema") == message)
    }
  }

  @Test(
    "says on which line a value of a body is described, or what is around it",
    arguments: [
      ("", "api/api.json:2:57"), ("/id", "api/api.json:4:11"), ("/list", "api/api.json:5:13"),
      ("/list/3", "api/api.json:5:24"), ("/list/3/name", "api/api.json:6:48"),
      ("/other", "api/api.json:3:37"), ("/id/deeper", "api/api.json:4:11"),
    ])
  func places(pointer: String, place: String) throws {
    let api = try Self.api(
      """
      { "openapi": "3.1.0", "paths": { "/a": { "get": { "responses": {
        "200": { "content": { "application/json": { "schema": { "$ref": "#/components/schemas/A" } } } } } } } },
        "components": { "schemas": { "A": { "properties": {
          "id": { "type": "integer" },
          "list": { "items": { "$ref": "#/components/schemas/B" } } } },
          "B": { "allOf": [{ "properties": { "name": { "type": "string" } } }] } } } }
      """)
    let content = try #require(try api.operations.first?.response(for: 200)?.contents().first)
    let parsed = try #require(JSONPointer(parsing: pointer))
    #expect(content.schema?.place(of: parsed).description == place)
  }

  @Test("tells examples from bodies that were made")
  func examples() throws {
    let api = try Self.api(
      Self.document(
        """
        { "responses": {
          "200": { "content": { "application/json": { "schema": { "type": "integer" } } } },
          "201": { "content": { "application/json": {
            "schema": { "type": "integer" }, "examples": {
              "a": { "value": 3 }, "b": { "value": "x" } } } } },
          "202": { "content": { "application/json": {} } },
          "203": { "content": { "text/plain": { "example": "hello" } } } } }
        """))
    let operation = try #require(api.operations.first)
    func content(_ status: Int) throws -> DocumentedResponse.Content {
      try #require(try operation.response(for: status)?.contents().first)
    }
    #expect(try content(200).examples.isEmpty)
    #expect(try content(200).schema != nil)
    // One that breaks its own schema is none.
    #expect(try content(201).examples == [.int(3)])
    #expect(try content(202).examples.isEmpty)
    #expect(try content(202).schema == nil)
    #expect(try content(203).text == "hello")
  }

  @Test(
    "a reference that cannot be followed is a failure, wherever it is",
    arguments: [
      (
        ##"{ "parameters": [{ "$ref": "#/p" }] }"##,
        ##"its $ref "#/p" points to nothing"##
      ),
      (
        ##"{ "responses": { "200": { "$ref": "https://a.example/r.json" } } }"##,
        "a $ref to another host is not followed"
      ),
      (
        ##"{ "responses": { "200": { "$ref": "r.json#/R" } } }"##,
        ##"its $ref "#/none" points to nothing"##
      ),
    ])
  func references(operation: String, reason: String) throws {
    let failure = #expect(throws: Failure.self) {
      try Self.api(
        Self.document(operation), others: ["r.json": ##"{ "R": { "$ref": "#/none" } }"##])
    }
    #expect(failure?.message == "this reference cannot be followed: \(reason)")
  }

  @Test("a missing file is a failure, and data that looks like a reference is none")
  func files() throws {
    let failure = #expect(throws: Failure.self) {
      try Self.api(Self.document(##"{ "responses": { "200": { "$ref": "s.json" } } }"##))
    }
    #expect(failure?.message == "cannot read api/s.json: no such file")
    _ = try Self.api(
      Self.document(
        ##"""
        { "x-a": { "$ref": "#/p" }, "responses": { "200": { "content": { "application/json": {
          "example": { "$ref": "#/p" } } } } } }
        """##))
  }
}

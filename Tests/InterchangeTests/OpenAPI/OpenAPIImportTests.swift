import Testing
import UnderstudyCore
import UnderstudyJSON
import UnderstudyTestSupport

@testable import UnderstudyInterchange

struct OpenAPIImportTests {
  @Test("an operation becomes a contract")
  func contract() throws {
    let imported = try ImportedDocument(
      OpenAPI.document(
        """
        "/pets/{petId}": {
          "parameters": [{"name": "petId", "in": "path", "required": true, "schema": {"type": "integer", "example": 7}}],
          "get": {
            "operationId": "getPetById", "summary": "One pet", "deprecated": true,
            "parameters": [
              {"name": "fields", "in": "query", "schema": {"type": "string"}},
              {"name": "lang", "in": "query", "required": true, "schema": {"enum": ["en", "de"]}},
              {"name": "X-Trace", "in": "header", "required": true, "example": "abc"}],
            "responses": {
              "default": {"description": "It broke", "content": {"application/problem+json": {"schema": {"$ref": "#/components/schemas/Problem"}}}},
              "404": {"$ref": "#/components/responses/Missing"},
              "401": {"$ref": "#/components/responses/Missing"},
              "200": {"description": "The pet", "headers": {"X-Rate": {"schema": {"type": "integer"}}},
                "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Pet"},
                  "examples": {"a cat": {"summary": "A cat", "value": {"id": 1, "tags": ["x"]}}, "dog": {"value": {"id": 2, "tags": []}}}}}}}}}
        """,
        more: """
          "components": {
            "schemas": {
              "Pet": {"type": "object", "required": ["id"], "properties": {"id": {"type": "integer", "format": "int64"}, "tags": {"type": "array", "items": {"type": "string"}}}},
              "Problem": {"type": "object", "properties": {"title": {"type": "string"}}}},
            "responses": {"Missing": {"description": "None", "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Problem"}}}}}}
          """))
    try imported.expect(
      "pets-example/get-pet-by-id.json",
      """
      {
        "summary": "One pet (deprecated)",
        "request": {
          "method": "GET",
          "path": "/pets/{petId}",
          "parameters": {
            "path.petId": { "example": "7" },
            "query.fields": { "optional": true },
            "query.lang": { "optional": true, "example": "en" },
            "header.X-Trace": { "optional": true, "example": "abc" }
          }
        },
        "cases": {
          "a-cat": {
            "summary": "A cat",
            "status": 200,
            "headers": { "Content-Type": "application/json", "X-Rate": "1" },
            "body": { "id": 1, "tags": ["x"] },
            "schema": {
              "$ref": "#/$defs/Pet",
              "$defs": {
                "Pet": {
                  "type": "object",
                  "required": ["id"],
                  "properties": {
                    "id": { "type": "integer", "format": "int64" },
                    "tags": { "type": "array", "items": { "type": "string" } }
                  }
                }
              }
            },
            "live": {}
          },
          "dog": { "like": "a-cat", "body": { "id": 2, "tags": [] } },
          "unauthorized": {
            "status": 401,
            "headers": { "Content-Type": "application/json" },
            "body": { "title": "title" },
            "schema": {
              "$ref": "#/$defs/Problem",
              "$defs": {
                "Problem": { "type": "object", "properties": { "title": { "type": "string" } } }
              }
            }
          },
          "not-found": { "like": "unauthorized", "status": 404 },
          "server-error": {
            "status": 500,
            "headers": { "Content-Type": "application/problem+json" },
            "body": { "title": "title" },
            "schema": {
              "$ref": "#/$defs/Problem",
              "$defs": {
                "Problem": { "type": "object", "properties": { "title": { "type": "string" } } }
              }
            }
          },
          "invalid-petid": {
            "like": "server-error",
            "status": 400,
            "summary": "The path parameter petId is not an integer",
            "when": {
              "request": { "path.petId": { "not": { "matches": "^-?[0-9]+$" }, "example": "x" } }
            }
          },
          "invalid-lang": {
            "like": "server-error",
            "status": 400,
            "summary": "The query parameter lang is missing, or not one of en, de",
            "when": {
              "request": { "query.lang": { "not": { "oneOf": ["en", "de"] }, "example": "x" } }
            }
          },
          "without-x-trace": {
            "like": "server-error",
            "status": 400,
            "summary": "The header parameter X-Trace is missing",
            "when": { "request": { "header.X-Trace": { "absent": true } } }
          },
          "empty": { "like": "a-cat", "body": { "id": 1, "tags": [] } },
          "cut-short": { "like": "a-cat", "malform": { "truncateAt": 10 } },
          "slow": { "like": "a-cat", "delay": { "fixed": "2s" } },
          "reset": { "fault": "CONNECTION_RESET_BY_PEER" }
        }
      }

      """)
    try imported.expect(
      "pets-example/upstream.json",
      """
      {
        "summary": "Pets",
        "baseURL": "https://api.pets.example/v1"
      }

      """)
    #expect(imported.complaints == [])
    #expect(imported.plan.drafts.map(\.remarks) == [["default: served as 500"]])
  }

  @Test(
    "a schema becomes one of draft 2020-12, and a body that it allows",
    arguments: [
      (
        "3.0.3", #"{"type": "string", "nullable": true, "enum": ["a"], "example": "a"}"#,
        #"{"type":["string","null"],"enum":["a",null],"examples":["a"]}"#, #""a""#
      ),
      (
        "3.0.3", ##"{"nullable": true, "allOf": [{"$ref": "#/components/schemas/Id"}]}"##,
        ##"{"anyOf":[{"allOf":[{"$ref":"#/$defs/Id"}]},{"type":"null"}],"$defs":{"Id":{"type":"integer"}}}"##,
        "1"
      ),
      (
        "3.0.3",
        #"{"type": "integer", "minimum": 3, "exclusiveMinimum": true, "exclusiveMaximum": false, "maximum": 9}"#,
        #"{"type":"integer","maximum":9,"exclusiveMinimum":3}"#, "4"
      ),
      (
        "3.0.3", ##"{"$ref": "#/components/schemas/Id", "description": "ignored beside it"}"##,
        ##"{"$ref":"#/$defs/Id","$defs":{"Id":{"type":"integer"}}}"##, "1"
      ),
      (
        "3.1.0", ##"{"$ref": "#/components/schemas/Id", "minimum": 7}"##,
        ##"{"$ref":"#/$defs/Id","minimum":7,"$defs":{"Id":{"type":"integer"}}}"##, "7"
      ),
      (
        "3.1.0",
        #"{"type": "object", "required": ["a", "b"], "xml": {"name": "x"}, "properties": {"a": {"type": "string", "writeOnly": true}, "b": {"type": "boolean", "readOnly": true}}}"#,
        #"{"type":"object","required":["b"],"properties":{"b":{"type":"boolean"}}}"#, #"{"b":true}"#
      ),
      (
        "3.1.0",
        #"{"allOf": [{"properties": {"a": {"writeOnly": true}, "b": {"const": 1}}}, {"required": ["a", "b"]}]}"#,
        #"{"allOf":[{"properties":{"b":{"const":1}}},{"required":["b"]}]}"#, #"{"b":1}"#
      ),
      (
        "3.1.0",
        #"{"properties": {"n": {"type": "string", "format": "date", "maxLength": 3}, "b": {"const": 1}}}"#,
        nil, #"{"b":1}"#
      ),
      (
        "3.1.0",
        #"{"properties": {"n": {"type": "integer", "minimum": -1, "multipleOf": 9000000000000000000}}}"#,
        nil, #"{"n":0}"#
      ),
      (
        "3.1.0", #"{"type": "string", "format": "phone", "pattern": "^[\\w\\-]+$"}"#,
        #"{"type":"string","pattern":"^[\\w\\-]+$"}"#, #""a""#
      ),
      (
        "3.1.0", ##"{"$ref": "#/components/schemas/Node"}"##,
        ##"{"$ref":"#/$defs/Node","$defs":{"Node":{"type":"object","properties":{"next":{"$ref":"#/$defs/Node"},"id":{"type":"string","format":"uuid"}}}}}"##,
        #"{"id":"00000000-0000-4000-8000-000000000001"}"#
      ),
      (
        "3.1.0",
        ##"{"oneOf": [{"$ref": "#/components/schemas/Cat"}, {"$ref": "#/components/schemas/Dog"}], "discriminator": {"propertyName": "kind", "mapping": {"cat": "#/components/schemas/Cat"}}}"##,
        nil, #"{"kind":"cat","meows":true}"#
      ),
      // Every value of the first is one of the second, too.
      (
        "3.1.0", #"{"oneOf": [{"type": "object"}, {"properties": {}}]}"#,
        #"{"anyOf":[{"type":"object"},{"properties":{}}]}"#, "{}"
      ),
      ("3.1.0", "true", "true", "{}"),
    ])
  func schema(version: String, written: String, schema: String?, body: String) throws {
    let imported = try ImportedDocument(
      OpenAPI.responding(
        written, version: version,
        more: """
          "components": {"schemas": {
            "Id": {"type": "integer"},
            "Node": {"type": "object", "properties": {"next": {"$ref": "#/components/schemas/Node"}, "id": {"type": "string", "format": "uuid"}}},
            "Cat": {"type": "object", "required": ["kind"], "properties": {"kind": {"type": "string"}, "meows": {"type": "boolean"}}},
            "Dog": {"type": "object", "required": ["kind", "barks"], "properties": {"kind": {"type": "string"}, "barks": {"type": "boolean"}}}}}
          """))
    #expect(imported.complaints == [])
    if let schema {
      #expect(try imported.json("pets-example/thing.json", "/cases/ok/schema") == schema)
    }
    #expect(try imported.json("pets-example/thing.json", "/cases/ok/body") == body)
  }

  @Test(
    "what a contract cannot say is reported with its place",
    arguments: [
      (
        #""/a/{x}.json": {"get": {}}"#,
        [
          "3:35 leftOut GET /a/{x}.json: found segment \"{x}.json\" in path \"/a/{x}.json\", expected a parameter such as {id}"
        ]
      ),
      (
        #""/a": {"trace": {}, "get": {}}"#,
        ["3:28 leftOut TRACE /a: a contract has no method TRACE"]
      ),
      (
        #""/{a}": {"get": {}}, "/{b}": {"get": {}}"#,
        ["3:49 leftOut GET /{b}: the same requests have the path /{a}"]
      ),
      (
        #""/a": {"GET": {}}"#,
        [
          "3:26 leftOut GET /a: methods are written in lower case: get",
          "1:1 leftOut paths: the document has no operations",
        ]
      ),
      (
        #""/a": {"get": 7, "post": {"parameters": {}, "responses": {"201": "x"}}}"#,
        [
          "3:26 leftOut GET /a: an operation is number 7, not an object",
          "3:52 leftOut POST /a: its parameters are object with 0 members, not a list",
          "3:77 leftOut POST /a: a response is string \"x\", not an object",
        ]
      ),
      (
        #""/a": {"get": {"callbacks": {"c": {}}}}"#, ["3:40 leftOut GET /a: no callbacks are sent"]
      ),
      (
        #""/a": {"get": {"responses": {"100": {}, "200": {}}}}"#,
        ["3:48 leftOut GET /a: no case can have the status 100"]
      ),
      (
        ##""/a": {"get": {"responses": {"200": {"$ref": "#/nowhere"}}}}"##,
        ["3:48 leftOut GET /a: its $ref \"#/nowhere\" points to nothing"]
      ),
      (
        #""/a": {"get": {"responses": {"200": {"$ref": "https://example.com/a.yaml"}}}}"#,
        ["3:48 leftOut GET /a: a $ref to another host is not followed"]
      ),
      (
        #""/a": {"get": {"parameters": [{"name": "c", "in": "cookie"}]}}"#,
        ["3:42 leftOut GET /a: a cookie is not a parameter of a contract"]
      ),
      (
        #""/a": {"get": {"responses": {"200": {"content": {"application/json": {"schema": {"type": "string", "pattern": "(?>a)"}}}}}}}"#,
        ["3:122 widened GET /a: its pattern \"(?>a)\" is not supported"]
      ),
      (
        #""/a": {"get": {"responses": {"200": {"content": {"application/json": {"schema": {"type": "strng"}}}}}}}"#,
        ["3:101 widened GET /a: found string \"strng\" for \"type\" in a schema"]
      ),
      (
        #""/a": {"get": {"responses": {"200": {"content": {"application/json": {"schema": {"type": "integer"}, "example": "one"}}}}}}"#,
        [
          "3:124 leftOut GET /a: an example is not what its schema allows: found string \"one\", expected integer"
        ]
      ),
      (
        #""/a": {"get": {"responses": {"200": {"content": {"application/xml": {"schema": {"type": "object"}}}}}}}"#,
        ["3:80 leftOut GET /a: application/xml has no example as text"]
      ),
    ])
  func note(paths: String, expected: [String]) throws {
    let imported = try ImportedDocument(OpenAPI.document(paths))
    #expect(
      imported.plan.notes.map { note in
        "\(note.place.position.map(String.init(describing:)) ?? "-") \(note.kind) \(note.subject): \(note.reason)"
      } == expected)
    #expect(imported.complaints == [])
  }

  @Test(
    "a document that cannot be read is one message",
    arguments: [
      (
        #"{"swagger": "2.0"}"#, "api.json:1:13: found Swagger 2.0, expected OpenAPI 3.0 or 3.1",
        "convert it first, for example with swagger2openapi or at editor.swagger.io"
      ),
      (
        #"{"openapi": "4.0.0"}"#,
        "api.json:1:13: found string \"4.0.0\" for openapi, expected a version such as 3.0.3 or 3.1.0",
        "change it to the version whose rules the document follows"
      ),
      (
        #"{"openapi": "3.1.0", "paths": []}"#,
        "api.json:1:31: found array with 0 elements for paths, expected an object of paths", nil
      ),
      (
        OpenAPI.document(##""/a": {"$ref": "#/paths/~1b"}, "/b": {"$ref": "#/paths/~1a"}"##),
        "api.json:3:27: $ref \"#/paths/~1b\" leads back to itself",
        "write what is meant in one of the places of the circle"
      ),
      (
        OpenAPI.responding(
          ##"{"$ref": "#/components/schemas/A"}"##,
          more: ##""components": {"schemas": {"A": {"$ref": "#/components/schemas/A"}}}"##),
        "api.json:2:96: $ref \"#/components/schemas/A\" leads back to itself",
        "write what is meant in one of the places of the circle"
      ),
      (
        OpenAPI.responding(#"{"$ref": "../secret.json"}"#),
        "api.json:4:44: $ref to ../secret.json points outside .",
        "import the folder around all of its files, in place of the document"
      ),
      (
        OpenAPI.responding(#"{"$ref": "none.json#/A"}"#), "api.json:4:44: no file none.json",
        nil
      ),
    ])
  func failure(text: String, message: String, fix: String?) throws {
    let failure = try #require(throws: Failure.self) { try ImportedDocument(text) }
    #expect(failure.place.map { "\($0): \(failure.message)" } ?? failure.message == message)
    #expect(failure.fix == fix)
  }
}

import Testing
import UnderstudyContractModel
import UnderstudyCore
import UnderstudyFakeServer
import UnderstudyJSON

@testable import UnderstudyInterchange

/// Requests that a document forbids, and what they get.
@Suite struct OpenAPIRefusalTests {
  private static let document = OpenAPI.document(
    #"""
    "/pets/{id}": {"post": {"operationId": "pet",
      "parameters": [
        {"name": "id", "in": "path", "required": true, "schema": {"type": "integer"}},
        {"name": "lang", "in": "query", "required": true, "schema": {"enum": ["en", "de"]}},
        {"name": "page", "in": "query", "schema": {"type": "integer"}},
        {"name": "X-Trace", "in": "header", "required": true}],
      "requestBody": {"required": true, "content": {"application/json": {"schema":
        {"type": "object", "required": ["name"], "properties": {"name": {"type": "string"}}}}}},
      "responses": {"200": {"description": "done"}}}}
    """#)

  /// `400 The query parameter page is not an integer`, or the status alone.
  private static func response(
    _ target: String, _ headers: [HeaderField], _ body: String, of library: ContractLibrary
  ) -> String {
    let request = Request(
      "POST", "/pets-example/v1\(target)", headers: headers, body: Array(body.utf8))
    guard case .serves(let served, _, _) = Prediction(of: request, in: library.index) else {
      return "miss"
    }
    let detail = (try? JSONDocument(parsing: served.bodyBytes))?.root["detail"]?.string
    return ([served.status.map(String.init), detail].compactMap(\.self)).joined(separator: " ")
  }

  @Test(
    "a request gets 400 with what is wrong",
    arguments: [
      ("/pets/1?lang=en", true, #"{"name": "a"}"#, "200"),
      ("/pets/1?lang=en&page=-2", true, #"{"name": "a"}"#, "200"),
      ("/pets/a?lang=en", true, #"{"name": "a"}"#, "400 The path parameter id is not an integer"),
      (
        "/pets/1", true, #"{"name": "a"}"#,
        "400 The query parameter lang is missing, or not one of en, de"
      ),
      (
        "/pets/1?lang=fr", true, #"{"name": "a"}"#,
        "400 The query parameter lang is missing, or not one of en, de"
      ),
      (
        "/pets/1?lang=en&page=x", true, #"{"name": "a"}"#,
        "400 The query parameter page is not an integer"
      ),
      (
        "/pets/1?lang=en", false, #"{"name": "a"}"#, "400 The header parameter X-Trace is missing"
      ),
      (
        "/pets/1?lang=en", true, #"{"name": 1}"#,
        "400 The body is missing, or not the JSON that its schema allows"
      ),
      (
        "/pets/1?lang=en", true, "",
        "400 The body is missing, or not the JSON that its schema allows"
      ),
    ])
  func refused(target: String, isTraced: Bool, body: String, expected: String) throws {
    let imported = try ImportedDocument(Self.document)
    #expect(imported.complaints == [])
    let headers = isTraced ? [HeaderField(name: "x-trace", value: "1")] : []
    #expect(Self.response(target, headers, body, of: imported.library) == expected)
  }

  @Test("--lenient responses them as others")
  func lenient() throws {
    let stage = try ImportStage()
    let plan = try stage.write(Self.document) { $0.isLenient = true }
    #expect(plan.drafts.first?.cases.map(\.name) == ["ok", "slow", "reset"])
    #expect(Self.response("/pets/a", [], "", of: try stage.library()) == "200")
  }

  @Test(
    "the document's own response for wrong requests is the response",
    arguments: [
      (#""400": {}, "422": {}"#, #"{"like":"bad-request""#),
      (#""422": {}"#, #"{"like":"invalid""#),
      (#""4XX": {}"#, #"{"like":"bad-request""#),
      (#""default": {}"#, #"{"like":"server-error","status":400"#),
      (
        "", #"{"summary":"The query parameter p is not true or false""#
      ),
    ])
  func documented(responses: String, start: String) throws {
    let more = responses.isEmpty ? "" : ", \(responses)"
    let imported = try ImportedDocument(
      OpenAPI.document(
        #"""
        "/a": {"get": {"parameters": [{"name": "p", "in": "query", "schema": {"type": "boolean"}}],
          "responses": {"200": {"description": "done"}\#(more)}}}
        """#))
    let found = try #require(try imported.json("pets-example/a.json", "/cases/invalid-p"))
    #expect(found.hasPrefix(start), "\(found)")
    #expect(imported.complaints == [])
  }

  @Test(
    "what a parameter or a body must be",
    arguments: [
      (
        #""parameters": [{"name": "p", "in": "query", "schema": {"type": "string", "pattern": "^a$"}}]"#,
        #"{"query.p":{"not":{"matches":"^a$"},"optional":false,"example":"x"}}"#
      ),
      (
        ##""parameters": [{"name": "p", "in": "header", "required": true, "schema": {"$ref": "#/components/schemas/N"}}]"##,
        ##"{"header.p":{"not":{"matches":"^-?[0-9]+(\\.[0-9]+)?([eE][+-]?[0-9]+)?$"},"example":"x"}}"##
      ),
      (
        #""parameters": [{"name": "p", "in": "query", "required": true, "schema": {"type": "array", "minItems": 1, "items": {}}}]"#,
        #"{"query.p":{"absent":true}}"#
      ),
      (
        #""requestBody": {"content": {"application/json": {"schema": {"type": "array"}}}}"#,
        #"{"body":[{"not":{"text":""}},{"not":{"schema":{"type":"array"}},"example":{}}]}"#
      ),
      (
        #""requestBody": {"required": true, "content": {"application/json": {"schema": {"type": "array"}}, "text/csv": {}}}"#,
        #"{"header.Content-Type":{"matches":"[jJ][sS][oO][nN]"},"body":{"not":{"schema":{"type":"array"}},"example":{}}}"#
      ),
      (
        #""requestBody": {"required": true, "content": {"text/csv": {}}}"#,
        #"{"body":{"text":""}}"#
      ),
      // What is sent otherwise, or need not be sent.
      (
        #""parameters": [{"name": "p", "in": "query", "required": true, "schema": {"type": "object", "properties": {"a": {}}}}]"#,
        nil
      ),
      (
        #""parameters": [{"name": "p", "in": "query", "required": true, "style": "deepObject"}]"#,
        nil
      ),
      (
        #""parameters": [{"name": "p", "in": "query", "required": true, "schema": {"type": "array", "items": {}}}]"#,
        nil
      ),
      (
        #""parameters": [{"name": "p", "in": "query", "schema": {"type": "integer"}, "allowEmptyValue": true}]"#,
        nil
      ),
      (
        #""parameters": [{"name": "p", "in": "query", "schema": {"type": ["integer", "null"]}}]"#,
        nil
      ),
      (#""parameters": [{"name": "p", "in": "query", "schema": {"type": "string"}}]"#, nil),
      (#""requestBody": {"content": {"text/csv": {}}}"#, nil),
    ])
  func rule(request: String, expected: String?) throws {
    let imported = try ImportedDocument(
      OpenAPI.document(
        #""/a": {"post": {"operationId": "a", \#(request), "responses": {"200": {"description": "x"}}}}"#,
        more: #""components": {"schemas": {"N": {"type": "number"}}}"#))
    let cases = try #require(imported.library.contracts.first).cases
    let found = cases.lazy.compactMap { $0.source["when"]?["request"] }.first
    #expect(found.map { String(decoding: $0.compact, as: UTF8.self) } == expected)
    #expect(imported.complaints == [])
    #expect((cases.first { $0.source["when"] != nil }?.refusal != nil) == (expected != nil))
  }

  @Test("an example that its own schema forbids is not refused, and that is said")
  func wrongExample() throws {
    let imported = try ImportedDocument(
      OpenAPI.document(
        #"""
        "/a": {"get": {"parameters":
          [{"name": "p", "in": "query", "required": true, "example": "x", "schema": {"type": "integer"}}]}}
        """#))
    #expect(
      imported.plan.lines == ["widened GET /a: an example is not what its schema allows"])
    #expect(
      try imported.json("pets-example/a.json", "/cases/without-p/when")
        == #"{"request":{"query.p":{"absent":true}}}"#)
    #expect(imported.complaints == [])
  }

  @Test("a response in another type does not hide what is wrong")
  func order() throws {
    let imported = try ImportedDocument(
      OpenAPI.document(
        #"""
        "/a": {"get": {"parameters": [{"name": "p", "in": "query", "required": true}],
          "responses": {"200": {"content": {"application/json": {}, "text/csv": {"example": "a"}}}}}}
        """#))
    let names = try #require(imported.library.contracts.first).cases.map(\.name)
    #expect(names.prefix(3) == ["ok", "without-p", "ok-text-csv"])
  }

  @Test("an export has what is required, and the schemas")
  func exported() throws {
    let imported = try ImportedDocument(Self.document)
    let upstream = try #require(imported.library.upstreams.first)
    let root = try #require(OpenAPIExport(upstream).json.root)
    let operation = try #require(root["paths"]?["/pets/{id}"]?["post"])
    func text(_ value: JSONValue?) -> String {
      String(decoding: value?.compact ?? [], as: UTF8.self)
    }
    #expect(
      operation["parameters"]?.elements.map(text) == [
        #"{"name":"id","in":"path","required":true,"schema":{"type":"integer"},"example":"1"}"#,
        #"{"name":"lang","in":"query","required":true,"schema":{"type":"string","enum":["en","de"]},"example":"en"}"#,
        #"{"name":"page","in":"query","schema":{"type":"integer"}}"#,
        #"{"name":"X-Trace","in":"header","required":true,"schema":{"type":"string"},"example":"X-Trace"}"#,
      ])
    #expect(
      text(operation["requestBody"])
        == #"{"required":true,"content":{"application/json":{"schema":{"type":"object","required":["name"],"properties":{"name":{"type":"string"}}},"example":{"name":"name"}}}}"#
    )
  }
}

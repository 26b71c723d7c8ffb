import Testing
import UnderstudyCore
import UnderstudyJSON
import UnderstudyTestSupport

@testable import UnderstudyInterchange

/// What becomes of single parts of a document.
struct OpenAPIRuleTests {
  @Test("references lead to other files of the folder")
  func files() throws {
    let imported = try ImportedDocument(
      OpenAPI.document(##""/pets": {"$ref": "paths/pets.json#/item"}"##), named: "api/v1/pets.json",
      others: [
        "paths/pets.json":
          ##"{"item": {"get": {"responses": {"200": {"content": {"application/json": {"schema": {"$ref": "../schemas/pet.json#/Pet"}}}}}}}}"##,
        "schemas/pet.json":
          ##"{"Pet": {"properties": {"owner": {"$ref": "#/Owner"}}}, "Owner": {"const": "me"}}"##,
      ])
    #expect(try imported.json("pets-example/pets.json", "/cases/ok/body") == #"{"owner":"me"}"#)
    #expect(
      try imported.json("pets-example/pets.json", "/cases/ok/schema")
        == ##"{"$ref":"#/$defs/Pet","$defs":{"Pet":{"properties":{"owner":{"$ref":"#/$defs/Owner"}}},"Owner":{"const":"me"}}}"##
    )
  }

  @Test(
    "a schema of any depth is read, and what is below its 200th level is not asked for",
    arguments: [
      (#"{"items": "#, "}"), (#"{"allOf": ["#, "]}"), (#"{"properties": {"a": "#, "}}"),
      (#"{"patternProperties": {"a": "#, "}}"), (#"{"prefixItems": ["#, "]}"),
    ])
  func depth(start: String, end: String) throws {
    for (depth, notes) in [(199, []), (200, ["its schema has more than 200 levels"])] {
      let schema =
        String(repeating: start, count: depth) + "{}" + String(repeating: end, count: depth)
      let imported = try ImportedDocument(OpenAPI.responding(schema))
      #expect(imported.plan.notes.map(\.reason) == notes, "\(depth)")
    }
  }

  @Test(
    "a response in several types is chosen by Accept",
    arguments: [
      ("/default", #"null"#),
      ("/cases/ok/body", #"{"a":1}"#),
      (
        "/cases/ok-text-csv",
        #"{"status":200,"headers":{"Content-Type":"text/csv"},"text":"a,b","when":{"request":{"header.Accept":{"matches":"^text\\/csv"}}}}"#
      ),
      ("/cases/ok-image-png/base64", #""ZXhhbXBsZQ==""#),
    ])
  func types(pointer: String, expected: String) throws {
    let imported = try ImportedDocument(
      OpenAPI.document(
        #""/a": {"get": {"responses": {"200": {"content": {"text/csv": {"example": "a,b"}, "application/json": {"example": {"a": 1}}, "image/*": {}}}}}}"#
      ))
    #expect(try imported.json("pets-example/a.json", pointer) ?? "null" == expected)
    #expect(imported.complaints == [])
  }

  @Test("headers that carry secrets come from the environment")
  func security() throws {
    let imported = try ImportedDocument(
      OpenAPI.document(
        #""/a": {"get": {}}"#,
        more: #"""
          "components": {"securitySchemes": {
            "key": {"type": "apiKey", "in": "header", "name": "X-Key"}, "sso": {"type": "oauth2"},
            "query": {"type": "apiKey", "in": "query", "name": "key"}}}
          """#))
    #expect(
      try imported.json("pets-example/upstream.json", "/secrets")
        == #"{"X-Key":{"value":"{UNDERSTUDY_PETS_EXAMPLE_KEY}","optional":true},"Authorization":{"value":"Bearer {UNDERSTUDY_PETS_EXAMPLE_SSO}","optional":true}}"#
    )
    #expect(
      imported.plan.lines == ["leftOut query: only headers can carry secrets to the live API"])
    #expect(imported.complaints == [])
  }

  @Test(
    "responses without a body have none",
    arguments: [
      (
        "head", #""200": {"content": {"text/csv": {}}}"#,
        #"{"status":200,"headers":{"Content-Type":"text/csv"}}"#
      ),
      ("get", #""204": {"content": {"text/csv": {}}}"#, #"{"status":204,"live":{}}"#),
      ("post", #""201": {"description": "made"}"#, #"{"status":201}"#),
      ("get", "", #"{"status":200}"#),
    ])
  func noBody(method: String, responses: String, expected: String) throws {
    let imported = try ImportedDocument(
      OpenAPI.document(#""/a": {"\#(method)": {"operationId": "a", "responses": {\#(responses)}}}"#)
    )
    let cases = try #require(imported.library.contracts.first).cases
    #expect(String(decoding: cases[0].source.compact, as: UTF8.self) == expected)
    #expect(imported.complaints == [])
  }

  @Test("a named example that its schema does not allow is left out, and one is made")
  func invalidExample() throws {
    let imported = try ImportedDocument(
      OpenAPI.document(
        #"""
        "/a": {"get": {"responses": {"200": {"content": {"application/json": {
          "schema": {"type": "integer"},
          "examples": {"one": {"value": 7}, "two": {"value": "x"}, "three": {"value": 9}}}}}}}}
        """#))
    #expect(
      imported.plan.lines == [
        "leftOut GET /a: an example is not what its schema allows: found string \"x\", expected integer"
      ])
    let bodies = try ["one", "two", "three"].map {
      try imported.json("pets-example/a.json", "/cases/\($0)/body")
    }
    #expect(bodies == ["7", "1", "9"])
    #expect(imported.complaints == [])
  }

  @Test("each document of a folder gets its own upstream")
  func documents() throws {
    let texts = ["cats", "dogs"].map {
      OpenAPI.document(#""/\#($0)": {"get": {}}"#).replacing("pets", with: $0)
    }
    let stage = try ImportStage()
    let plan = try stage.plan(texts[0], texts[1])
    #expect(plan.drafts.map(\.id) == ["cats-example/cats", "dogs-example/dogs"])
    let same = try #require(throws: Failure.self) { try stage.plan(texts[0], texts[0]) }
    #expect(same.message == "cats-example is in 1.har, too")
    let one = try #require(throws: Failure.self) {
      let documents = try texts.map {
        try ForeignDocument(reading: Array($0.utf8), file: "a.json")
      }
      var options = ImportOptions(folder: stage.folder, differs: { _, _, _ in false })
      options.upstream = ("pets", nil)
      return try ImportFormat.plan(ImportSource(documents: documents), as: nil, options)
    }
    #expect(one.message == "found 2 OpenAPI documents for one upstream, expected one")
    let har = #"{"log": {"entries": []}}"#
    for (first, second, names) in [
      (texts[0], har, "har, another is openapi"), (har, texts[0], "openapi, another is har"),
    ] {
      let mixed = try #require(throws: Failure.self) { try stage.plan(first, second) }
      #expect(mixed.message == "this document is \(names)")
      #expect(mixed.fix == "import them one format at a time")
    }
  }

  @Test("an upstream of another host with the guessed name is left alone")
  func takenName() throws {
    let stage = try ImportStage()
    let text = OpenAPI.document(#""/a": {"get": {}}"#)
    try stage.write(text.replacing("api.pets.example/v1", with: "www.pets.example"))
    try stage.write(text)
    #expect(try stage.library().upstreams.map(\.name) == ["api-pets-example", "pets-example"])
    #expect(
      try stage.library().upstreams.map { $0.baseURL?.description }
        == ["https://api.pets.example/v1", "https://www.pets.example"])
    #expect(try stage.plan(text).changes.isEmpty)
  }

  @Test("two upstreams do not get one host")
  func sameHost() throws {
    let stage = try ImportStage()
    let text = OpenAPI.document(#""/a": {"get": {}}"#)
    try stage.write(text)
    let failure = try #require(throws: Failure.self) {
      try stage.write(text) { $0.upstream = ("other", nil) }
    }
    #expect(
      failure.message == """
        cannot write \(stage.folder)/other: \(stage.folder)/pets-example/upstream.json: other already \
        uses host "api.pets.example/v1"
        """)
    #expect(failure.fix == "name the upstream to import into with --upstream")
    #expect(try stage.library().upstreams.map(\.name) == ["pets-example"])
    // Importing it again changes nothing.
    #expect(try stage.plan(text).changes.isEmpty)
    let changed = text.replacing(#""/a""#, with: #""/b""#)
    #expect(try stage.plan(changed).changes.map(\.path) == ["\(stage.folder)/pets-example/b.json"])
  }

  @Test(
    "names in a document may begin with x-",
    arguments: [
      ("/cases/x-one/body", "1"), ("/cases/x-one/headers/x-next", #""7""#),
    ])
  func extensions(pointer: String, expected: String) throws {
    let imported = try ImportedDocument(
      OpenAPI.document(
        #"""
        "/a": {"x-note": 1, "get": {"responses": {"x-why": 2, "200": {
          "headers": {"x-next": {"schema": {"const": 7}}},
          "content": {"application/json": {"examples": {"x-one": {"value": 1}}}}}}}}
        """#))
    #expect(try imported.json("pets-example/a.json", pointer) == expected)
    #expect(imported.plan.lines == [])
  }

  @Test("a contract that responds to the same requests stays, and is said")
  func rivals() throws {
    let stage = try ImportStage()
    try stage.write(OpenAPI.document(#""/a/{id}": {"get": {"operationId": "first"}}"#))
    let plan = try stage.plan(
      OpenAPI.document(#""/a/{key}": {"get": {"operationId": "second"}}, "/b": {"get": {}}"#))
    #expect(plan.changes.map(\.path) == ["\(stage.folder)/pets-example/b.json"])
    #expect(
      plan.lines == [
        "leftOut GET /a/{key}: pets-example/first responds to the same requests"
      ])
  }

  @Test("lists are sent as the style of their parameter says")
  func lists() throws {
    let parameters = ["path", "query", "header"].map {
      #"{"name": "\#($0)s", "in": "\#($0)", "required": true, "example": [1, 2]}"#
    }.joined(separator: ", ")
    let imported = try ImportedDocument(
      OpenAPI.document(#""/a/{paths}": {"get": {"parameters": [\#(parameters)]}}"#))
    #expect(
      try imported.json("pets-example/a-paths.json", "/request/parameters")
        == #"{"path.paths":{"example":"1,2"},"query.querys":{"optional":true,"example":["1","2"]},"header.headers":{"optional":true,"example":"1,2"}}"#
    )
    #expect(imported.complaints == [])
  }
}

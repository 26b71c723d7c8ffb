import Testing
import UnderstudyDrift
import UnderstudyFindings

/// What a document says beside its responses: servers, security, deprecation, media types.
@Suite struct DocumentRuleTests {
  /// Without the places in the document.
  private static func lines(_ stage: DocumentStage) async throws -> [String] {
    try await stage.lines().map {
      String($0.prefix(upTo: $0.firstRange(of: " (see ")?.lowerBound ?? $0.endIndex))
    }
  }

  @Test(
    "a server with another path has moved",
    arguments: [
      (
        #"{ "url": "https://jokes.example/v2" }"#,
        [
          "error server-moved found the server https://jokes.example/v2, expected the path of"
            + " https://jokes.example, which is the address of joke"
        ]
      ),
      (
        #"{ "url": "https://staging.example/v2" }"#,
        [
          "warning server-moved found the server https://staging.example/v2, expected the path of"
            + " https://jokes.example, which is the address of joke"
        ]
      ),
      (
        #"{ "url": "/v2" }"#,
        [
          "error server-moved found the server /v2, expected the path of https://jokes.example, which is"
            + " the address of joke"
        ]
      ),
      (#"{ "url": "https://jokes.example/v2" }, { "url": "https://jokes.example" }"#, []),
      (#"{ "url": "https://staging.example" }"#, []), (#"{ "url": "/" }"#, []), ("", []),
    ] as [(String, [String])])
  func servers(servers: String, lines: [String]) async throws {
    let stage = DocumentStage(reading: .all).changed(
      #"{ "url": "https://jokes.example" }"#, servers)
    #expect(try await Self.lines(stage) == lines)
  }

  private static let schemes = #"""
    "components": { "securitySchemes": {
      "key": { "type": "apiKey", "in": "header", "name": "X-Key" },
      "token": { "type": "http", "scheme": "bearer" },
      "cookie": { "type": "apiKey", "in": "cookie", "name": "session" },
      "query": { "type": "apiKey", "in": "query", "name": "k" },
      "certificate": { "type": "mutualTLS" } },
    """#

  @Test(
    "a request that lacks what security now requires is refused, whoever sends it",
    arguments: [
      (#"[{ "key": [] }]"#, #"no header "X-Key", which "security" requires"#),
      (
        #"[{ "key": [] }, { "token": [] }]"#,
        #"no header "X-Key" or header "Authorization", which "security" requires"#
      ),
      ("[]", nil), (#"[{ "key": [] }, {}]"#, nil), (#"[{ "certificate": [] }]"#, nil),
    ] as [(String, String?)])
  func security(security: String, message: String?) async throws {
    let stage = DocumentStage().changed(
      #""components": {"#, "\"security\": \(security), \(Self.schemes)")
    #expect(try await Self.lines(stage) == (message.map { ["error request-invalid \($0)"] } ?? []))
    // That of the operation counts.
    let open = stage.changed(#""get": {"#, #""get": { "security": [],"#)
    #expect(try await Self.lines(open) == [])
    var used = stage
    used.reading = .all
    #expect(
      try await Self.lines(used)
        == (message.map { ["error request-invalid \($0), sent by jokes.random"] } ?? []))
  }

  @Test(
    "a credential may be in the query or in a cookie",
    arguments: [
      (#"[{ "query": [] }]"#, "", #"no query parameter "k", which "security" requires"#),
      (
        #"[{ "cookie": [] }, { "query": [] }]"#,
        #""header.Cookie": { "optional": true, "example": "a=b; sessions=1" },"#,
        #"no cookie "session" or query parameter "k", which "security" requires"#
      ),
      (
        #"[{ "cookie": [] }]"#,
        #""header.Cookie": { "optional": true, "example": "a=b; session=invented" },"#, nil
      ),
      (#"[{ "query": [] }]"#, #""query.k": { "optional": true, "example": "invented" },"#, nil),
    ] as [(String, String, String?)])
  func credentials(security: String, parameter: String, message: String?) async throws {
    var stage = DocumentStage().changed(
      #""components": {"#, "\"security\": \(security), \(Self.schemes)")
    stage.contract = stage.contract.replacing(
      #""parameters": {"#, with: #""parameters": { \#(parameter)"#)
    // Contracts leave such credentials out, so that alone fails no run.
    let expected = message.map { ["warning request-invalid \($0)"] } ?? []
    #expect(try await Self.lines(stage) == expected)
    stage.reading = .all
    // The service sends neither.
    #expect(
      try await Self.lines(stage).contains { $0.hasPrefix("error request-invalid no ") })
  }

  @Test("what is deprecated is a warning to those who use it")
  func deprecated() async throws {
    let operation = DocumentStage().changed(#""get": {"#, #""get": { "deprecated": true,"#)
      .changed(#""in": "query","#, #""in": "query", "deprecated": true,"#)
    #expect(
      try await Self.lines(operation) == [
        "note deprecated GET /random is deprecated",
        #"note deprecated query parameter "count" is deprecated"#,
      ])
    var used = operation
    used.reading = .all
    #expect(
      try await Self.lines(used) == [
        "warning deprecated GET /random is deprecated",
        #"warning deprecated query parameter "count" is deprecated, sent by jokes.random"#,
      ])
  }

  @Test("another JSON type is another content type")
  func mediaType() async throws {
    let stage = DocumentStage().changed(#""application/json": {"#, #""application/hal+json": {"#)
    let message =
      #"header-changed found Content-Type "application/hal+json", expected "application/json""#
    #expect(try await Self.lines(stage) == ["warning \(message)"])
    var both = stage
    both.document = both.document.replacing(
      #""410": {}"#, with: #""410": { "content": { "application/json": {} } }"#)
    #expect(try await Self.lines(both) == ["warning \(message)"])
    var read = stage
    read.reading = .all
    // It reads no headers.
    #expect(try await Self.lines(read) == ["note \(message)"])
  }

  @Test("a success of another status is that, also where a default describes errors")
  func otherSuccess() async throws {
    let stage = DocumentStage().changed(
      #""200": {"#,
      #"""
      "default": { "content": { "application/json": { "schema": {
        "type": "object", "required": ["code"],
        "properties": { "code": { "type": "integer" } } } } } },
      "201": {
      """#)
    #expect(try await Self.lines(stage) == ["error status found status 201, expected 200"])
  }

  @Test("failures that the document does not list are one note")
  func failures() async throws {
    var stage = DocumentStage().changed(#""410": {}"#, #""x-none": {}"#)
    stage.contract = stage.contract.replacing(
      #""gone": { "status": 410 },"#,
      with: #""gone": { "status": 410 }, "busy": { "status": 503 },"#)
    let report = try await stage.report()
    let notes = report.findings.filter { $0.type == .statusUndocumented }
    #expect(
      notes.map(\.message) == [
        "no response for 2 cases of failure: joke/random#gone (410), joke/random#busy (503)"
      ])
    #expect(notes.map(\.severity) == [.note])
    #expect(report.checks.flatMap(\.findings).isEmpty)
    #expect(report.checks.filter { $0.result == .notExercised }.count == 2)
    #expect(report.result == .pass)
  }

  @Test("an example of the document may say more than its schema")
  func example() async throws {
    var stage = DocumentStage()
    stage.contract = stage.contract.replacing(
      #""kind": "old", "#, with: #""kind": "old", "x": 1, "#)
    let missing = #"error schema-field-removed /x missing "x", which the example has"#
    #expect(try await Self.lines(stage) == [missing])
    let shown = stage.changed(
      #""application/json": {"#,
      #"""
      "application/json": {
        "example": { "id": 7, "text": "So.", "kind": "old", "x": 1, "day": "2026-01-31" },
      """#)
    #expect(try await Self.lines(shown) == [])
  }

  @Test("an example of a parameter that breaks the document's own schema is nobody's change")
  func parameterExample() async throws {
    let stage = DocumentStage().changed(
      #""schema": { "type": "integer" }"#, #""schema": { "type": "integer", "maximum": 2 }"#)
    #expect(
      try await Self.lines(stage) == [
        #"error request-invalid query parameter "count": found 3, expected at most 2"#
      ])
    let shown = stage.changed(#""in": "query","#, #""in": "query", "example": 3,"#)
    #expect(try await Self.lines(shown) == [])
  }
}

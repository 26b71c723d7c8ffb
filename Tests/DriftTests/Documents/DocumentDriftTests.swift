import Testing
import UnderstudyCore
import UnderstudyDrift
import UnderstudyFindings

/// Contracts against a document instead of the live API.
@Suite struct DocumentDriftTests {
  @Test("finds nothing in a document that says what the contract says")
  func same() async throws {
    let report = try await DocumentStage(reading: .all).report()
    #expect(
      report.checks.map(\.text) == [
        "pass joke/random#ok", "pass joke/random#ok, jokes.random", "pass joke/random#gone",
      ])
    #expect(report.findings.isEmpty)
    #expect(report.run.command == "understudy drift --against openapi.json")
  }

  @Test(
    "shows what the document allows and the contract does not",
    arguments: [
      (
        #""kind", "day"]"#, #""kind"]"#,
        [#"error schema-field-removed /day missing "day" (see openapi.json:18:14)"#]
      ),
      (
        #""id": { "type": "integer" }"#, #""id": { "type": "number" }"#,
        [
          "error schema-type-changed /id found number 1.5, expected integer"
            + " (see openapi.json:15:13)"
        ]
      ),
      (
        #""text": { "type": "string" }"#, #""text": { "type": ["string", "null"] }"#,
        [
          "error schema-nullability-changed /text found null, expected string"
            + " (see openapi.json:16:15)"
        ]
      ),
      (
        #"["old", "new"]"#, #"["old", "new", "lost"]"#,
        [
          #"warning schema-enum-widened /kind found "lost", expected one of "old", "new""#
            + " (see openapi.json:17:15)"
        ]
      ),
      (
        #""format": "date""#, #""format": "date-time""#,
        [
          #"warning schema-format-changed /day found "2026-01-01T12:00:00Z", expected a date such"#
            + " as 2024-01-31 (see openapi.json:18:14)"
        ]
      ),
      (
        #""id": { "type": "integer" },"#,
        #""id": { "type": "integer" }, "rank": { "type": "integer" },"#,
        [
          #"note schema-field-added /rank the contract does not know "rank""#
            + " (see openapi.json:15:44)"
        ]
      ),
      (
        #""application/json": {"#, #""application/xml": {"#,
        [
          #"error body-unreadable found Content-Type "application/xml", expected"#
            + #" "application/json" (see openapi.json:9:18)"#
        ]
      ),
      (
        #""200": { "content": { "application/json": { "schema": {"#,
        #""200": {}, "299": { "x-content": { "application/json": { "schema": {"#,
        [
          "error body-unreadable no body, expected JSON (see openapi.json:9:18)",
          "note status-added no case has status 299 (see openapi.json:9:29)",
        ]
      ),
      (
        #""200": {"#, #""201": {"#,
        ["error status found status 201, expected 200 (see openapi.json:9:18)"]
      ),
      (
        #""200": {"#, #""404": {"#,
        [
          "error status no response 200, but only 404, 410, for GET /random"
            + " (see openapi.json:5:14)",
          "note status-added no case has status 404 (see openapi.json:9:18)",
        ]
      ),
      (
        #""/random": {"#, #""/other": {"#,
        [
          "error operation-removed no operation GET /random in openapi.json",
          "note operation-added no contract covers GET /other",
        ]
      ),
    ])
  func changes(old: String, new: String, lines: [String]) async throws {
    let stage = DocumentStage().changed(old, new)
    #expect(stage.document != DocumentStage.document)
    let found = try await stage.lines()
    #expect(found == lines)
  }

  @Test("what the document widens without saying what for is not a change")
  func open() async throws {
    for (old, new) in [
      (#"{ "enum": ["old", "new"] }"#, #"{ "type": "string" }"#),
      (#"{ "type": "string", "format": "date" }"#, #"{ "type": "string" }"#),
      (##"{ "schema": {\##n            "$ref": "#/components/schemas/Joke" } }"##, "{}"),
      (#""200": {"#, #""2XX": {"#), (#""200": {"#, #""default": {"#),
      (#""application/json": {"#, #""*/*": {"#),
    ] {
      let stage = DocumentStage(reading: .all).changed(old, new)
      #expect(stage.document != DocumentStage.document)
      #expect(try await stage.lines() == [])
    }
  }

  @Test("a field that the document no longer has is missing, even if the contract needs it not")
  func removed() async throws {
    var stage = DocumentStage().changed(#""kind", "day"]"#, #""kind"]"#)
      .changed(#",\#n      "day": { "type": "string", "format": "date" }"#, "")
    let lines = [#"error schema-field-removed /day missing "day" (see openapi.json:12:40)"#]
    var found = try await stage.lines()
    #expect(found == lines)
    stage.contract = stage.contract.replacing(#""kind", "day"]"#, with: #""kind"]"#)
    found = try await stage.lines()
    #expect(
      found == [
        #"note schema-field-removed /day missing "day", which the example has"#
          + " (see openapi.json:12:40)"
      ])
  }

  @Test("what both leave open is not a change")
  func optional() async throws {
    var stage = DocumentStage().changed(#""kind", "day"]"#, #""kind"]"#)
    stage.contract = stage.contract.replacing(#""kind", "day"]"#, with: #""kind"]"#)
    #expect(try await stage.lines() == [])
  }

  @Test(
    "is as bad as the service that reads it is broken",
    arguments: [
      (DocumentStage.Reading.nobody, "error", "fail"), (.id, "note", "pass"),
      (.lenient, "warning", "pass"), (.all, "error", "fail"),
    ])
  func severity(reading: DocumentStage.Reading, severity: String, result: String) async throws {
    let stage = DocumentStage(reading: reading).changed(
      #""text": { "type": "string" }"#, #""text": { "type": ["string", "null"] }"#)
    let readers = [.lenient, .all].contains(reading) ? ", read by jokes.random" : ""
    #expect(
      try await stage.lines() == [
        "\(severity) schema-nullability-changed /text found null, expected string\(readers)"
          + " (see openapi.json:16:15)"
      ]
        + (reading == .all
          ? [
            "error consumer-broken found the error invalidData, expected a value"
              + " (see openapi.json:9:18)"
          ] : []))
    #expect(try await stage.report().checks.first?.result.rawValue == result)
  }

  @Test("a service is given the contract's values wherever the document allows them")
  func values() async throws {
    // It takes a number only as an integer, and the text only as it is in the contract.
    let stage = DocumentStage(reading: .all).changed(
      #""day": { "type"#, #""rank": { "type": "integer" }, "day": { "type"#)
    let report = try await stage.report()
    #expect(report.checks.map(\.result) == [.pass, .pass, .pass])
  }

  @Test(
    "shows what the contract says and the document does not allow",
    arguments: [
      (
        #""id": { "type": "integer" }"#, #""id": { "type": "integer", "maximum": 5 }"#,
        ["warning example-invalid /id found 7, expected at most 5 (see openapi.json:15:13)"]
      ),
      (
        #""text": { "type": "string" }"#, #""text": { "type": "string", "maxLength": 2 }"#,
        [
          "warning example-invalid /text found \"So.\" of 3 characters, expected at most 2"
            + " (see openapi.json:16:15)"
        ]
      ),
      (
        #""in": "query", "schema": { "type": "integer" }"#,
        #""in": "query", "schema": { "type": "integer", "maximum": 2 }"#,
        [
          #"error request-invalid query parameter "count": found 3, expected at most 2"#
            + " (see openapi.json:7:11)"
        ]
      ),
      (
        #"{ "name": "count""#,
        #"{ "name": "lang", "in": "query", "required": true }, { "name": "count""#,
        [
          #"error request-invalid no query parameter "lang", which is required"#
            + " (see openapi.json:7:11)"
        ]
      ),
      (
        #"{ "name": "count""#,
        #"{ "name": "X-Kind", "in": "header", "required": true }, { "name": "count""#,
        [
          #"error request-invalid no header parameter "X-Kind", which is required"#
            + " (see openapi.json:7:11)"
        ]
      ),
      (
        #""responses": {"#, #""requestBody": { "required": true, "content": {} }, "responses": {"#,
        [
          "error request-invalid no request body, which is required"
            + " (see openapi.json:8:24)"
        ]
      ),
    ])
  func breaches(old: String, new: String, lines: [String]) async throws {
    let found = try await DocumentStage().changed(old, new).lines()
    #expect(found == lines)
  }

  @Test("a request that a service sends and the document does not allow is an error")
  func sent() async throws {
    let stage = DocumentStage(reading: .all).changed(
      #"{ "name": "count""#,
      #"{ "name": "lang", "in": "query", "required": true }, { "name": "count""#)
    #expect(
      try await stage.lines() == [
        #"error request-invalid no query parameter "lang", which is required, sent by"#
          + " jokes.random (see openapi.json:7:11)"
      ])
    var other = stage
    other.target = "/random?count=3&lang=en"
    #expect(
      try await other.lines() == [
        #"warning request-invalid no query parameter "lang", which is required"#
          + " (see openapi.json:7:11)"
      ])
  }

  @Test("an operation that services use and the document does not have is an error")
  func used() async throws {
    let report = try await DocumentStage(reading: .id).changed(#""/random""#, #""/jokes""#).report()
    #expect(
      report.checks.map(\.text) == [
        """
        fail joke/random#ok
          error operation-removed no operation GET /random in openapi.json, used by jokes.random
        """
      ])
  }

  @Test("a body of a request is compared with the document's schema")
  func sentBody() async throws {
    var stage = DocumentStage().changed(
      #""get": {"#,
      ##"""
      "post": { "requestBody": { "content": { "application/json": { "schema": {
        "required": ["name"], "properties": { "age": { "type": "integer" } } } } } },
      """##)
    stage.contract = stage.contract.replacing(#""method": "GET""#, with: #""method": "POST""#)
      .replacing(
        #""parameters": {"#, with: #""body": { "example": { "age": "7" } }, "parameters": {"#)
    let found = try await stage.lines().sorted()
    #expect(
      found == [
        #"error request-invalid request body at /age: found string "7", expected integer"#
          + " (see openapi.json:5:32)",
        #"error request-invalid request body: missing "name" (see openapi.json:5:32)"#,
      ])
  }

  @Test("paths are compared with the bases of both sides, and parameters by their place")
  func paths() async throws {
    var stage = DocumentStage().changed("https://jokes.example", "https://jokes.example/v1")
      .changed(#""/random""#, #""/{kind}/random""#)
    stage.contract = stage.contract.replacing(#""/random""#, with: #""/v1/old/random""#)
    #expect(try await stage.lines() == [])
  }

  @Test("references lead to other files, and a broken one is a failure")
  func references() async throws {
    var stage = DocumentStage().changed("#/components/schemas/Joke", "joke.json#/Joke")
    stage.others["joke.json"] =
      #"{ "Joke": { "type": "object", "properties": { "id": { "type": "string" } } } }"#
    #expect(try await stage.lines().first?.contains("schema-type-changed /id") == true)
    let broken = DocumentStage().changed("schemas/Joke", "schemas/Jok")
    let failure = await #expect(throws: Failure.self) { try await broken.report() }
    #expect(
      failure?.description == """
        openapi.json:10:21: this reference cannot be followed: its $ref "#/components/schemas/Jok" \
        points to nothing
          fix: write what it means into the document, or into a file beside it
        """)
  }

  @Test("accepted drift is shown and does not fail")
  func accepted() async throws {
    var stage = DocumentStage(reading: .nobody, failsOn: .warning).changed(
      #""text": { "type": "string" }"#, #""text": { "type": ["string", "null"] }"#)
    #expect(try await stage.report().result == .fail)
    stage.accepted = try AcceptedDrift(
      parsing: Array(
        """
        [{ "contract": "joke/random", "type": "schema-nullability-changed", "path": "/text",
           "reason": "agreed", "until": "2999-01-01" }]
        """.utf8), file: "accepted.json")
    #expect(try await stage.report().result == .pass)
  }

  @Test("each alternative and each example of the document is tried")
  func alternatives() async throws {
    let stage = DocumentStage().changed(
      #""text": { "type": "string" }"#,
      #""text": { "oneOf": [{ "type": "string" }, { "type": "integer" }] }"#)
    #expect(
      try await stage.lines().first?.contains("schema-type-changed /text found") == true)
    let example = DocumentStage().changed(
      ##""application/json": { "schema": {\##n            "$ref": "#/components/schemas/Joke" }"##,
      #""application/json": { "example": { "id": 7, "text": true, "kind": "old", "day": "x" }"#
    )
    #expect(
      try await example.lines().first?.contains("schema-type-changed /text found true") == true)
  }

  @Test("of several members that may now be null, only the one that breaks a service is an error")
  func oneAtATime() async throws {
    let stage = DocumentStage(reading: .numbered)
      .changed(#""text": { "type": "string" }"#, #""text": { "type": ["string", "null"] }"#)
      .changed(#""id": { "type": "integer" }"#, #""id": { "type": ["integer", "null"] }"#)
    let found = try await stage.lines()
    #expect(
      found == [
        "error schema-nullability-changed /id found null, expected integer, read by jokes.random"
          + " (see openapi.json:15:13)",
        "warning schema-nullability-changed /text found null, expected string, read by jokes.random"
          + " (see openapi.json:16:15)",
        "error consumer-broken found the error invalidData, expected a value (see openapi.json:9:18)",
      ])
  }

  @Test(
    "shows what changes within arrays and within members that may be missing",
    arguments: [
      (
        #""required": ["name"],"#, "",
        [
          #"error schema-field-removed /list/0/name missing "name", which the example has,"#
            + " in 1 of 1 element (see openapi.json:9:19)"
        ]
      ),
      (
        #""name": { "type": "string" }"#, #""name": { "type": ["string", "null"] }"#,
        [
          "error schema-nullability-changed /list/0/name found null, expected string, in 1 of 1"
            + " element (see openapi.json:9:19)"
        ]
      ),
      (
        #""required": ["id"],"#, "",
        [
          #"error schema-field-removed /owner/id missing "id", which the example has"#
            + " (see openapi.json:7:17)"
        ]
      ),
    ])
  func nested(old: String, new: String, lines: [String]) async throws {
    var stage = DocumentStage()
    stage.contract = """
      { "summary": "A list", "request": { "method": "GET", "path": "/random" },
        "cases": { "ok": { "status": 200, "expect": {},
          "body": { "owner": { "id": 1 }, "list": [{ "name": "a" }, { "name": "b" }] } } } }
      """
    stage.document = """
      { "openapi": "3.1.0", "paths": { "/random": { "get": { "responses": { "200": {
        "content": { "application/json": { "schema": {
          "required": ["list"],
          "properties": {
            "owner": {
              "type": "object", "required": ["id"], "properties": {
                "id": { "type": "integer" } } },
            "list": { "items": { "required": ["name"], "properties": {
                "name": { "type": "string" } } } } } } } } } } } } } }
      """
    #expect(
      try await stage.lines().filter { !$0.contains("/owner missing") } == [])
    let found = try await stage.changed(old, new).lines()
    #expect(found.filter { !$0.contains("/owner missing") } == lines)
  }
}

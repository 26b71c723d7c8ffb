import Testing
import UnderstudyContractModel
import UnderstudyDrafting
import UnderstudyDrift
import UnderstudyFindings

/// What a schema says otherwise than a response, and what one response alone shows of that.
@Suite struct SchemaDifferenceTests {
  private func lines(
    _ body: String, schema: String, _ response: String, again: String? = nil
  ) throws -> [String] {
    let stage = try Stage(#""status": 200, "body": \#(body), "schema": \#(schema)"#)
    return try stage.findings(LiveResponse(response), again: again.map { LiveResponse($0) }).map {
      "\($0.severity.rawValue) \($0.type.rawValue) \($0.path?.description ?? "-") \($0.message)"
    }
  }

  @Test("types and nulls are the same in any order of two responses")
  func order() throws {
    let found = try lines(
      #"[{ "a": "x" }]"#, schema: #"{ "items": { "properties": { "a": { "type": "string" } } } }"#,
      #"[{ "a": null }, { "a": 1 }]"#, again: #"[{ "a": 1 }, { "a": null }]"#)
    #expect(
      found == [
        "error schema-nullability-changed /0/a found null, expected string, in 1 of 2 elements",
        "error schema-type-changed /1/a found number 1, expected string, in 1 of 2 elements",
      ])
    let choices = try lines(
      #"["a"]"#, schema: #"{ "items": { "enum": ["a", "b"] } }"#, #"["c", null]"#)
    #expect(
      choices == [
        "warning schema-enum-widened /0 found \"c\", expected one of \"a\", \"b\", in 1 of 2 elements",
        "error schema-nullability-changed /1 found null, expected one of \"a\", \"b\", in 1 of 2 elements",
      ])
  }

  @Test("types and presence need no second response, nor does what a schema says")
  func either() throws {
    let schema =
      #"{ "required": ["b"], "properties": { "a": { "type": "string" }, "c": { "enum": [1] } } }"#
    func lines(_ response: String, _ again: String) throws -> [String] {
      try self.lines(#"{ "a": "x", "b": 1, "d": 1 }"#, schema: schema, response, again: again)
    }
    let good = #"{ "a": "x", "b": 1, "d": 1 }"#
    let once = "(intermittent: in 1 of 2 responses)"
    let typed = "error schema-type-changed /a found number 1, expected string \(once)"
    let first = try lines(#"{ "a": 1, "b": 1, "c": 2, "d": "x" }"#, good)
    #expect(
      first == [
        typed, "warning schema-enum-widened /c found 2, expected 1 \(once)",
        "error schema-type-changed /d found string, expected number \(once)",
      ])
    let second = try lines(#"{ "a": "x", "d": 1 }"#, #"{ "a": 1, "b": 1, "d": 1 }"#)
    #expect(second == ["error schema-field-removed /b missing \"b\" \(once)", typed])
  }

  @Test("alternatives that all refuse a type are a type")
  func alternatives() throws {
    let text =
      ##"{ "anyOf": [{ "type": "string" }, { "$ref": "#/$defs/o" }], "$defs": { "o": { "type": "object" } } }"##
    let null = try lines(#""x""#, schema: text, "null")
    #expect(null.map { $0.prefix(32) } == ["error schema-nullability-changed"])
    let number = try lines(#""x""#, schema: text, "3")
    #expect(number.map { $0.prefix(25) } == ["error schema-type-changed"])
    let value = try lines(
      #""a""#, schema: #"{ "oneOf": [{ "const": "a" }, { "const": "b" }] }"#, #""c""#)
    #expect(value.map { $0.prefix(23) } == ["warning schema-violated"])
  }

  @Test("the places of a tuple are each its own")
  func tuples() throws {
    let schema = #"{ "prefixItems": [{ "type": "string" }, { "type": "integer" }, {}] }"#
    let stage = try Stage(#""status": 200, "body": ["a", 1, true], "schema": \#(schema)"#)
    let findings = try stage.findings(LiveResponse(#"["a", "b", null]"#))
    #expect(
      findings.map(\.message) == [
        "found string \"b\", expected integer", "found null, expected boolean",
      ])
    #expect(findings.map(\.diff) == [["-1", "+\"b\""], ["-true", "+null"]])
  }

  @Test("a member called * is not an element")
  func star() throws {
    let found = try lines(
      #"{ "*": [{ "*": 1 }] }"#, schema: "{}", #"{ "*": [{ "*": "x" }, { "*": 1 }] }"#)
    #expect(
      found == [
        "error schema-type-changed /*/0/* found string, expected number, in 1 of 2 elements"
      ])
  }

  @Test("a template is text, unless it becomes a value of any kind")
  func templates() throws {
    let stage = try Stage(
      #""status": 200, "template": ["body"], "body": { "a": "id-{uuid}", "b": "{counter as json}" }"#
    )
    let found = try stage.findings(LiveResponse(#"{ "a": null, "b": 7 }"#))
    #expect(found.map(\.type) == [.schemaNullabilityChanged])
    #expect(try stage.findings(LiveResponse(#"{ "a": "x", "b": null }"#)).isEmpty)
    let whole = try Stage(#""status": 200, "template": ["body"], "body": "{counter as json}""#)
    #expect(try whole.findings(LiveResponse("7")).isEmpty)
  }

  @Test("many members that are not allowed are reported together")
  func many() throws {
    let members = (0..<2000).map { #""k\#($0)": \#($0)"# }.joined(separator: ", ")
    let found = try lines(
      #"{ "a": 1 }"#, schema: #"{ "properties": { "a": {} }, "additionalProperties": false }"#,
      #"{ "a": 1, \#(members) }"#)
    #expect(found.count == 20)
    #expect(
      found.last
        == "note schema-field-added /k19 \"k19\" is not allowed here, and at least 980 more")
  }

  @Test("a header masked during recording only has to be present")
  func maskedHeader() throws {
    let stage = try Stage(
      #""status": 200, "headers": { "X-Echo": "a [redacted]" }, "body": { "id": 1 }"#)
    #expect(try stage.lines(LiveResponse(#"{ "id": 1 }"#, headers: ["X-Echo": "a b"])) == [])
    let lines = try stage.lines(LiveResponse(#"{ "id": 1 }"#, headers: [:]))
    #expect(lines.map { $0.prefix(20) } == ["error header-removed"])
  }
}
